// What the handlers of an agent's requests may reach: the turn that runs in the session that the request names. Promises:
// where no turn runs there is nobody to ask, so a permission is refused and a question is cancelled; a question about the
// agent as a whole, as while a person signs in, goes to whoever started that.

import type { AgentUpdate } from '../../core/agentTurn.ts';
import type { AskPerson } from '../../core/agents.ts';
import type { FileWrite } from '../../core/files.ts';
import type { Elicitation, ElicitationAnswer, Permission } from '../../model/agentState.ts';
import type { OpenSessions } from './openSessions.ts';
import type { SessionTerminals } from './terminals/sessionTerminals.ts';
import { waitFor } from './waitFor.ts';

export interface AgentDesk {
  /** The id of the person's choice. */
  ask(session: string, permission: Permission, signal: AbortSignal): Promise<string | null>;
  /** Null is the agent as a whole. */
  elicit(session: string | null, elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  wrote(session: string, write: FileWrite): void;
  /** As if the agent had said it. */
  say(session: string, update: AgentUpdate): void;
  /** Null where there is no such session. */
  terminals(session: string): SessionTerminals | null;
}

interface Asker {
  readonly ask: AskPerson;
  /** What was begun with it is over. */
  readonly over: AbortSignal;
}

const nobody: ElicitationAnswer = { action: 'cancel' };

export class SessionsDesk implements AgentDesk {
  private readonly sessions: OpenSessions;
  private readonly onTrouble: (cause: unknown) => void;
  private readonly askers: Asker[] = [];

  constructor(sessions: OpenSessions, onTrouble: (cause: unknown) => void) {
    this.sessions = sessions;
    this.onTrouble = onTrouble;
  }

  async ask(session: string, permission: Permission, signal: AbortSignal): Promise<string | null> {
    return (await this.sessions.get(session)?.askPerson(desk => desk.ask, permission, signal)) ?? null;
  }

  async elicit(session: string | null, elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    if (session === null) return this.elicitWhereBegun(elicitation, signal);
    return (await this.sessions.get(session)?.askPerson(desk => desk.elicit, elicitation, signal)) ?? nobody;
  }

  wrote(session: string, write: FileWrite): void {
    this.sessions.get(session)?.wrote(write);
  }

  say(session: string, update: AgentUpdate): void {
    this.sessions.get(session)?.say(update);
  }

  terminals(session: string): SessionTerminals | null {
    return this.sessions.get(session)?.terminals ?? null;
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

  private async elicitWhereBegun(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
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
}
