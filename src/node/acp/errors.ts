// Whatever a request to an agent failed with, as an AgentError with a code for programs and words for a person: the
// agent's own words where it has any, and how it died where it is gone.

import { RequestError } from '@agentclientprotocol/sdk';
import { AgentError, agentErrorIn, type AgentErrorCode } from '../../core/agentError.ts';
import type { AgentDeath } from '../../core/agents.ts';
import { fieldsOf, textOf } from './fields.ts';
import { plainText } from './plainText.ts';

const mostWords = 2000;

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

export function agentErrorOf(cause: unknown): AgentError {
  const known = agentErrorIn(cause);
  if (known) return known;
  if (!(cause instanceof RequestError)) return new AgentError('other', wordsOf(cause), cause);
  return new AgentError(codes[cause.code] ?? 'other', wordsOf(cause), cause);
}

/** The agent stopped because it was asked to, whatever it calls that. */
export function isAbort(error: AgentError): boolean {
  return error.code === 'cancelled' || (error.code === 'other' && /\babort|\bcancel|\binterrupt/i.test(error.message));
}

function wordsOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  // Many agents say "Internal error", and what it was in the data.
  const data = cause instanceof RequestError ? cause.data : undefined;
  const fields = fieldsOf(data);
  const details = textOf(data) ?? textOf(fields?.['details']) ?? textOf(fields?.['message']) ?? '';
  const said = details === '' || message.includes(details) ? message : `${message}: ${details}`;
  const words = plainText(said).slice(0, mostWords);
  return words === '' ? 'The agent answered with an error that has no words.' : words;
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
