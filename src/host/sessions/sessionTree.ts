// The sessions of this workspace as a tree in the side bar, in groups, with their branches below them. Promises: it shows
// what history says and owns nothing; no session is opened to draw its row, and branches are read only when somebody
// unfolds them; a row keeps its id whatever changes; of what changed only that is drawn again, at most four times a second;
// a group shows two hundred at first.

import { EventEmitter, type Event, type TreeDataProvider, type TreeItem } from 'vscode';
import type { SessionSummary, Totals, TreeNode } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import type { SessionId } from '../../model/message.ts';
import { linesOf, type SessionLines } from './branchRows.ts';
import { branchItem, groupItem, moreItem, sessionItem, traceItem } from './sessionItems.ts';
import type { SessionList } from '../history/sessionList.ts';
import { sectionsOf, sessionRow, tooltipOf, type Doing } from './sessionRows.ts';
import type { TreeFilter } from './sessionFilter.ts';
import { RefreshLoop } from './refreshLoop.ts';
import { SessionTreeModel, type SessionNode, type Shown } from './sessionTreeModel.ts';
import { setTooltip } from '../notify/treeItems.ts';

export interface SessionTreePorts {
  /** Told here of each session that is refreshed. */
  readonly list: Pick<SessionList, 'changed' | 'read'>;
  readonly totals: (session: SessionId) => Promise<Totals | undefined>;
  readonly branches: (session: SessionId) => Promise<readonly TreeNode[]>;
  readonly doing: (session: SessionId) => Doing;
  /** What the folder is called in which it works; null where there is only one. */
  readonly folderOf: (cwd: string | null) => string | null;
  readonly clock: Clock;
  readonly onFailure: (cause: unknown) => void;
}

export class SessionTree implements TreeDataProvider<SessionNode> {
  readonly onDidChangeTreeData: Event<SessionNode | undefined>;
  private readonly changed = new EventEmitter<SessionNode | undefined>();
  private readonly model = new SessionTreeModel();
  private readonly touched = new Set<SessionId>();
  private only: TreeFilter | null = null;
  /** Where nothing is shown yet: VS Code and others may ask for it at once. */
  private firstRead: Promise<void> | null = null;
  private readonly loop: RefreshLoop;
  private readonly ports: SessionTreePorts;

  constructor(ports: SessionTreePorts) {
    this.ports = ports;
    this.onDidChangeTreeData = this.changed.event;
    const { clock, onFailure } = ports;
    this.loop = new RefreshLoop({ clock, look: () => this.look(), onFailure });
  }

  /** Something changed, of this session or of time itself: what is drawn otherwise now is drawn again, soon. */
  refresh(session?: SessionId): void {
    if (session !== undefined) {
      this.touched.add(session);
      this.ports.list.changed(session);
    }
    // What nobody has looked at yet is not read.
    if (this.model.shown) this.loop.lookSoon();
  }

  get filter(): TreeFilter | null {
    return this.only;
  }

  get counts(): SessionTreeModel['counts'] {
    return this.model.counts;
  }

  /** Only what fits is shown from now on; null shows all. */
  async setFilter(filter: TreeFilter | null): Promise<void> {
    this.only = filter;
    this.model.forget();
    await this.showAll();
  }

  /** The row of the first of these sessions that is shown, with what history knows now. */
  async nodeOf(sessions: readonly SessionId[]): Promise<SessionNode | null> {
    const { model } = this;
    if (sessions.some(id => !model.shown?.summaries.has(id))) await this.showAll();
    const found = sessions.find(id => model.shown?.summaries.get(id)?.trashed === false);
    if (found === undefined) return null;
    const node = model.sessionNode(found);
    // What is asked for by name is not hidden.
    if (!model.parentOf(node)) await this.setFilter(null);
    return node;
  }

  showMore(of: string): void {
    this.changed.fire(this.model.showMore(of));
  }

  dispose(): void {
    this.loop.dispose();
    this.changed.dispose();
  }

  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    const { model } = this;
    if (!node) {
      if (!model.shown) await (this.firstRead ??= this.readFirst());
      return model.groups();
    }
    switch (node.kind) {
      case 'group':
        return model.childrenOfGroup(node);
      case 'session': {
        const nodes = model.childrenOfSession(node, await this.linesOf(node.session));
        // Its row has nothing to unfold any more.
        if (nodes.length === 0 && !this.only && model.markUnforked(node.session)) this.refresh();
        return nodes;
      }
      case 'branch':
        return model.childrenOfBranch(node, await this.linesOf(node.session));
      case 'trace':
      case 'more':
        return [];
    }
  }

  getTreeItem(node: SessionNode): TreeItem {
    const { model, ports } = this;
    switch (node.kind) {
      case 'group':
        return groupItem(node.group, model.sessionsIn(node.group).length);
      case 'more':
        return moreItem(node.of, model.restOf(node.of));
      case 'trace':
        return traceItem(node, model.traceRow(node), ports.clock.now());
      case 'branch': {
        const { row, trashed } = model.branchRow(node);
        return branchItem(node, row, trashed, ports.clock.now());
      }
      case 'session': {
        const summary = model.shown?.summaries.get(node.session);
        const row = summary && this.rowOf(summary);
        return sessionItem(node.session, row, summary !== undefined && model.mayFork(summary));
      }
    }
  }

  /** VS Code asks for it when somebody rests on the row. */
  async resolveTreeItem(item: TreeItem, node: SessionNode): Promise<TreeItem> {
    const summary = node.kind === 'session' ? this.model.shown?.summaries.get(node.session) : undefined;
    // Without what it took, the rest is as true.
    if (summary) setTooltip(item, tooltipOf(summary, await this.ports.totals(summary.id).catch(() => undefined)));
    return item;
  }

  getParent(node: SessionNode): SessionNode | undefined {
    return this.model.parentOf(node);
  }

  private async look(): Promise<void> {
    const { only, model } = this;
    const touched = [...this.touched];
    this.touched.clear();
    model.touch(touched);
    const now = await this.read(touched);
    // Where it was filtered anew meanwhile, that read is the newer one.
    if (only !== this.only) return;
    const drawn = model.update(now, touched);
    if (drawn === 'all') return this.changed.fire(undefined);
    for (const node of drawn) this.changed.fire(node);
  }

  private async showAll(): Promise<void> {
    this.model.shown = await this.read();
    this.changed.fire(undefined);
  }

  private async readFirst(): Promise<void> {
    try {
      const first = await this.read();
      this.model.shown ??= first;
    } finally {
      this.firstRead = null;
    }
  }

  private async read(touched: readonly SessionId[] = []): Promise<Shown> {
    const sessions = await this.ports.list.read();
    const kept = this.only ? await this.only.keep(sessions, touched) : sessions;
    const drawnAs = (summary: SessionSummary) => JSON.stringify([this.rowOf(summary), this.model.mayFork(summary)]);
    return {
      sections: sectionsOf(kept, this.ports.clock.now()),
      summaries: new Map(sessions.map(summary => [summary.id, summary])),
      rows: new Map(sessions.map(summary => [summary.id, drawnAs(summary)])),
    };
  }

  private async linesOf(session: SessionId): Promise<SessionLines> {
    const { only, model } = this;
    if (only && !model.fitting.has(session)) model.fitting.set(session, await only.messagesIn(session));
    const lines = model.lines.get(session) ?? linesOf(await this.ports.branches(session));
    model.lines.set(session, lines);
    return lines;
  }

  private rowOf(summary: SessionSummary) {
    const { doing, folderOf, clock } = this.ports;
    return sessionRow(summary, doing(summary.id), clock.now(), folderOf(summary.cwd));
  }
}
