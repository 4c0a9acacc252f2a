// The tree of one session, walked in memory over its rows: those of the index, or those that `History.tree` gives.
// Promises: every row is reached from the roots. A parent that is not there (it may still arrive from another window)
// makes its child a root for now; of a cycle, which only a damaged file can hold, the oldest message is one. Subagents'
// messages hang beside the conversation and are on none of its paths.

import type { MessageId } from '../../model/message.ts';
import type { Branches } from '../../model/transcript.ts';

export interface TreeRow {
  readonly id: MessageId;
  readonly parent: MessageId | null;
  readonly label: string | null;
  readonly created: number;
  /** Where it is known already: in the trash, by itself or below one that is. */
  readonly trashed?: boolean;
}

export class Tree<Row extends TreeRow> {
  readonly rows: ReadonlyMap<MessageId, Row>;
  private readonly below = new Map<MessageId | null, Row[]>();
  private readonly above: ReadonlyMap<MessageId, MessageId | null>;
  private readonly trashed = new Set<MessageId>();

  /** `trashed` are the messages that were put into the trash, each with all below it. */
  constructor(rows: readonly Row[], trashed: Iterable<MessageId> = []) {
    this.rows = new Map(rows.map(row => [row.id, row]));
    this.above = parentsOf(this.rows);
    for (const row of [...this.rows.values()].toSorted(byAge)) {
      if (row.trashed) this.trashed.add(row.id);
      const parent = this.parent(row.id);
      const siblings = this.below.get(parent);
      if (siblings) siblings.push(row);
      else this.below.set(parent, [row]);
    }
    for (const id of trashed) for (const inside of this.subtree(id)) this.trashed.add(inside);
  }

  isTrashed(id: MessageId): boolean {
    return this.trashed.has(id);
  }

  /** What it answers; null for a root, and for what is not there. */
  parent(id: MessageId): MessageId | null {
    return this.above.get(id) ?? null;
  }

  /** Oldest first; those of null are the roots. */
  children(id: MessageId | null): readonly Row[] {
    return this.below.get(id) ?? [];
  }

  /** The message and all that follows from it, each before what answers it. */
  subtree(id: MessageId): readonly MessageId[] {
    if (!this.rows.has(id)) return [];
    const found = new Set([id]);
    // A set is walked in the order in which it grows.
    for (const at of found) for (const child of this.children(at)) found.add(child.id);
    return [...found];
  }

  /** From the root to `id`, both included; empty where it is null or unknown. */
  pathTo(id: MessageId | null): readonly MessageId[] {
    const path: MessageId[] = [];
    const beside = id !== null && this.rows.get(id)?.label !== null;
    for (let at = id; at !== null && this.rows.has(at); at = this.parent(at)) {
      if (beside || this.rows.get(at)?.label === null) path.push(at);
    }
    return path.reverse();
  }

  /** The ends of the branches of the conversation that are not in the trash, newest first. */
  leaves(): readonly Row[] {
    return [...this.rows.values()]
      .filter(row => this.isShown(row) && this.answers(row.id).length === 0)
      .toSorted(byAge)
      .reverse();
  }

  /** The end of the newest branch that goes through a message. */
  leafBelow(id: MessageId): MessageId {
    let at = id;
    for (let next = this.answers(at).at(-1); next; next = this.answers(at).at(-1)) at = next.id;
    return at;
  }

  /** The end of the branch through a message that was written to last. */
  lastLeafBelow(id: MessageId): MessageId {
    const inside = new Set(this.subtree(id));
    return this.leaves().find(leaf => inside.has(leaf.id))?.id ?? id;
  }

  /** Where the path to a message could go another way; what is on it counts, even from the trash. */
  branches(head: MessageId | null): Branches {
    const path = this.pathTo(head);
    const beside = path.flatMap(id => {
      const ids = this.children(this.parent(id)).filter(row => row.id === id || this.isShown(row));
      return ids.length > 1 ? [[id, ids.map(row => row.id)] as const] : [];
    });
    const below = head === null ? this.children(null).filter(row => this.isShown(row)) : this.answers(head);
    return { beside: Object.fromEntries(beside), below: below.map(row => row.id) };
  }

  /** The last message that two paths share; null where they share none. */
  parting(one: MessageId, other: MessageId): MessageId | null {
    const theirs = new Set(this.pathTo(other));
    return this.pathTo(one).findLast(id => theirs.has(id)) ?? null;
  }

  /**
   * Where a panel starts that was last at `head`: there, or at what is left above it, or at the newest branch where
   * nothing is known of it.
   */
  headFrom(head: MessageId | null): MessageId | null {
    const path = this.pathTo(head);
    const shown = path.findLast(id => this.isShown(this.rows.get(id)));
    return shown ?? this.leaves()[0]?.id ?? null;
  }

  private answers(id: MessageId): readonly Row[] {
    return this.children(id).filter(row => this.isShown(row));
  }

  private isShown(row: Row | undefined): boolean {
    return row !== undefined && row.label === null && !this.trashed.has(row.id);
  }
}

/** What each answers, without what is not there and without cycles. */
function parentsOf(rows: ReadonlyMap<MessageId, TreeRow>): ReadonlyMap<MessageId, MessageId | null> {
  const above = new Map<MessageId, MessageId | null>();
  for (const id of rows.keys()) {
    const walked: TreeRow[] = [];
    let row = rows.get(id);
    while (row && !above.has(row.id)) {
      walked.push(row);
      above.set(row.id, row.parent !== null && rows.has(row.parent) ? row.parent : null);
      row = row.parent === null ? undefined : rows.get(row.parent);
    }
    // Only a walk that came back to itself ends on its own way.
    const begin = row ? walked.indexOf(row) : -1;
    const [oldest] = begin < 0 ? [] : walked.slice(begin).toSorted(byAge);
    if (oldest) above.set(oldest.id, null);
  }
  return above;
}

function byAge(one: TreeRow, other: TreeRow): number {
  return one.created - other.created || (one.id < other.id ? -1 : 1);
}
