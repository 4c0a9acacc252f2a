// Sessions go to the trash, come back, and go for ever. Promises: what runs is stopped first; the trash can be undone from
// the notification that says it; nothing is erased before a person read in a modal what will be gone; of several, what
// works is done and what does not is said; what is erased is nowhere shown any more and leaves no draft.

import type { History, SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import type { Drafts } from '../../node/drafts.ts';
import type { Conversations } from '../chat/conversations.ts';
import { copiesAmong, copiesOf, deleteAt, type AgentById, type AgentCopy } from './agentCopies.ts';
import {
  eraseQuestion,
  erasedWords,
  failedWords,
  restoredWords,
  trashedWords,
  type EraseQuestion,
  type Failed,
} from './deletingWords.ts';
import type { Report } from '../report.ts';
import { titleWords } from './sessionRows.ts';
import { ask, showInfo, showWarning } from '../notify/messages.ts';
import { showProgress } from '../notify/progress.ts';

export interface DeletingPorts {
  readonly conversations: Pick<Conversations, 'opened' | 'isRunning' | 'forget' | 'erasing'>;
  readonly history: () => Promise<History>;
  readonly drafts: Pick<Drafts, 'forget'>;
  readonly report: Report;
  /** The session is gone for ever: whoever shows it shows something else. */
  readonly onErased: (session: SessionId) => Promise<void>;
}

export async function moveToTrash(sessions: readonly SessionSummary[], ports: DeletingPorts): Promise<void> {
  const stopped = sessions.filter(({ id }) => ports.conversations.isRunning(id)).length;
  const { done, failed } = await forEach(sessions, ({ id }) => setTrashed(id, true, ports));
  if (failed.length > 0) void showWarning(failedWords('moved to the trash', failed, sessions.length));
  if (done.length === 0) return;
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void showInfo(trashedWords(done, stopped), 'Undo').then(async choice => {
    if (choice) await restore(done, ports);
  });
}

export async function restore(sessions: readonly SessionSummary[], ports: DeletingPorts): Promise<void> {
  const { failed } = await forEach(sessions, ({ id }) => setTrashed(id, false, ports));
  if (failed.length > 0) void showWarning(failedWords('restored', failed, sessions.length));
}

/** Who could delete a copy that an agent keeps itself. */
export interface ErasingPorts extends DeletingPorts {
  /** Those that are on this machine. */
  readonly agents: () => readonly string[];
  readonly agent: AgentById;
}

/** Asks what goes here, and whether agents shall delete what they keep. Gives those copies, or null for a no. */
export async function confirmErasing(
  sessions: readonly SessionSummary[],
  ports: ErasingPorts,
  isTrash = false,
): Promise<readonly AgentCopy[] | null> {
  const history = await ports.history();
  const copies = await askingAgents(() => copiesOf(sessions, ports.agents(), history, ports.agent));
  return confirmed(eraseQuestion(sessions, copies, isTrash), copies);
}

/** A person sees that agents are being reached. */
export function askingAgents(find: () => Promise<readonly AgentCopy[]>): Thenable<readonly AgentCopy[]> {
  return showProgress({ title: 'Asking agents what they keep', where: 'statusBar' }, find);
}

export async function confirmed(
  { text, detail, deleting, button }: EraseQuestion,
  copies: readonly AgentCopy[],
): Promise<readonly AgentCopy[] | null> {
  const buttons = deleting === null ? [button] : [button, deleting];
  const choice = await ask({ severity: 'warning', text, detail, buttons });
  if (choice === undefined) return null;
  return choice === deleting ? copies : [];
}

/** After they were erased: deletes the agents' copies of them, and tells what became of everything. */
export async function tellErased(
  done: readonly SessionSummary[],
  remaining: number,
  copies: readonly AgentCopy[],
): Promise<void> {
  const there = copiesAmong(copies, done);
  const failedThere = await deleteAt(there);
  const words = erasedWords(done, remaining, there, failedThere);
  void (failedThere.length > 0 ? showWarning(words) : showInfo(words));
}

/** Asks first. */
export async function erase(sessions: readonly SessionSummary[], ports: ErasingPorts, isTrash = false): Promise<void> {
  const copies = await confirmErasing(sessions, ports, isTrash);
  if (!copies) return;
  const history = await ports.history();
  // Another window may have restored some while the question stood here.
  const restored = await restoredOf(sessions, history);
  const meant = sessions.filter(({ id }) => !restored.has(id));
  let remaining = 0;
  const { done, failed } = await forEach(meant, async ({ id }) => {
    remaining += await eraseOne(id, ports);
  });
  if (failed.length > 0) void showWarning(failedWords('deleted', failed, sessions.length));
  if (restored.size > 0) void showInfo(restoredWords(restored.size));
  if (done.length > 0) await tellErased(done, remaining, copies);
}

/** Of it nothing is anywhere any more; whoever asked the person is somebody else. */
export async function eraseOne(session: SessionId, ports: DeletingPorts): Promise<number> {
  const { conversations, history, drafts, onErased } = ports;
  await (await openedOne(session, conversations))?.cancel();
  conversations.erasing.add(session);
  try {
    const { remaining } = await (await history()).erase(session);
    // First, so that the panel's last word on its draft finds nobody who keeps it.
    await drafts.forget(session);
    await onErased(session);
    await conversations.forget(session);
    return remaining;
  } finally {
    conversations.erasing.delete(session);
  }
}

/** One that is open here stops its answer and shows it; no other is opened for this. */
async function setTrashed(session: SessionId, on: boolean, ports: DeletingPorts): Promise<void> {
  const conversation = await openedOne(session, ports.conversations);
  if (conversation) return conversation.setTrashed(on);
  const history = await ports.history();
  await (on ? history.trash(session) : history.restore(session));
}

async function openedOne(session: SessionId, conversations: DeletingPorts['conversations']) {
  // One that could not be opened is told where somebody wants to see it.
  return conversations.opened(session)?.catch(() => undefined);
}

async function forEach(
  sessions: readonly SessionSummary[],
  run: (summary: SessionSummary) => Promise<void>,
): Promise<{ readonly done: readonly SessionSummary[]; readonly failed: readonly Failed[] }> {
  const done: SessionSummary[] = [];
  const failed: Failed[] = [];
  for (const summary of sessions) {
    try {
      await run(summary);
      done.push(summary);
    } catch (cause) {
      failed.push({ title: titleWords(summary), words: cause instanceof Error ? cause.message : String(cause) });
    }
  }
  return { done, failed };
}

/**
 * Those that were in the trash and are not any more: another window, or another part of this one, restored them while a person
 * was asked whether they shall go for ever, and who said yes did not mean those.
 */
export async function restoredOf(
  sessions: readonly SessionSummary[],
  history: Pick<History, 'sessions'>,
): Promise<ReadonlySet<SessionId>> {
  const trashed = sessions.flatMap(one => (one.trashed ? [one.id] : []));
  if (trashed.length === 0) return new Set();
  const now = await history.sessions({ ids: trashed });
  return new Set(now.flatMap(one => (one.trashed ? [] : [one.id])));
}
