// What the handlers of an agent's requests may reach: the turn in which the request came, and for a question about the
// agent as a whole, as while a person signs in, whoever started that.

import type { AskPerson } from '../../core/agents.ts';
import type { FileTurn } from '../../core/files.ts';
import type { Elicitation, ElicitationAnswer } from '../../model/agentState.ts';
import type { SessionTerminals } from './terminals/sessionTerminals.ts';
import { waitFor } from './waitFor.ts';

/** The turn that ran when the request arrived. It stays this one, also where the next has begun meanwhile. */
export interface AgentTurn extends FileTurn {
  readonly terminals: SessionTerminals;
  elicit(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** To be called right before something is done. Throws a refusal where the turn was stopped or is over by now. */
  expectRunning(): void;
}

export interface AgentDesk {
  /** About the agent as a whole. */
  elicit(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
}

interface Asker {
  readonly ask: AskPerson;
  /** What was begun with it is over. */
  readonly over: AbortSignal;
}

const nobody: ElicitationAnswer = { action: 'cancel' };

export class SignInDesk implements AgentDesk {
  private readonly onTrouble: (cause: unknown) => void;
  private readonly askers: Asker[] = [];

  constructor(onTrouble: (cause: unknown) => void) {
    this.onTrouble = onTrouble;
  }

  async elicit(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    const asker = this.askers.at(-1);
    if (!asker) return nobody;
    const until = AbortSignal.any([signal, asker.over]);
    try {
      return await waitFor(asker.ask(elicitation, until), until);
    } catch (cause) {
      // Whoever asks may have trouble of its own; the agent is not told of it.
      if (!until.aborted) this.onTrouble(cause);
      return nobody;
    }
  }

  /** While this runs, what the agent asks without naming a session is asked here, and not longer. */
  async withAsker<Result>(ask: AskPerson, run: () => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const asker = { ask, over: over.signal };
    this.askers.push(asker);
    try {
      return await run();
    } finally {
      this.askers.splice(this.askers.indexOf(asker), 1);
      over.abort();
    }
  }
}
