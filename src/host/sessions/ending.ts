// The end of incognito sessions. Promises: nothing goes before a person read in a modal what will be gone and what the agent
// may keep; where the agent can delete its copy, that is offered, and it is said where that did not work; afterwards nothing
// of the session is here. One in which nothing was said ends without a question.

import type { SessionId } from '../../model/message.ts';
import { copiesOfOne, deleteAt, type AgentById } from './agentCopies.ts';
import { eraseOne, type DeletingPorts } from './deleting.ts';
import { endedWords, endQuestion } from './endingWords.ts';
import { ask, showInfo, showWarning } from '../notify/messages.ts';

export interface EndingPorts extends DeletingPorts {
  readonly agent: AgentById;
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
