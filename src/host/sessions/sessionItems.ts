// One row of the tree as VS Code draws it. What it says is worked out elsewhere; here it is given a place, a look and what
// a click does. Tooltips are left open, so that VS Code asks for them when somebody rests on the row.

import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { BranchRow } from './branchRows.ts';
import { relativeTime } from './sessionAge.ts';
import { counted, foldedGroups, type Group, type SessionRow } from './sessionRows.ts';

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
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  item.command = { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [session] };
  return item;
}

export function branchItem(session: SessionId, leaf: MessageId, row: BranchRow | undefined, now: number): TreeItem {
  const item = new TreeItem(row?.label ?? '', TreeItemCollapsibleState.None);
  item.id = `branch:${leaf}`;
  item.contextValue = 'branch';
  item.iconPath = new ThemeIcon('git-branch');
  if (!row) return item;
  item.description = relativeTime(row.created, now);
  item.tooltip = row.note === null ? row.label : `${row.label}\n${row.note}`;
  item.accessibilityInformation = { label: `Branch ${row.label}, ${item.description}` };
  const node = { kind: 'branch', session, leaf };
  item.command = { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [node] };
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

/** Not in the manifest: it makes sense in its own row only. */
export const showMoreCommand = 'throughline.showMoreSessions';
