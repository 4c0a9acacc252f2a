// Tries an agent as it would be started now, in a process of its own that ends with the trial. Promises: it is visible and
// can be stopped; a session that was begun for it is closed again.

import { AgentError } from '../../../core/agentError.ts';
import type { AgentPlace, AgentProgram, RunningAgent } from '../../../core/agents.ts';
import { showProgress } from '../../notify/progress.ts';

export interface Tried {
  readonly running: Pick<RunningAgent, 'called' | 'abilities'>;
  /** What can be chosen of it, by the names it gives. */
  readonly choices: readonly string[];
}

/** One that says nothing for so long does not answer. */
const patience = 60_000;

/** Undefined where the person stopped it. Throws AgentError. */
export function tryAgent(program: AgentProgram, session: AgentPlace | null): Promise<Tried | undefined> {
  const title = `Trying ${program.ref.name}…`;
  return showProgress({ title, cancellable: true }, async (_report, stopped) => {
    const late = AbortSignal.timeout(patience);
    try {
      return await tried(program, session, AbortSignal.any([stopped, late]));
    } catch (cause) {
      if (stopped.aborted) return undefined;
      if (!late.aborted) throw cause;
      throw new AgentError('other', `${program.ref.name} said nothing for ${patience / 1000} seconds.`, cause);
    } finally {
      await program.stop();
    }
  });
}

async function tried(program: AgentProgram, place: AgentPlace | null, signal: AbortSignal): Promise<Tried> {
  const running = await program.start(signal);
  const { called, abilities } = running;
  if (!place) return { running: { called, abilities }, choices: [] };
  const session = await running.newSession(place, signal);
  const choices = session.options.map(({ name }) => name);
  if (abilities.delete) await running.deleteSession(session.id, signal);
  else await session.close();
  return { running: { called, abilities }, choices };
}
