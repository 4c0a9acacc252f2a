// The lines of one session as rows under it: pure, from the tree that history gives. Where the conversation forks, each way
// is a row, and a way that forks again has its own below it; what subagents did beside it and what was deleted of it stand
// behind them. A session with one line has no rows: its own row is that line.

import type { TreeNode } from '../../core/history/history.ts';
import { Tree } from '../../core/history/tree.ts';
import type { MessageId } from '../../model/message.ts';

export interface BranchRow {
  /** The first message that is on this way and on no other: it stays the same however the way goes on. */
  readonly from: MessageId;
  /** Where a panel that opens it stands. */
  readonly leaf: MessageId;
  readonly label: string;
  readonly named: boolean;
  readonly note: string | null;
  readonly created: number;
  /** There are ways below it. */
  readonly forks: boolean;
}

export interface TraceRow {
  /** `subagent:<name>:<run>`. */
  readonly label: string;
  readonly messages: number;
  readonly created: number;
}

export type SessionLines = Tree<TreeNode>;

const longest = 80;

export function linesOf(nodes: readonly TreeNode[]): SessionLines {
  return new Tree(nodes);
}

/** The ways at the next fork below a message, or from the beginning; the one that was written to last first. */
export function waysBelow(tree: SessionLines, message: MessageId | null): readonly BranchRow[] {
  let below = shownBelow(tree, message);
  for (let [only] = below; only && below.length === 1; [only] = below) below = shownBelow(tree, only.id);
  return below.map(({ id }) => wayFrom(tree, id)).toSorted((one, other) => other.created - one.created);
}

/** Every end of a way, wherever it forked, newest first; none where there is one line only. */
export function branchRows(tree: SessionLines): readonly BranchRow[] {
  const leaves = tree.leaves();
  return leaves.length < 2 ? [] : leaves.map(({ id }) => ({ ...wayFrom(tree, beginningOf(tree, id)), leaf: id }));
}

/** Whether something of the way is among these messages. */
export function isOnWay(tree: SessionLines, from: MessageId, messages: ReadonlySet<MessageId>): boolean {
  return tree.subtree(from).some(id => messages.has(id));
}

/** What subagents did, the last one first; with `among`, only where one of these messages is in it. */
export function traceRows(tree: SessionLines, among?: ReadonlySet<MessageId> | null): readonly TraceRow[] {
  const rows = new Map<string, { label: string; messages: number; created: number }>();
  const fitting = new Set<string>();
  for (const { id, label, created } of tree.rows.values()) {
    if (label === null || tree.isTrashed(id)) continue;
    const row = rows.get(label) ?? { label, messages: 0, created };
    row.messages++;
    row.created = Math.max(row.created, created);
    rows.set(label, row);
    if (!among || among.has(id)) fitting.add(label);
  }
  return [...rows.values()]
    .filter(({ label }) => fitting.has(label))
    .toSorted((one, other) => other.created - one.created);
}

/** What was deleted of it and can be restored; what lies below another of them is left out. */
export function trashedRows(tree: SessionLines): readonly BranchRow[] {
  return [...tree.rows.values()]
    .filter(({ id, label }) => label === null && tree.isTrashed(id) && !isTrashedAbove(tree, id))
    .map(({ id }) => wayFrom(tree, id))
    .toSorted((one, other) => other.created - one.created);
}

export function wayFrom(tree: SessionLines, from: MessageId): BranchRow {
  // In the trash, everything below it counts.
  const next = tree.isTrashed(from)
    ? (id: MessageId) => tree.children(id).filter(({ label }) => label === null)
    : (id: MessageId) => shownBelow(tree, id);
  let end = from;
  let words = '';
  let below: readonly TreeNode[] = [];
  for (let at: string | undefined = from; at !== undefined; at = below.length === 1 ? below[0]?.id : undefined) {
    end = at;
    // Answers have no words of their own here: a branch is called by what was last said in it.
    words = tree.rows.get(at)?.preview || words;
    below = next(at);
  }
  const forks = below.length > 1;
  const leaf = forks ? tree.leafBelow(end) : end;
  const row = tree.rows.get(leaf);
  const name = forks ? null : (row?.name ?? null);
  return {
    from,
    leaf,
    label: name ?? shortened(words || wordsAbove(tree, from)),
    named: name !== null,
    note: row?.note ?? null,
    created: row?.created ?? 0,
    forks,
  };
}

/** Where the way begins that ends in a leaf. */
export function beginningOf(tree: SessionLines, leaf: MessageId): MessageId {
  let at = leaf;
  for (let parent = tree.parent(at); parent !== null && !isFork(tree, parent); parent = tree.parent(at)) at = parent;
  return at;
}

/** Without a list of what may be thousands. */
function isFork(tree: SessionLines, message: MessageId): boolean {
  let count = 0;
  for (const row of tree.children(message)) if (isShown(tree, row) && ++count > 1) return true;
  return false;
}

function shownBelow(tree: SessionLines, message: MessageId | null): readonly TreeNode[] {
  return tree.children(message).filter(row => isShown(tree, row));
}

function isShown(tree: SessionLines, { id, label }: TreeNode): boolean {
  return label === null && !tree.isTrashed(id);
}

function isTrashedAbove(tree: SessionLines, id: MessageId): boolean {
  const parent = tree.parent(id);
  return parent !== null && tree.isTrashed(parent);
}

/** A way that begins with an answer, as after a retry. */
function wordsAbove(tree: SessionLines, from: MessageId): string {
  for (let at = tree.parent(from); at !== null; at = tree.parent(at)) {
    const words = tree.rows.get(at)?.preview;
    if (words) return words;
  }
  return 'Branch without words';
}

function shortened(words: string): string {
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest);
  const space = cut.lastIndexOf(' ');
  // The last half of a surrogate pair must not stay behind alone.
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
