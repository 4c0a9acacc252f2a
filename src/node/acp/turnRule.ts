// The one rule about what an agent may ask of this client, and when: writing, running commands and asking the user belong
// to a running turn of the session that the request names, reading to an open session. It is applied where requests
// arrive, in wire order, before any handler sees them.

import { RequestError, type CLIENT_METHODS } from '@agentclientprotocol/sdk';

/** `question`: after Stop, the protocol wants it answered as cancelled and not as an error. */
type Need = 'running turn' | 'question' | 'session' | 'nothing';

export interface Standing {
  /** It is open, or is being opened. */
  readonly isKnown: boolean;
  /** `stopped`: the user stopped it, and the agent has not answered its prompt yet. */
  readonly turn: 'running' | 'stopped' | 'none';
}

type ClientMethod = (typeof CLIENT_METHODS)[keyof typeof CLIENT_METHODS];

const needs: ReadonlyMap<string, Need> = new Map(
  Object.entries({
    'fs/write_text_file': 'running turn',
    'terminal/create': 'running turn',
    'session/request_permission': 'question',
    'elicitation/create': 'question',
    // Agents read while they load a session.
    'fs/read_text_file': 'session',
    // A terminal is known to the session that made it and to no other, and may outlive the turn.
    'terminal/output': 'nothing',
    'terminal/wait_for_exit': 'nothing',
    'terminal/kill': 'nothing',
    'terminal/release': 'nothing',
    // Notifications.
    'session/update': 'nothing',
    'elicitation/complete': 'nothing',
  } satisfies Record<ClientMethod, Need>),
);

/** Why the agent may not ask for this now, in words for the agent; null where it may. */
export function refusalOf(method: string, session: string, { isKnown, turn }: Standing): string | null {
  const need = needs.get(method) ?? 'nothing';
  if (need === 'nothing') return null;
  if (!isKnown) return `There is no session “${session}”.`;
  if (need === 'session') return null;
  if (turn === 'none') return noTurn;
  return need === 'running turn' && turn === 'stopped' ? turnStopped : null;
}

export const noTurn = 'No turn is running in this session.';
export const turnStopped = 'The user stopped this turn.';

export function refusal(words: string): RequestError {
  return new RequestError(-32602, words);
}
