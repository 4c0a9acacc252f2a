// The end of incognito sessions. Promises: nothing goes before a person read in a modal what will be gone and what the agent
// may keep; where the agent can delete its copy, that is offered, and it is said where that did not work; afterwards nothing
// of the session is here. One in which nothing was said ends without a question.

import type { SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import { canDelete, copiesOfOne, deleteAt, namesOf, type AgentById, type AgentCopy } from './agentCopies.ts';
import { eraseOne, type DeletingPorts } from './deleting.ts';
import { counted } from './sessionRows.ts';
import { ask, showInfo, showWarning } from '../notify/messages.ts';

export interface EndingPorts extends DeletingPorts {
  readonly agent: AgentById;
}

interface EndQuestion {
  readonly text: string;
  readonly detail: readonly string[];
  /** The button that deletes the agents' copies too; null where no agent can. */
  readonly deleting: string | null;
  readonly ending: string;
}

export async function endIncognito(sessions: readonly SessionId[], ports: EndingPorts): Promise<void> {
  for (const session of sessions) await endOne(session, ports);
}

async function endOne(session: SessionId, ports: EndingPorts): Promise<void> {
  const stored = await (await ports.history()).open(session);
  if (!stored) return void (await eraseOne(session, ports));
  const copies = await copiesOfOne(stored, ports.agent);
  const { text, detail, deleting, ending } = endQuestion(stored, copies);
  const buttons = deleting === null ? [ending] : [deleting, ending];
  const choice = await ask({ severity: 'warning', text, detail, buttons });
  if (choice === undefined) return;
  // What is still being said must not come back to the agent after it was deleted there.
  await (await ports.conversations.opened(session)?.catch(() => undefined))?.cancel();
  const failed = choice === deleting ? await deleteAt(copies) : [];
  await eraseOne(session, ports);
  const words = endedWords(choice === deleting ? copies : [], failed);
  void (failed.length > 0 ? showWarning(words) : showInfo(words));
}

function endQuestion({ messages }: Pick<SessionSummary, 'messages'>, copies: readonly AgentCopy[]): EndQuestion {
  const gone = `${counted(messages, 'message')} on all branches will be gone. Nothing of it was kept here, so this cannot be undone.`;
  const [can, cannot] = [copies.filter(canDelete), copies.filter(copy => !canDelete(copy))];
  const deletable = can.length > 0 ? `${namesOf(can)} can delete the copy that it keeps itself.` : '';
  const rest = cannot.length > 0 ? `${namesOf(cannot)} may keep a copy, and offers no way to delete it from here.` : '';
  return {
    text: 'End this incognito session?',
    detail: [gone, deletable, rest].filter(Boolean),
    deleting: can.length > 0 ? `End and Delete at ${namesOf(can)}` : null,
    ending: can.length > 0 ? 'End Only' : 'End Session',
  };
}

function endedWords(deleted: readonly AgentCopy[], failed: readonly string[]): string {
  const [first] = failed;
  if (first !== undefined) return `The incognito session ended here. The agent’s copy could not be deleted. ${first}`;
  const there = deleted.filter(canDelete);
  const also = there.length > 0 ? `, and ${namesOf(there)} deleted its copy` : '';
  return `The incognito session ended${also}.`;
}
