// The sessions of this workspace as a tree in the side bar, in groups, with their branches below them. Promises: it shows
// what history says and owns nothing; no session is opened to draw its row, and branches are read only when somebody
// unfolds them; a row keeps its id whatever changes; of what changed only that is drawn again, at most four times a second;
// a group shows two hundred at first.

import { EventEmitter, type Event, type TreeDataProvider, type TreeItem } from 'vscode';
import type { SessionSummary, Totals, TreeNode } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import {
  isOnWay,
  linesOf,
  traceRows,
  trashedRows,
  waysBelow,
  wayFrom,
  type BranchRow,
  type SessionLines,
} from './branchRows.ts';
import { branchItem, groupItem, moreItem, sessionItem, traceItem } from './sessionItems.ts';
import type { SessionList } from './sessionList.ts';
import { sectionsOf, sessionRow, tooltipOf, type Doing, type Group } from './sessionRows.ts';
import type { TreeFilter } from './sessionFilter.ts';
import { drawnAgain, type Shown } from './shownSessions.ts';
import { setTooltip } from '../notify/treeItems.ts';

/** What VS Code holds of a row: only its name. What it shows is looked up when it is drawn. */
export type SessionNode =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'session'; readonly session: SessionId }
  /** `from` is where it parts from the others, `leaf` where it ends. */
  | { readonly kind: 'branch'; readonly session: SessionId; readonly from: MessageId; readonly leaf: MessageId }
  /** What a subagent did. */
  | { readonly kind: 'trace'; readonly session: SessionId; readonly label: string }
  /** Of whatever has too many rows. */
  | { readonly kind: 'more'; readonly of: string };

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

const pageSize = 200;
const atMostEvery = 250;

export class SessionTree implements TreeDataProvider<SessionNode> {
  readonly onDidChangeTreeData: Event<SessionNode | undefined>;
  private readonly changed = new EventEmitter<SessionNode | undefined>();
  /** VS Code knows rows by the very object, so each row has one, for ever. */
  private readonly nodes = new Map<string, SessionNode>();
  private readonly limits = new Map<string, number>();
  private readonly lines = new Map<SessionId, SessionLines>();
  /** How many rows there are below a row, shown or not, and which row that is. */
  private readonly paged = new Map<string, { readonly count: number; readonly node: SessionNode }>();
  private readonly above = new Map<SessionNode, SessionNode>();
  /** Those that were unfolded and had nothing below them. */
  private readonly unforked = new Set<SessionId>();
  private readonly touched = new Set<SessionId>();
  private only: TreeFilter | null = null;
  private readonly onlyMessages = new Map<SessionId, ReadonlySet<MessageId> | null>();
  private shown: Shown | null = null;
  /** Where nothing is shown yet: VS Code and others may ask for it at once. */
  private firstRead: Promise<void> | null = null;
  private looking: 'no' | 'soon' | 'now' | 'again' = 'no';
  private lastLook = -Infinity;
  private stopWaiting = () => {};
  private readonly ports: SessionTreePorts;

  constructor(ports: SessionTreePorts) {
    this.ports = ports;
    this.onDidChangeTreeData = this.changed.event;
  }

  /** Something changed, of this session or of time itself: what is drawn otherwise now is drawn again, soon. */
  refresh(session?: SessionId): void {
    if (session !== undefined) {
      this.touched.add(session);
      this.ports.list.changed(session);
    }
    // What nobody has looked at yet is not read.
    if (!this.shown) return;
    if (this.looking === 'now') this.looking = 'again';
    if (this.looking !== 'no') return;
    this.looking = 'soon';
    const { clock } = this.ports;
    this.stopWaiting = clock.after(Math.max(0, this.lastLook + atMostEvery - clock.now()), () => void this.look());
  }

  get filter(): TreeFilter | null {
    return this.only;
  }

  /** How many sessions are shown, and how many there are without the filter. */
  get counts(): { readonly shown: number; readonly all: number } {
    const shown = this.shown?.sections.reduce((sum, { sessions }) => sum + sessions.length, 0) ?? 0;
    return { shown, all: this.shown?.summaries.size ?? 0 };
  }

  /** Only what fits is shown from now on; null shows all. */
  async setFilter(filter: TreeFilter | null): Promise<void> {
    this.only = filter;
    this.lines.clear();
    this.onlyMessages.clear();
    this.unforked.clear();
    this.shown = await this.read();
    this.changed.fire(undefined);
  }

  /** The row of the first of these sessions that is shown, with what history knows now. */
  async nodeOf(sessions: readonly SessionId[]): Promise<SessionNode | null> {
    if (sessions.some(id => !this.shown?.summaries.has(id))) {
      this.shown = await this.read();
      this.changed.fire(undefined);
    }
    const found = sessions.find(id => this.shown?.summaries.get(id)?.trashed === false);
    if (found === undefined) return null;
    const isShown = this.shown?.sections.some(({ sessions: some }) => some.includes(found));
    // What is asked for by name is not hidden.
    if (!isShown) await this.setFilter(null);
    return this.sessionNode(found);
  }

  showMore(of: string): void {
    this.limits.set(of, this.limitOf(of) + pageSize);
    this.changed.fire(this.paged.get(of)?.node);
  }

  dispose(): void {
    this.stopWaiting();
    this.changed.dispose();
  }

  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    if (!node) {
      if (!this.shown) await (this.firstRead ??= this.readFirst());
      return (this.shown?.sections ?? []).map(({ group }) => this.groupNode(group));
    }
    if (node.kind === 'group') {
      return this.page(node.group, node, this.sessionsIn(node.group), id => this.sessionNode(id));
    }
    if (node.kind === 'session') return this.page(node.session, node, await this.rowsOf(node.session), make => make());
    if (node.kind !== 'branch') return [];
    const lines = await this.linesOf(node.session);
    const ways = lines.isTrashed(node.from) ? [] : this.fitting(node.session, lines, waysBelow(lines, node.from));
    return this.page(node.from, node, ways, way => this.branchNode(node.session, way));
  }

  getTreeItem(node: SessionNode): TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node.group, this.sessionsIn(node.group).length);
      case 'more':
        return moreItem(node.of, (this.paged.get(node.of)?.count ?? 0) - this.limitOf(node.of));
      case 'trace': {
        const lines = this.lines.get(node.session);
        const row = lines && traceRows(lines).find(({ label }) => label === node.label);
        return traceItem(node, row, this.ports.clock.now());
      }
      case 'branch': {
        const lines = this.lines.get(node.session);
        const row = lines?.rows.has(node.from) ? wayFrom(lines, node.from) : undefined;
        return branchItem(node, row, lines?.isTrashed(node.from) ?? false, this.ports.clock.now());
      }
      case 'session': {
        const summary = this.shown?.summaries.get(node.session);
        return sessionItem(
          node.session,
          summary && this.rowOf(summary),
          summary !== undefined && this.mayFork(summary),
        );
      }
    }
  }

  /** VS Code asks for it when somebody rests on the row. */
  async resolveTreeItem(item: TreeItem, node: SessionNode): Promise<TreeItem> {
    const summary = node.kind === 'session' ? this.shown?.summaries.get(node.session) : undefined;
    // Without what it took, the rest is as true.
    if (summary) setTooltip(item, tooltipOf(summary, await this.ports.totals(summary.id).catch(() => undefined)));
    return item;
  }

  getParent(node: SessionNode): SessionNode | undefined {
    if (node.kind === 'group') return undefined;
    if (node.kind !== 'session') return this.above.get(node);
    const id = node.session;
    const section = this.shown?.sections.find(({ sessions }) => sessions.includes(id));
    return section && this.groupNode(section.group);
  }

  private async look(): Promise<void> {
    const { clock, onFailure } = this.ports;
    this.looking = 'now';
    this.lastLook = clock.now();
    const touched = [...this.touched];
    this.touched.clear();
    for (const session of touched) {
      this.unforked.delete(session);
      this.onlyMessages.delete(session);
    }
    try {
      const { only, shown: before } = this;
      const now = await this.read(touched);
      // Where it was filtered anew meanwhile, that read is the newer one.
      if (only === this.only) this.draw(before, now, touched);
    } catch (cause) {
      onFailure(cause);
    }
    const again = (this.looking as string) === 'again';
    this.looking = 'no';
    if (again) this.refresh();
  }

  private draw(before: Shown | null, now: Shown, touched: readonly SessionId[]): void {
    this.shown = now;
    const differing = before ? drawnAgain(before, now, group => this.limitOf(group)) : { groups: [], sessions: [] };
    // Their branches are read again when VS Code asks for them, which it does where they are unfolded.
    const unfolded = touched.filter(session => this.lines.delete(session));
    if (differing === 'all') return this.changed.fire(undefined);
    for (const group of differing.groups) this.changed.fire(this.groupNode(group));
    for (const id of new Set([...differing.sessions, ...unfolded])) this.changed.fire(this.sessionNode(id));
  }

  private async readFirst(): Promise<void> {
    try {
      const first = await this.read();
      this.shown ??= first;
    } finally {
      this.firstRead = null;
    }
  }

  private async read(touched: readonly SessionId[] = []): Promise<Shown> {
    const sessions = await this.ports.list.read();
    const kept = this.only ? await this.only.keep(sessions, touched) : sessions;
    const rows = sessions.map(summary => [summary.id, JSON.stringify([this.rowOf(summary), this.mayFork(summary)])]);
    return {
      sections: sectionsOf(kept, this.ports.clock.now()),
      summaries: new Map(sessions.map(summary => [summary.id, summary])),
      rows: new Map(rows as [SessionId, string][]),
    };
  }

  private async linesOf(session: SessionId): Promise<SessionLines> {
    const { only } = this;
    if (only && !this.onlyMessages.has(session)) this.onlyMessages.set(session, await only.messagesIn(session));
    const lines = this.lines.get(session) ?? linesOf(await this.ports.branches(session));
    this.lines.set(session, lines);
    return lines;
  }

  /** Those on which something is that is filtered for; where it was said before they part, all of them. */
  private fitting(session: SessionId, lines: SessionLines, rows: readonly BranchRow[]): readonly BranchRow[] {
    const messages = this.onlyMessages.get(session);
    const some = messages ? rows.filter(({ from }) => isOnWay(lines, from, messages)) : rows;
    return some.length === 0 ? rows : some;
  }

  /** What stands below a session: its branches, what subagents did, and what was deleted of it. */
  private async rowsOf(session: SessionId): Promise<readonly (() => SessionNode)[]> {
    const lines = await this.linesOf(session);
    const branch = (row: BranchRow) => () => this.branchNode(session, row);
    const rows = [
      ...this.fitting(session, lines, waysBelow(lines, null)).map(branch),
      ...traceRows(lines, this.onlyMessages.get(session)).map(({ label }) => () => {
        return this.node(`trace:${session}:${label}`, { kind: 'trace', session, label });
      }),
      ...(this.onlyMessages.get(session) ? [] : trashedRows(lines)).map(branch),
    ];
    if (rows.length === 0 && !this.only && !this.unforked.has(session)) {
      this.unforked.add(session);
      // Its row has nothing to unfold any more.
      this.refresh();
    }
    return rows;
  }

  private mayFork({ id, forked }: SessionSummary): boolean {
    return forked && !this.unforked.has(id);
  }

  private rowOf(summary: SessionSummary) {
    const { doing, folderOf, clock } = this.ports;
    return sessionRow(summary, doing(summary.id), clock.now(), folderOf(summary.cwd));
  }

  private page<Row>(
    of: string,
    node: SessionNode,
    rows: readonly Row[],
    nodeOf: (row: Row) => SessionNode,
  ): SessionNode[] {
    const limit = this.limitOf(of);
    this.paged.set(of, { count: rows.length, node });
    const nodes = rows.slice(0, limit).map(nodeOf);
    if (rows.length > limit) nodes.push(this.node(`more:${of}`, { kind: 'more', of }));
    for (const one of nodes) this.above.set(one, node);
    return nodes;
  }

  private sessionsIn(group: Group): readonly SessionId[] {
    return this.shown?.sections.find(section => section.group === group)?.sessions ?? [];
  }

  private limitOf(of: string): number {
    return this.limits.get(of) ?? pageSize;
  }

  private groupNode(group: Group): SessionNode {
    return this.node(`group:${group}`, { kind: 'group', group });
  }

  private sessionNode(session: SessionId): SessionNode {
    return this.node(session, { kind: 'session', session });
  }

  /** It keeps its id while it goes on, and its menus are about where it ends now. */
  private branchNode(session: SessionId, { from, leaf }: BranchRow): SessionNode {
    const id = `branch:${from}`;
    const known = this.nodes.get(id);
    if (known?.kind === 'branch' && known.leaf !== leaf) this.nodes.delete(id);
    return this.node(id, { kind: 'branch', session, from, leaf });
  }

  private node(id: string, fresh: SessionNode): SessionNode {
    const known = this.nodes.get(id) ?? fresh;
    this.nodes.set(id, known);
    return known;
  }
}
