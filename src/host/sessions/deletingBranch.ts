// A branch goes to the trash, comes back, and goes for ever. Promises: what runs on it is stopped first, and where another
// window is writing on it nothing is done; whoever stood on it stands on the branch beside it afterwards, also in other
// windows; the trash can be undone from the notification that says what went; nothing is erased before a person read in a
// modal what will be gone.

import type { History, SessionSummary } from '../../core/history/history.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { Tree } from '../../core/history/tree.ts';
import { bindingOf } from '../../core/conversation/binding.ts';
import type { MessageId } from '../../model/message.ts';
import type { Conversations } from '../chat/conversations.ts';
import { boundIn, copiesOfOne, deleteAt, type AgentById } from './agentCopies.ts';
import { linesOf, wayFrom, type SessionLines } from './branchRows.ts';
import { askingAgents, confirmed } from './deleting.ts';
import { branchErasedWords, branchEraseQuestion, branchTrashedWords, type BranchGone } from './deletingWords.ts';
import { showInfo, showWarning } from '../notify/messages.ts';

export interface DeletingBranchPorts {
  readonly conversations: Pick<Conversations, 'opened'>;
  readonly history: () => Promise<History>;
}

/** Something of a session: a message, and all that follows from it. */
export interface Branch {
  readonly summary: SessionSummary;
  readonly from: MessageId;
}

export async function trashBranches(branches: readonly Branch[], ports: DeletingBranchPorts): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  const gone: BranchGone[] = [];
  for (const branch of branches) {
    const done = await trashOne(branch, ports);
    if (!done) continue;
    undo.push(done.undo);
    gone.push(done.gone);
  }
  if (gone.length === 0) return;
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void showInfo(branchTrashedWords(gone), 'Undo').then(async choice => {
    if (choice) for (const back of undo.toReversed()) await back();
  });
}

export async function restoreBranches(branches: readonly Branch[], { history }: DeletingBranchPorts): Promise<void> {
  for (const { summary, from } of branches) await (await history()).restore(summary.id, from);
}

export interface ErasingBranchPorts extends DeletingBranchPorts {
  readonly agent: AgentById;
}

/** Asks first. */
export async function eraseBranch({ summary, from }: Branch, ports: ErasingBranchPorts): Promise<void> {
  const history = await ports.history();
  const tree = linesOf(await history.tree(summary.id));
  if (!tree.rows.has(from)) return;
  const bindings = boundIn((await history.open(summary.id))?.bindings ?? [], new Set(tree.subtree(from)));
  const known = await askingAgents(() => copiesOfOne({ id: summary.id, bindings }, ports.agent));
  const there = await confirmed(branchEraseQuestion(goneOf(tree, from, false), known), known);
  if (!there) return;
  const gone = goneOf(tree, from, await stopped(summary, from, ports));
  if (await isWritten(history, summary, tree, from)) return elsewhere();
  await leave(summary, tree, from, ports);
  const { remaining } = await history.erase(summary.id, { message: from, subtree: true });
  const opened = await ports.conversations.opened(summary.id)?.catch(() => undefined);
  opened?.closeSessions(new Set(bindings.flatMap(value => bindingOf(value)?.agentSession ?? [])));
  const failedThere = await deleteAt(there);
  const words = branchErasedWords(gone, remaining, there, failedThere);
  void (failedThere.length > 0 ? showWarning(words) : showInfo(words));
}

async function trashOne(
  { summary, from }: Branch,
  ports: DeletingBranchPorts,
): Promise<{ readonly gone: BranchGone; readonly undo: () => Promise<void> } | null> {
  const history = await ports.history();
  const tree = linesOf(await history.tree(summary.id));
  // Another window was faster.
  if (!tree.rows.has(from) || tree.isTrashed(from)) return null;
  const gone = goneOf(tree, from, await stopped(summary, from, ports));
  if (await isWritten(history, summary, tree, from)) {
    elsewhere();
    return null;
  }
  const back = await leave(summary, tree, from, ports);
  await history.trash(summary.id, { message: from, subtree: true });
  const undo = async () => {
    await history.restore(summary.id, from);
    await back();
  };
  return { gone, undo };
}

function goneOf(tree: SessionLines, from: MessageId, wasStopped: boolean): BranchGone {
  const inside = new Set(tree.subtree(from).filter(id => tree.rows.get(id)?.label === null));
  const branches = tree.leaves().filter(({ id }) => inside.has(id)).length;
  return { label: wayFrom(tree, from).label, messages: inside.size, branches, wasStopped };
}

/** Stops the answer that is written on it here; whether there was one. */
async function stopped(
  { id }: SessionSummary,
  from: MessageId,
  { conversations }: DeletingBranchPorts,
): Promise<boolean> {
  const opened = await conversations.opened(id)?.catch(() => undefined);
  if (!opened?.transcript.turn || !isOn(opened, from)) return false;
  await opened.cancel();
  return true;
}

async function isWritten(
  history: History,
  { id }: SessionSummary,
  tree: SessionLines,
  from: MessageId,
): Promise<boolean> {
  const stored = await history.open(id, tree.lastLeafBelow(from));
  return stored !== undefined && stored.writing !== null;
}

function elsewhere(): void {
  void showWarning('Another window is writing an answer on this branch. Stop it there first.');
}

/** Whoever stands on it goes to the branch beside it; gives the way back. */
async function leave(
  { id }: SessionSummary,
  tree: SessionLines,
  from: MessageId,
  { conversations, history }: DeletingBranchPorts,
): Promise<() => Promise<void>> {
  const to = besideOf(tree, from);
  const opened = await conversations.opened(id)?.catch(() => undefined);
  if (opened) {
    const before = opened.transcript.messages.at(-1)?.id ?? null;
    if (!isOn(opened, from)) return () => Promise.resolve();
    await opened.setHead(to);
    return () => opened.setHead(before);
  }
  const engine = await history();
  const before = (await engine.open(id))?.head ?? null;
  if (before === null || !tree.subtree(from).includes(before)) return () => Promise.resolve();
  const head = (value: MessageId | null) => engine.append(id, [{ type: 'set', session: id, name: 'head', value }]);
  await head(to);
  return () => head(before);
}

/** The end of the branch beside it that was written to last, else what it answers. */
function besideOf(tree: SessionLines, from: MessageId): MessageId | null {
  const left = new Tree([...tree.rows.values()], [from]);
  const parent = left.parent(from);
  return parent === null ? (left.leaves()[0]?.id ?? null) : left.lastLeafBelow(parent);
}

function isOn({ transcript }: Conversation, from: MessageId): boolean {
  return transcript.messages.some(({ id }) => id === from);
}
