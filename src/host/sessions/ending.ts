// The end of incognito sessions. Promises: nothing goes before a person read in a modal what will be gone and what the agent
// may keep; where the agent can delete its copy, that is offered, and it is said where that did not work; afterwards nothing
// of the session is here. One in which nothing was said ends without a question.

import { window } from 'vscode';
import { bindingOf } from '../../core/conversation/binding.ts';
import type { AgentProgram, RunningAgent } from '../../core/agents.ts';
import type { SessionId } from '../../model/message.ts';
import { eraseOne, type DeletingPorts } from './deleting.ts';
import { endedWords, endQuestion } from './endingWords.ts';

export interface EndingPorts extends DeletingPorts {
  readonly agent: (id: string) => Promise<AgentProgram>;
}

/** What one agent has of the session. */
export interface AgentCopy {
  readonly name: string;
  readonly sessions: readonly string[];
  /** Null where it offers no way to delete it. */
  readonly running: Pick<RunningAgent, 'deleteSession'> | null;
}

const patience = 20_000;

export async function endIncognito(sessions: readonly SessionId[], ports: EndingPorts): Promise<void> {
  for (const session of sessions) await endOne(session, ports);
}

async function endOne(session: SessionId, ports: EndingPorts): Promise<void> {
  const stored = await (await ports.history()).open(session);
  if (!stored) return void (await eraseOne(session, ports));
  const copies = await copiesOf(
    stored.bindings.flatMap(value => bindingOf(value) ?? []),
    ports,
  );
  const { message, detail, deleting, ending } = endQuestion(stored, copies);
  const buttons = deleting === null ? [ending] : [deleting, ending];
  const choice = await window.showWarningMessage(message, { modal: true, detail }, ...buttons);
  if (choice === undefined) return;
  // What is still being said must not come back to the agent after it was deleted there.
  await (await ports.conversations.opened(session)?.catch(() => undefined))?.cancel();
  const failed = choice === deleting ? await deleteAt(copies) : [];
  await eraseOne(session, ports);
  const words = endedWords(choice === deleting ? copies : [], failed);
  void (failed.length > 0 ? window.showWarningMessage(words) : window.showInformationMessage(words));
}

/** An agent that cannot be reached any more is one that offers no way. */
async function copiesOf(
  bindings: readonly { readonly agent: string; readonly agentSession: string }[],
  { agent }: EndingPorts,
): Promise<readonly AgentCopy[]> {
  const copies: AgentCopy[] = [];
  for (const id of new Set(bindings.map(binding => binding.agent))) {
    const sessions = bindings.flatMap(binding => (binding.agent === id ? [binding.agentSession] : []));
    const program = await agent(id).catch(() => null);
    // It is given the path each time and keeps nothing; only its model, where it has one, is somewhere else.
    if (program?.ref.id === id && program.takesPath) {
      if (program.hasWindow) copies.push({ name: 'The model’s provider', sessions, running: null });
      continue;
    }
    if (program?.ref.id !== id) {
      copies.push({ name: id, sessions, running: null });
      continue;
    }
    const running = await program.start(AbortSignal.timeout(patience)).catch(() => null);
    copies.push({ name: program.ref.name, sessions, running: running?.abilities.delete ? running : null });
  }
  return copies;
}

/** The names of the agents that could not delete all of it, with why. */
async function deleteAt(copies: readonly AgentCopy[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, sessions, running } of copies) {
    try {
      for (const one of sessions) await running?.deleteSession(one, AbortSignal.timeout(patience));
    } catch (cause) {
      failed.push(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  return failed;
}
