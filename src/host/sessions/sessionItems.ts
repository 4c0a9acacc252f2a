// One row of the tree: what it says is worked out elsewhere; here it is given a place, a look and what a click does.
// Tooltips of sessions are left out, so that VS Code asks for them when somebody rests on the row.

import { ThemeColor, type TreeItem } from 'vscode';
import type { SessionId } from '../../model/message.ts';
import { openTraceCommand, showMoreCommand } from '../contributed.ts';
import { createTreeItem } from '../notify/treeItems.ts';
import type { BranchRow, TraceRow } from './branchRows.ts';
import { relativeTime } from './sessionAge.ts';
import { counted, foldedGroups, type Group, type SessionRow } from './sessionRows.ts';
import type { NodeOf } from './sessionTreeModel.ts';
import { traceName } from './traceName.ts';

export function groupItem(group: Group, count: number): TreeItem {
  const isFolded = foldedGroups.has(group);
  return createTreeItem({
    id: `group:${group}`,
    label: group,
    folds: isFolded ? 'collapsed' : 'expanded',
    contextValue: group === 'Trash' ? 'trashGroup' : 'group',
    ...(isFolded ? { description: String(count) } : {}),
    spoken: `${group}, ${counted(count, 'session')}`,
  });
}

/** Without a row it is gone since VS Code asked for the list, and will be taken away. */
export function sessionItem(session: SessionId, row: SessionRow | undefined, mayFork: boolean): TreeItem {
  const folds = mayFork ? { folds: 'collapsed' as const } : {};
  if (!row) return createTreeItem({ id: session, label: '', ...folds });
  const { name, color } = row.icon;
  return createTreeItem({
    id: session,
    label: row.label,
    description: row.description,
    icon: { name, ...(color === undefined ? {} : { color: new ThemeColor(color) }) },
    // Only what has branches offers to compare them.
    contextValue: mayFork && row.context.startsWith('session') ? `${row.context}.forked` : row.context,
    spoken: row.spoken,
    command: { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [session] },
    ...folds,
  });
}

export function branchItem(
  node: NodeOf<'branch'>,
  row: BranchRow | undefined,
  trashed: boolean,
  now: number,
): TreeItem {
  const place = {
    id: `branch:${node.from}`,
    contextValue: trashed ? 'trashedBranch' : 'branch',
    icon: { name: trashed ? 'trash' : 'git-branch' },
  };
  if (!row) return createTreeItem({ ...place, label: '' });
  const note = row.note === null ? [] : [row.note];
  const description = [relativeTime(row.created, now), ...(trashed ? ['deleted'] : note)].join(' · ');
  return createTreeItem({
    ...place,
    label: row.label,
    description,
    tooltip: [row.label, ...note],
    spoken: `${trashed ? 'Deleted branch' : 'Branch'} ${row.label}, ${description}`,
    ...(row.forks && !trashed ? { folds: 'collapsed' as const } : {}),
    // What was deleted is not shown before it is restored: an answer to it would be deleted with it.
    ...(trashed
      ? {}
      : { command: { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [node] } }),
  });
}

export function traceItem(node: NodeOf<'trace'>, row: TraceRow | undefined, now: number): TreeItem {
  const said = row && `${relativeTime(row.created, now)} · ${counted(row.messages, 'message')}`;
  return createTreeItem({
    id: `trace:${node.session}:${node.label}`,
    label: traceName(node.label),
    contextValue: 'trace',
    icon: { name: 'type-hierarchy-sub' },
    ...(said === undefined ? {} : { description: said }),
    tooltip: ['What a subagent did beside the conversation'],
    command: { command: openTraceCommand, title: 'Open Trace', arguments: [node] },
  });
}

export function moreItem(of: string, rest: number): TreeItem {
  return createTreeItem({
    id: `more:${of}`,
    label: 'Show more…',
    contextValue: 'more',
    description: `${rest} more`,
    command: { command: showMoreCommand, title: 'Show more…', arguments: [of] },
  });
}
