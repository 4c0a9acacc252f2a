// Which rows the tree of sessions has: from the sections, the branches, the filter and how many rows are shown, without
// VS Code. It reads nothing: it is told what was read, and works out the rows and which of them are drawn otherwise now.

import type { SessionSummary } from '../../core/history/history.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import {
  isOnWay,
  traceRows,
  trashedRows,
  waysBelow,
  wayFrom,
  type BranchRow,
  type SessionLines,
  type TraceRow,
} from './branchRows.ts';
import type { Group, Section } from './sessionRows.ts';

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

export type NodeOf<Kind extends SessionNode['kind']> = Extract<SessionNode, { readonly kind: Kind }>;

export interface Shown {
  readonly sections: readonly Section[];
  readonly summaries: ReadonlyMap<SessionId, SessionSummary>;
  /** How each row was drawn, to know which ones are drawn otherwise now. */
  readonly rows: ReadonlyMap<SessionId, string>;
}

const pageSize = 200;

export class SessionTreeModel {
  /** Null until it was read for the first time. */
  shown: Shown | null = null;
  /** Of the sessions that were unfolded. */
  readonly lines = new Map<SessionId, SessionLines>();
  /** Where in a session that was unfolded is what the filter looks for; null where all of it is to be shown. */
  readonly fitting = new Map<SessionId, ReadonlySet<MessageId> | null>();
  /** VS Code knows rows by the very object, so each row has one, for ever. */
  private readonly nodes = new Map<string, SessionNode>();
  private readonly limits = new Map<string, number>();
  /** How many rows there are below a row, shown or not, and which row that is. */
  private readonly paged = new Map<string, { readonly count: number; readonly node: SessionNode }>();
  private readonly above = new Map<SessionNode, SessionNode>();
  /** Those that were unfolded and had nothing below them. */
  private readonly unforked = new Set<SessionId>();

  /** How many sessions are shown, and how many there are without the filter. */
  get counts(): { readonly shown: number; readonly all: number } {
    const shown = this.shown?.sections.reduce((sum, { sessions }) => sum + sessions.length, 0) ?? 0;
    return { shown, all: this.shown?.summaries.size ?? 0 };
  }

  /** What was read of branches and messages counts no more, because another filter holds. */
  forget(): void {
    this.lines.clear();
    this.fitting.clear();
    this.unforked.clear();
  }

  /** What was found out about these sessions may have changed; what is shown of them stays until it is read again. */
  touch(sessions: readonly SessionId[]): void {
    for (const session of sessions) {
      this.unforked.delete(session);
      this.fitting.delete(session);
    }
  }

  /** Shows what was read after these sessions changed. Says which rows are drawn again, the fewest; 'all' is the whole tree. */
  update(now: Shown, touched: readonly SessionId[]): readonly SessionNode[] | 'all' {
    const before = this.shown;
    this.shown = now;
    // Their branches are read again when VS Code asks for them, which it does where they are unfolded.
    const unfolded = touched.filter(session => this.lines.delete(session));
    const changed = before ? this.changedRows(before, now) : { groups: [], sessions: [] };
    if (changed === 'all') return 'all';
    const sessions = new Set([...changed.sessions, ...unfolded]);
    return [...changed.groups.map(group => this.groupNode(group)), ...[...sessions].map(id => this.sessionNode(id))];
  }

  groups(): SessionNode[] {
    return (this.shown?.sections ?? []).map(({ group }) => this.groupNode(group));
  }

  sessionsIn(group: Group): readonly SessionId[] {
    return this.shown?.sections.find(section => section.group === group)?.sessions ?? [];
  }

  childrenOfGroup(node: NodeOf<'group'>): SessionNode[] {
    return this.page(node.group, node, this.sessionsIn(node.group), id => this.sessionNode(id));
  }

  /** What stands below a session: its branches, what subagents did, and what was deleted of it. */
  childrenOfSession(node: NodeOf<'session'>, lines: SessionLines): SessionNode[] {
    const { session } = node;
    const fitting = this.fitting.get(session);
    const branch = (row: BranchRow) => () => this.branchNode(session, row);
    const rows = [
      ...this.fittingWays(session, lines, null).map(branch),
      ...traceRows(lines, fitting).map(({ label }) => () => {
        return this.node(`trace:${session}:${label}`, { kind: 'trace', session, label });
      }),
      ...(fitting ? [] : trashedRows(lines)).map(branch),
    ];
    return this.page(session, node, rows, make => make());
  }

  childrenOfBranch(node: NodeOf<'branch'>, lines: SessionLines): SessionNode[] {
    const ways = lines.isTrashed(node.from) ? [] : this.fittingWays(node.session, lines, node.from);
    return this.page(node.from, node, ways, way => this.branchNode(node.session, way));
  }

  parentOf(node: SessionNode): SessionNode | undefined {
    if (node.kind === 'group') return undefined;
    if (node.kind !== 'session') return this.above.get(node);
    const section = this.shown?.sections.find(({ sessions }) => sessions.includes(node.session));
    return section && this.groupNode(section.group);
  }

  /** It was unfolded and had nothing below it. False where that was known. */
  markUnforked(session: SessionId): boolean {
    const isNew = !this.unforked.has(session);
    this.unforked.add(session);
    return isNew;
  }

  mayFork({ id, forked }: SessionSummary): boolean {
    return forked && !this.unforked.has(id);
  }

  branchRow({ session, from }: NodeOf<'branch'>): { readonly row?: BranchRow; readonly trashed: boolean } {
    const lines = this.lines.get(session);
    const row = lines?.rows.has(from) ? { row: wayFrom(lines, from) } : {};
    return { ...row, trashed: lines?.isTrashed(from) ?? false };
  }

  traceRow({ session, label }: NodeOf<'trace'>): TraceRow | undefined {
    const lines = this.lines.get(session);
    return lines && traceRows(lines).find(row => row.label === label);
  }

  /** How many rows of it are not shown. */
  restOf(of: string): number {
    return (this.paged.get(of)?.count ?? 0) - this.limitOf(of);
  }

  /** The row below which there are more now. */
  showMore(of: string): SessionNode | undefined {
    this.limits.set(of, this.limitOf(of) + pageSize);
    return this.paged.get(of)?.node;
  }

  sessionNode(session: SessionId): SessionNode {
    return this.node(session, { kind: 'session', session });
  }

  /** The fewest rows, a group with the rows in it; of a group only as many as it shows. */
  private changedRows(before: Shown, after: Shown): { groups: Group[]; sessions: SessionId[] } | 'all' {
    const groups: Group[] = [];
    const found: SessionId[] = [];
    if (before.sections.length !== after.sections.length) return 'all';
    for (const [at, { group, sessions }] of after.sections.entries()) {
      const was = before.sections[at];
      if (was?.group !== group) return 'all';
      const members = new Set(was.sessions);
      // One that goes from group to group would be in both for a moment, which VS Code refuses.
      if (members.size !== sessions.length || sessions.some(id => !members.has(id))) return 'all';
      if (sessions.some((id, place) => was.sessions[place] !== id)) groups.push(group);
      else {
        const drawn = sessions.slice(0, this.limitOf(group));
        found.push(...drawn.filter(id => before.rows.get(id) !== after.rows.get(id)));
      }
    }
    return { groups, sessions: found };
  }

  /** The ways on which something is that is filtered for; where it was said before they part, all of them. */
  private fittingWays(session: SessionId, lines: SessionLines, below: MessageId | null): readonly BranchRow[] {
    const ways = waysBelow(lines, below);
    const messages = this.fitting.get(session);
    const some = messages ? ways.filter(({ from }) => isOnWay(lines, from, messages)) : ways;
    return some.length === 0 ? ways : some;
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

  private limitOf(of: string): number {
    return this.limits.get(of) ?? pageSize;
  }

  private groupNode(group: Group): SessionNode {
    return this.node(`group:${group}`, { kind: 'group', group });
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
