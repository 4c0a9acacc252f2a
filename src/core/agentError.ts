// What goes wrong with an agent, with a code for the rules and words for a person. Promises: every failure of an agent
// that reaches the rules is one of these.

export type AgentErrorCode =
  | 'not-found'
  | 'not-supported'
  | 'invalid'
  | 'sign-in'
  | 'cannot-start'
  | 'ended'
  | 'cancelled'
  | 'other';

export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, words: string, cause?: unknown) {
    super(words, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * The agent's error that was thrown. Not by its class: what throws it may be a bundle of its own, with a class of the same
 * name.
 */
export function agentErrorIn(cause: unknown): AgentError | null {
  return cause instanceof Error && cause.name === 'AgentError' ? (cause as AgentError) : null;
}
