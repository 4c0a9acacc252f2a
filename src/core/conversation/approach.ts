// Finds the rung from which the next prompt goes out, ahead where it can be asked for ahead. Promises: what the panel
// says the agent will know is never more than what is then found: where it is less, or nobody answers, the person is
// asked and nothing is sent meanwhile. What is found ahead is used only for the head and the agent that it was for.

import type { Continuity, Held, HeldChoice } from '../../model/agentState.ts';
import { agentErrorIn, type AgentError } from '../agents.ts';
import type { Clock } from '../ports.ts';
import { climb, continuityAhead, type Climb, type Rung } from './ladder.ts';

export interface ApproachPorts {
  readonly clock: Clock;
  readonly show: (continuity: Continuity) => void;
  /** Resolves with the person's choice; null withdraws the question. */
  readonly hold: (held: Held, signal: AbortSignal) => Promise<HeldChoice | null>;
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

  /** Asks the agent now, where only it knows what it remembers, so that the line is true before anything is sent. */
  prepare(way: Climb): void {
    if (this.ahead && isSame(this.ahead.way, way)) return;
    this.forget();
    const said = continuityAhead(way);
    const isAsked = said.kind === 'checking';
    this.ports.show(isAsked ? { kind: 'checking', asked: true } : said);
    if (!isAsked) return;
    const abort = new AbortController();
    const ahead: Ahead = { way, abort, found: climb(way, abort.signal) };
    this.ahead = ahead;
    ahead.found.then(
      rung => {
        if (this.ahead === ahead) this.ports.show(rung.continuity);
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
    this.ahead?.abort.abort();
    this.ahead = null;
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
      if (rank(found.continuity) >= rank(shown)) return found;
      const choice = await this.ports.hold({ kind: 'less', found: found.continuity }, signal);
      if (choice === 'transcript') return found;
      await found.session.close();
      if (choice !== 'retry') return null;
    }
  }

  private async tryOnce(way: Climb, signal: AbortSignal): Promise<Rung | HeldChoice> {
    const ahead = this.ahead && isSame(this.ahead.way, way) ? this.ahead : null;
    this.ahead = null;
    const abort = ahead?.abort ?? new AbortController();
    const onAbort = () => abort.abort();
    signal.addEventListener('abort', onAbort);
    const climbing = ahead?.found ?? climb(way, abort.signal);
    const asking = new AbortController();
    let forget = () => {};
    const hanging = new Promise<HeldChoice | null>(resolve => {
      forget = this.ports.clock.after(
        patience,
        () => void this.ports.hold({ kind: 'hangs' }, asking.signal).then(resolve),
      );
    });
    try {
      const first = await Promise.race([climbing, hanging]);
      if (first === null) return await climbing;
      if (typeof first !== 'string') return first;
      abort.abort();
      climbing.catch(() => {});
      return first;
    } catch (cause) {
      const error = agentErrorIn(cause);
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

/** A transcript would not help: nobody is there to get it. */
function leavesNoChoice({ code }: AgentError): boolean {
  return code === 'cannot-start' || code === 'sign-in' || code === 'cancelled';
}

function rank({ kind }: Continuity): number {
  return kind === 'remembers' ? 2 : kind === 'reseeded' ? 1 : 0;
}

function isSame(one: Climb, other: Climb): boolean {
  return (
    one.program === other.program &&
    one.fork === other.fork &&
    one.path.length === other.path.length &&
    one.path.at(-1)?.id === other.path.at(-1)?.id
  );
}
