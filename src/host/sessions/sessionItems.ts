// One row of the tree as VS Code draws it. What it says is worked out elsewhere; here it is given a place, a look and what
// a click does. Tooltips are left open, so that VS Code asks for them when somebody rests on the row.

import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { SessionId } from '../../model/message.ts';
import { openTraceCommand, showMoreCommand } from '../contributed.ts';
import type { BranchRow, TraceRow } from './branchRows.ts';
import { relativeTime } from './sessionAge.ts';
import { counted, foldedGroups, type Group, type SessionRow } from './sessionRows.ts';
import type { SessionNode } from './sessionTree.ts';
import { traceName } from './traceName.ts';

export function groupItem(group: Group, count: number): TreeItem {
  const folded = foldedGroups.has(group);
  const item = new TreeItem(group, folded ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded);
  item.id = `group:${group}`;
  item.contextValue = group === 'Trash' ? 'trashGroup' : 'group';
  if (folded) item.description = String(count);
  item.accessibilityInformation = { label: `${group}, ${counted(count, 'session')}` };
  return item;
}

/** Without a row it is gone since VS Code asked for the list, and will be taken away. */
export function sessionItem(session: SessionId, row: SessionRow | undefined, mayFork: boolean): TreeItem {
  const folds = mayFork ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
  const item = new TreeItem(row?.label ?? '', folds);
  item.id = session;
  if (!row) return item;
  item.description = row.description;
  item.iconPath = new ThemeIcon(
    row.icon.name,
    row.icon.color === undefined ? undefined : new ThemeColor(row.icon.color),
  );
  // Only what has branches offers to compare them.
  item.contextValue = mayFork && row.context.startsWith('session') ? `${row.context}.forked` : row.context;
  item.accessibilityInformation = { label: row.spoken };
  item.command = { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [session] };
  return item;
}

type Node<Kind> = Extract<SessionNode, { readonly kind: Kind }>;

export function branchItem(node: Node<'branch'>, row: BranchRow | undefined, trashed: boolean, now: number): TreeItem {
  const folds = row?.forks && !trashed ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
  const item = new TreeItem(row?.label ?? '', folds);
  item.id = `branch:${node.from}`;
  item.contextValue = trashed ? 'trashedBranch' : 'branch';
  item.iconPath = new ThemeIcon(trashed ? 'trash' : 'git-branch');
  if (!row) return item;
  const note = row.note === null ? [] : [row.note];
  item.description = [relativeTime(row.created, now), ...(trashed ? ['deleted'] : note)].join(' · ');
  item.tooltip = [row.label, ...note].join('\n');
  item.accessibilityInformation = {
    label: `${trashed ? 'Deleted branch' : 'Branch'} ${row.label}, ${item.description}`,
  };
  // What was deleted is not shown before it is restored: an answer to it would be deleted with it.
  if (!trashed) item.command = { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [node] };
  return item;
}

export function traceItem(node: Node<'trace'>, row: TraceRow | undefined, now: number): TreeItem {
  const item = new TreeItem(traceName(node.label), TreeItemCollapsibleState.None);
  item.id = `trace:${node.session}:${node.label}`;
  item.contextValue = 'trace';
  item.iconPath = new ThemeIcon('type-hierarchy-sub');
  if (row) item.description = `${relativeTime(row.created, now)} · ${counted(row.messages, 'message')}`;
  item.tooltip = 'What a subagent did beside the conversation';
  item.command = { command: openTraceCommand, title: 'Open Trace', arguments: [node] };
  return item;
}

export function moreItem(of: string, rest: number): TreeItem {
  const item = new TreeItem('Show more…', TreeItemCollapsibleState.None);
  item.id = `more:${of}`;
  item.contextValue = 'more';
  item.description = `${rest} more`;
  item.command = { command: showMoreCommand, title: 'Show more…', arguments: [of] };
  return item;
}
