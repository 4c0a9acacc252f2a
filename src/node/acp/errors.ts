// Whatever a request to an agent failed with, as an AgentError with a code for programs and words for a person: the
// agent's own words where it has any, and how it died where it is gone.

import { RequestError } from '@agentclientprotocol/sdk';
import { AgentError, agentErrorIn, type AgentErrorCode } from '../../core/agentError.ts';
import type { AgentDeath } from '../../core/agents.ts';
import { fieldsOf, textOf } from './fields.ts';
import { plainText } from './plainText.ts';

const mostWords = 2000;

/** Takes the values of secrets out of what an agent says before it is stored, logged or shown. */
export type Redact = (text: string) => string;
/** For an agent in this process, which is given no secrets. */
export const redactNothing: Redact = text => text;

/** -32001 is no code of ACP, but agents say with it that a session is gone. */
const codes: { readonly [code: number]: AgentErrorCode } = {
  [-32000]: 'sign-in',
  [-32001]: 'not-found',
  [-32002]: 'not-found',
  [-32600]: 'invalid',
  [-32601]: 'not-supported',
  [-32602]: 'invalid',
  [-32800]: 'cancelled',
};

/** The cause isn't kept: it would have the agent's own words in it. */
export function agentErrorOf(cause: unknown, redact = redactNothing): AgentError {
  const known = agentErrorIn(cause);
  if (known) return known;
  const code = cause instanceof RequestError ? (codes[cause.code] ?? 'other') : 'other';
  return new AgentError(code, wordsOf(cause, redact));
}

/** The agent stopped because it was asked to, whatever it calls that. */
export function isAbort(error: AgentError): boolean {
  return error.code === 'cancelled' || (error.code === 'other' && /\babort|\bcancel|\binterrupt/i.test(error.message));
}

function wordsOf(cause: unknown, redact: Redact): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  // Many agents say "Internal error", and what it was in the data.
  const data = cause instanceof RequestError ? cause.data : undefined;
  const fields = fieldsOf(data);
  const details = textOf(data) ?? textOf(fields?.['details']) ?? textOf(fields?.['message']) ?? '';
  const said = details === '' || message.includes(details) ? message : `${message}: ${details}`;
  // Before it is cut: half of a secret would stay.
  const words = redact(plainText(said)).slice(0, mostWords);
  return words === '' ? 'The agent answered with an error that has no words.' : words;
}

/** For the log, which has no words of an agent: of an agent's error its code, of an error of our own all of it. */
export function kindOf(cause: unknown): string {
  const known = agentErrorIn(cause);
  if (known) return known.code;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
}

export function endedError(name: string, death: AgentDeath): AgentError {
  return new AgentError('ended', deathWords(name, death));
}

/** How an agent ended, with its exit code and the last that it said. */
export function deathWords(name: string, { code, signal, lastWords, unexpected }: AgentDeath): string {
  const how = signal !== null ? ` (${signal})` : code !== null ? ` (exit code ${code})` : '';
  const what = `${name} ${unexpected ? 'ended unexpectedly' : 'was ended'}${how}.`;
  return lastWords === '' ? what : `${what} The last that it said:\n${lastWords}`;
}
