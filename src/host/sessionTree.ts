// The sessions of this workspace as a tree in the side bar, grouped by when they were last active, the trash folded at
// the end. It shows what history says and owns nothing; titles come from history and are shown as they are.

import { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, type Event, type TreeDataProvider } from 'vscode';
import type { SessionSummary } from '../core/history/history.ts';
import type { SessionId } from '../model/message.ts';
import { groupOf, relativeTime, type Group } from './sessionAge.ts';

export type SessionNode =
  | { readonly kind: 'group'; readonly group: Group; readonly sessions: readonly SessionSummary[] }
  | { readonly kind: 'session'; readonly summary: SessionSummary };

export interface SessionTreePorts {
  readonly list: () => Promise<readonly SessionSummary[]>;
  readonly isRunning: (session: SessionId) => boolean;
  readonly now: () => number;
}

const groups: readonly Group[] = ['Today', 'Yesterday', 'Last 7 days', 'Older', 'Trash'];

export class SessionTree implements TreeDataProvider<SessionNode> {
  readonly onDidChangeTreeData: Event<void>;
  private readonly changed = new EventEmitter<void>();
  private readonly ports: SessionTreePorts;

  constructor(ports: SessionTreePorts) {
    this.ports = ports;
    this.onDidChangeTreeData = this.changed.event;
  }

  refresh(): void {
    this.changed.fire();
  }

  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    if (node?.kind === 'session') return [];
    if (node) return node.sessions.map(summary => ({ kind: 'session', summary }));
    const now = this.ports.now();
    const all = await this.ports.list();
    return groups.flatMap(group => {
      const sessions = all.filter(({ trashed, active }) => (trashed ? 'Trash' : groupOf(active, now)) === group);
      return sessions.length > 0 ? [{ kind: 'group', group, sessions }] : [];
    });
  }

  getTreeItem(node: SessionNode): TreeItem {
    return node.kind === 'group' ? groupItem(node.group, node.sessions.length) : this.sessionItem(node.summary);
  }

  private sessionItem(summary: SessionSummary): TreeItem {
    const { id, title, agent, active, messages, trashed } = summary;
    const running = this.ports.isRunning(id);
    const item = new TreeItem(title, TreeItemCollapsibleState.None);
    item.id = id;
    item.description = running ? 'running' : relativeTime(active, this.ports.now());
    item.iconPath = new ThemeIcon(running ? 'loading~spin' : trashed ? 'trash' : 'comment-discussion');
    item.contextValue = trashed ? 'trashedSession' : 'session';
    const said = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
    item.tooltip = `${title}\n${agent.name} · ${said} · ${new Date(active).toLocaleString()}`;
    item.accessibilityInformation = { label: `${title}, ${agent.name}, ${item.description}` };
    item.command = { command: 'throughline.resumeSession', title: 'Resume Session', arguments: [id] };
    return item;
  }
}

function groupItem(group: Group, count: number): TreeItem {
  const folded = group === 'Trash';
  const item = new TreeItem(group, folded ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded);
  item.id = `group:${group}`;
  item.contextValue = 'group';
  if (folded) item.description = String(count);
  return item;
}
