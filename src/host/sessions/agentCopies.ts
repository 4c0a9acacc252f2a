// What agents keep themselves of sessions that are deleted here. Promises: an agent is asked whether it can delete before a
// person is asked whether it shall; one that cannot be reached is one that offers no way; what could not be deleted there is
// told with why, and nothing here waits for it any longer than a person would.

import type { AgentProgram, RunningAgent } from '../../core/agents.ts';
import { bindingOf } from '../../core/conversation/binding.ts';
import type { SessionId } from '../../model/message.ts';
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

const patience = 20_000;

/** Of one session, by every agent that ever had it. */
export function copiesOfOne({ id: of, bindings }: Pick<StoredSession, 'id' | 'bindings'>, agent: AgentById) {
  const kept = new Map<string, Copied[]>();
  for (const { agent: by, agentSession: id } of bindings.flatMap(value => bindingOf(value) ?? []))
    kept.set(by, [...(kept.get(by) ?? []), { id, of }]);
  return asked(kept, agent);
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
  const copies: AgentCopy[] = [];
  for (const [id, sessions] of kept) {
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
