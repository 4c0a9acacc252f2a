// Finds the rung from which the next prompt goes out, ahead where it can be asked for ahead. Promises: what the panel
// says the agent will know is never more than what is then found: where it is less, or nobody answers, the person is
// asked and nothing is sent meanwhile. What is found ahead is used only for a request that is the same in all that matters.

import type { Continuity, HeldChoice } from '../../model/agentState.ts';
import { agentErrorIn, type AgentError } from '../agentError.ts';
import type { AgentSession } from '../agents.ts';
import type { Clock } from '../ports.ts';
import { signIn, type SignInPorts } from './signIn.ts';
import { budgetOf, climb, continuityAhead, given, isFree, type Climb, type Rung } from './ladder.ts';

export interface ApproachPorts extends SignInPorts {
  readonly clock: Clock;
  readonly show: (continuity: Continuity) => void;
  /** A session was found ahead: what it can be set to is known now. */
  readonly onFound: (session: AgentSession) => void;
}

/** After so long a person is told that the agent does not answer. */
const patience = 10_000;

interface Ahead {
  readonly way: Climb;
  readonly abort: AbortController;
  readonly found: Promise<Rung>;
}

export class Approach {
  private ahead: Ahead | null = null;
  private readonly ports: ApproachPorts;

  constructor(ports: ApproachPorts) {
    this.ports = ports;
  }

  /**
   * Asks the agent now, where only it knows what it remembers, so that the line is true before anything is sent. An agent
   * that the person has to agree to first is not started: they did not send anything yet, so nobody is asked.
   */
  prepare(way: Climb, asksFirst = false): void {
    if (this.ahead && isSame(this.ahead.way, way)) return;
    this.forget();
    const said = continuityAhead(way);
    if (asksFirst) return this.ports.show(said);
    // A new session is opened ahead too: the agent is warm, and can be set to what the person wants, before the first words.
    // One that is given the path needs a session too, and only that says which models there are.
    const isNew = said.kind === 'fresh' || (way.program.takesPath && !way.live);
    if (said.kind !== 'checking' && !isNew) return this.ports.show(said);
    this.ports.show(said.kind === 'checking' ? { kind: 'checking', asked: true } : said);
    const abort = new AbortController();
    const ahead: Ahead = { way, abort, found: climb(way, abort.signal) };
    this.ahead = ahead;
    ahead.found.then(
      rung => {
        if (this.ahead !== ahead) return;
        this.ports.show(rung.continuity);
        this.ports.onFound(rung.session);
      },
      () => {
        // It is asked again when something is sent, and told then.
        if (this.ahead !== ahead) return;
        this.ahead = null;
        this.ports.show(continuityAhead({ ...way, bindings: [] }));
      },
    );
  }

  /** What was found ahead is for another head, or another agent. */
  forget(): void {
    const { ahead } = this;
    this.ahead = null;
    if (!ahead) return;
    ahead.abort.abort();
    // One that was opened and never used is not left lying in the agent.
    ahead.found.then(
      rung => rung.session.close(),
      () => {},
    );
  }

  /** Null where the person chose not to send. Throws AgentError where the agent cannot be reached. */
  async find(way: Climb, shown: Continuity, signal: AbortSignal): Promise<Rung | null> {
    for (let now = way; ;) {
      const found = await this.tryOnce(now, signal);
      if (found === 'cancel') return null;
      if (found === 'retry') continue;
      if (found === 'transcript') {
        now = { ...way, bindings: [] };
        continue;
      }
      if (!('session' in found)) return null;
      if (rank(found.continuity) >= rank(shown)) return found;
      this.ports.show(found.continuity);
      const choice = await this.ports.hold({ kind: 'less', found: found.continuity }, signal);
      if (choice === 'transcript') return found;
      await found.session.close();
      if (choice !== 'retry') return null;
    }
  }

  private async tryOnce(way: Climb, signal: AbortSignal): Promise<Rung | HeldChoice> {
    const ahead = this.ahead && isSame(this.ahead.way, way) ? this.ahead : null;
    if (ahead) this.ahead = null;
    else this.forget();
    const abort = ahead?.abort ?? new AbortController();
    const onAbort = () => abort.abort();
    signal.addEventListener('abort', onAbort);
    const climbing = ahead ? stillThere(ahead, abort.signal) : climb(way, abort.signal);
    const asking = new AbortController();
    let forget = () => {};
    const hanging = new Promise<HeldChoice | null>(resolve => {
      const wait = () => {
        forget = this.ports.clock.after(patience, () => {
          // It waits for the person, and not they for it.
          if (way.program.isAsking?.()) wait();
          else void this.ports.hold({ kind: 'hangs' }, asking.signal).then(resolve);
        });
      };
      wait();
    });
    try {
      const first = await Promise.race([climbing, hanging]);
      if (first === null) return await climbing;
      if (typeof first === 'object' && 'session' in first) return first;
      abort.abort();
      climbing.catch(() => {});
      return first;
    } catch (cause) {
      const error = agentErrorIn(cause);
      if (error?.code === 'sign-in') return signIn(way.program, error, this.ports, signal);
      if (!error || leavesNoChoice(error) || way.bindings.length === 0) throw cause;
      const choice = await this.ports.hold({ kind: 'failed', words: error.message }, signal);
      return choice ?? 'cancel';
    } finally {
      forget();
      asking.abort();
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** An agent that was stopped meanwhile, as an idle one is, has no session any more. */
async function stillThere({ way, found }: Ahead, signal: AbortSignal): Promise<Rung> {
  const rung = await found;
  const agent = await way.program.start(signal);
  if (agent.session(rung.session.id) !== rung.session) return climb(way, signal);
  // Another model may have been chosen since, which takes less.
  const { takesPath } = way.program;
  return takesPath ? { ...rung, continuity: given(way, rung.session.contextWindow) } : rung;
}

/** A transcript would not help: nobody is there to get it. */
function leavesNoChoice({ code }: AgentError): boolean {
  return code === 'cannot-start' || code === 'cancelled';
}

function rank({ kind }: Continuity): number {
  return kind === 'remembers' ? 2 : kind === 'reseeded' ? 1 : 0;
}

/**
 * What decides which session is found and what it is told; what was found ahead is used for the same request only. The
 * compiler wants every field of a request to be judged here. Null for one that decides nothing by itself.
 */
const decisive: { readonly [field in keyof Required<Climb>]: ((way: Climb) => unknown) | null } = {
  program: ({ program }) => program,
  place: ({ place }) => JSON.stringify(place),
  // A message without an end may grow.
  path: ({ path }) => path.map(({ id, end }) => (end ? id : `${id}…`)).join(),
  bindings: way => JSON.stringify(way.bindings.map(binding => [binding, isFree(binding, way)])),
  // The session that was found ahead is the live one from then on.
  live: null,
  writer: ({ writer }) => writer,
  // It decides which bindings are free.
  alive: null,
  fork: ({ fork }) => fork,
  // It decides the usual budget.
  contextWindow: null,
  budget: way => (way.program.takesPath ? null : JSON.stringify(budgetOf(way))),
};

function isSame(one: Climb, other: Climb): boolean {
  return Object.values(decisive).every(of => of === null || of(one) === of(other));
}
