// The sessions that an agent keeps itself, for a person to continue one of them here. Promises: what is asked of the agent
// ends with the person's cancel, and after a while by itself, in words; a session is brought in whole, once, or not at all,
// whatever the agent does meanwhile; one that is here already is opened as it is here.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, agentErrorIn } from '../../core/agentError.ts';
import type { AgentPlace, AgentProgram, ListedSession, ReplayedPart, RunningAgent } from '../../core/agents.ts';
import { broughtInFacts } from '../../core/conversation/broughtIn.ts';
import type { History } from '../../core/history/history.ts';
import { historyErrorIn } from '../../core/history/historyError.ts';
import type { SessionId } from '../../model/message.ts';
import { idFrom, messageIdLength, sessionIdLength } from '../../node/ids.ts';

export interface AgentSessionsPorts {
  readonly program: AgentProgram;
  readonly place: AgentPlace;
  readonly history: History;
  readonly now: () => number;
}

export interface OfferedSession extends ListedSession {
  /** The one of ours that it is bound to. */
  readonly here: SessionId | null;
}

export interface OfferedPage {
  readonly sessions: readonly OfferedSession[];
  readonly next: string | null;
}

/** Milliseconds. */
export const patience = { list: 30_000, load: 120_000 };

/** Those of the folder, the page that begins at the cursor. Throws AgentError, in words for a person. */
export async function offered(
  { program, place, history }: AgentSessionsPorts,
  cursor: string | null,
  signal: AbortSignal,
): Promise<OfferedPage> {
  const within = limited(signal, patience.list);
  const { name, id } = program.ref;
  try {
    const agent = await program.start(within);
    mustBeAble(agent, name);
    const { sessions, next } = await agent.listSessions(place.cwd, cursor, within);
    const bound = await history.bound(id);
    const ofFolder = sessions.filter(({ cwd }) => place.cwd === null || isSameFolder(cwd, place.cwd));
    const known = ofFolder.map(one => ({ ...one, here: bound.get(one.id) ?? null }));
    return { sessions: known.toSorted((one, other) => (other.updated ?? 0) - (one.updated ?? 0)), next };
  } catch (cause) {
    throw timely(cause, signal, within, `${name} did not say which sessions it keeps within half a minute.`);
  }
}

/** Gives the session of this history that it is from now on. Throws AgentError and HistoryError. */
export async function broughtIn(
  listed: OfferedSession,
  { program, place, history, now }: AgentSessionsPorts,
  signal: AbortSignal,
): Promise<SessionId> {
  const { ref } = program;
  const known = (await history.bound(ref.id)).get(listed.id);
  if (known !== undefined) return known;
  const within = limited(signal, patience.load);
  const parts: ReplayedPart[] = [];
  try {
    const agent = await program.start(within);
    mustBeAble(agent, ref.name);
    // Nothing of ours goes on with it: it was left open by a session that was deleted.
    await agent.session(listed.id)?.close();
    const { session } = await agent.loadSession(listed.id, place, within, part => parts.push(part));
    try {
      return await kept(listed, parts, { program, place, history, now });
    } catch (cause) {
      await session.close();
      throw cause;
    }
  } catch (cause) {
    throw timely(cause, signal, within, `${ref.name} did not load this session within two minutes.`);
  }
}

async function kept(
  listed: ListedSession,
  parts: readonly ReplayedPart[],
  { program: { ref }, place, history, now }: AgentSessionsPorts,
): Promise<SessionId> {
  for (let generation = 0; ; generation++) {
    const session = idFrom(`agent ${generation} ${ref.id} ${listed.id}`, sessionIdLength);
    const facts = broughtInFacts(parts, {
      session,
      agent: ref,
      listed,
      cwd: place.cwd,
      writer: history.writer,
      now: now(),
      messageId: at => idFrom(`${session} ${at}`, messageIdLength),
    });
    if (!facts)
      throw new AgentError('other', `${ref.name} played nothing back of this session, so there is nothing to show.`);
    try {
      await history.append(session, facts);
      return session;
    } catch (cause) {
      const code = historyErrorIn(cause)?.code;
      // Another window was faster; or what was brought in before was deleted permanently, or cut loose from the agent.
      if (code === 'exists' && (await history.bound(ref.id)).get(listed.id) === session) return session;
      if (code !== 'erased' && code !== 'exists') throw cause;
    }
  }
}

function mustBeAble({ abilities }: RunningAgent, name: string): void {
  if (!abilities.list) throw new AgentError('not-supported', `${name} does not say which sessions it keeps.`);
  if (!abilities.load) throw new AgentError('not-supported', `${name} cannot load a session that it keeps.`);
}

function limited(signal: AbortSignal, milliseconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
}

function timely(cause: unknown, signal: AbortSignal, within: AbortSignal, words: string): unknown {
  const isOver = within.aborted && !signal.aborted && agentErrorIn(cause)?.code === 'cancelled';
  return isOver ? new AgentError('other', words, cause) : cause;
}

function isSameFolder(one: string, other: string): boolean {
  return one === other || real(one) === real(other);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is not there, or may not be looked at: then its name is all that is known.
    return resolve(path);
  }
}
