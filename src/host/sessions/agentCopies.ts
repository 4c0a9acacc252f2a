// What agents keep themselves of what is deleted here. Promises: an agent is asked whether it can delete before a person is
// asked whether it shall; all are asked at once, and one that can't be reached in time is one that offers no way; what could
// not be deleted there is told with why.

import type { AgentProgram, RunningAgent } from '../../core/agents.ts';
import { bindingOf } from '../../core/conversation/binding.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { History, SessionSummary, StoredSession } from '../../core/history/history.ts';

/** What one agent has. */
export interface AgentCopy {
  readonly name: string;
  readonly sessions: readonly Copied[];
  /** Null where it offers no way to delete them. */
  readonly running: Pick<RunningAgent, 'deleteSession'> | null;
}

export interface Copied {
  /** What the agent calls it. */
  readonly id: string;
  readonly of: SessionId;
}

export type AgentById = (id: string) => Promise<AgentProgram>;

/** For all agents together, while a person waits for the question. */
const patience = 20_000;

/** Of one session, by every agent that ever had it. */
export function copiesOfOne({ id: of, bindings }: Pick<StoredSession, 'id' | 'bindings'>, agent: AgentById) {
  const kept = new Map<string, Copied[]>();
  for (const { agent: by, agentSession: id } of bindings.flatMap(value => bindingOf(value) ?? []))
    kept.set(by, [...(kept.get(by) ?? []), { id, of }]);
  return asked(kept, agent);
}

/** The agent sessions that know messages of a branch; those of other branches are bound to other messages. */
export function boundIn(
  bindings: StoredSession['bindings'],
  branch: ReadonlySet<MessageId>,
): StoredSession['bindings'] {
  return bindings.filter(value => {
    const { from = null, head = null } = bindingOf(value) ?? {};
    return [from, head].some(id => id !== null && branch.has(id));
  });
}

/** Of several, by the agents that they were last had with and by these others. */
export async function copiesOf(
  sessions: readonly SessionSummary[],
  others: readonly string[],
  history: Pick<History, 'bound'>,
  agent: AgentById,
): Promise<readonly AgentCopy[]> {
  const meant = new Set(sessions.map(({ id }) => id));
  const kept = new Map<string, readonly Copied[]>();
  for (const id of new Set([...sessions.map(one => one.agent.id), ...others])) {
    const bound = [...(await history.bound(id))].flatMap(([theirs, of]) => (meant.has(of) ? [{ id: theirs, of }] : []));
    if (bound.length > 0) kept.set(id, bound);
  }
  return asked(kept, agent);
}

/** Each agent that could not delete all of it, with why. */
export async function deleteAt(copies: readonly AgentCopy[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, sessions, running } of copies) {
    let why: string | null = null;
    for (const { id } of sessions) {
      try {
        await running?.deleteSession(id, AbortSignal.timeout(patience));
      } catch (cause) {
        why ??= cause instanceof Error ? cause.message : String(cause);
      }
    }
    if (why !== null) failed.push(`${name}: ${why}`);
  }
  return failed;
}

/** Of these sessions only. */
export function copiesAmong(copies: readonly AgentCopy[], sessions: readonly SessionSummary[]): readonly AgentCopy[] {
  const meant = new Set(sessions.map(({ id }) => id));
  const some = copies.map(copy => ({ ...copy, sessions: copy.sessions.filter(({ of }) => meant.has(of)) }));
  return some.filter(copy => copy.sessions.length > 0);
}

export function canDelete({ running }: AgentCopy): boolean {
  return running !== null;
}

export function namesOf(copies: readonly AgentCopy[]): string {
  return copies.map(({ name }) => name).join(' and ');
}

async function asked(kept: ReadonlyMap<string, readonly Copied[]>, agent: AgentById): Promise<readonly AgentCopy[]> {
  const signal = AbortSignal.timeout(patience);
  const copies = [...kept].map(([id, sessions]) => copyAt(id, sessions, agent, signal));
  return (await Promise.all(copies)).filter(copy => copy !== null);
}

async function copyAt(
  id: string,
  sessions: readonly Copied[],
  agent: AgentById,
  signal: AbortSignal,
): Promise<AgentCopy | null> {
  const program = await agent(id).catch(() => null);
  if (program?.ref.id !== id) return { name: id, sessions, running: null };
  // It is given the path each time and keeps nothing; only its model, where it has one, is somewhere else.
  if (program.takesPath) return program.hasWindow ? { name: 'The model’s provider', sessions, running: null } : null;
  const running = await program.start(signal).catch(() => null);
  return { name: program.ref.name, sessions, running: running?.abilities.delete ? running : null };
}
