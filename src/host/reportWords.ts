// The words of errors: one line for the log, one sentence for the person. Neither has the value of a secret in it, and the
// log has no words of a conversation.

import type { Redact } from '../node/acp/errors.ts';
import { agentErrorIn } from '../core/agentError.ts';

export function logLine(what: string, cause: unknown, redact: Redact): string {
  return redact(`${what} ${detailOf(cause)}`);
}

export function shownLine(what: string, cause: unknown, redact: Redact): string {
  return redact(cause instanceof Error ? `${what} ${cause.message}` : what);
}

/** Of an agent's failure only its kind: its words are the agent's, which may say again what was said to it. */
function detailOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `(${typeof cause})`;
  const agents = agentErrorIn(cause);
  if (agents) return `[${agents.name}] ${agents.code}`;
  const inner = cause.cause === undefined ? '' : `: ${detailOf(cause.cause)}`;
  return `[${cause.name}] ${cause.message}${inner}`;
}
