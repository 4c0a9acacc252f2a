// The agent's answer to a prompt as the end of a turn. Responses are not validated by the SDK: an agent may answer
// anything, and every answer is an end with words.

import type { AgentError } from '../../core/agentError.ts';
import type { AgentAnswer } from '../../core/agentTurn.ts';
import type { Cost, StopReason, Usage } from '../../model/message.ts';
import { isAbort, type Redact } from './errors.ts';
import { countOf, fieldsOf, textOf } from './fields.ts';

const stopReasons: readonly string[] = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

export function answerOf(result: unknown, cost: Cost | null, redact: Redact): AgentAnswer {
  const fields = fieldsOf(result);
  const reason = fields?.['stopReason'];
  const usage = usageOf(fields?.['usage'], cost);
  const systemPrompt = textOf(fieldsOf(fieldsOf(fields?.['_meta'])?.['throughline'])?.['systemPrompt']);
  const rest = { ...(usage ? { usage } : {}), ...(systemPrompt ? { systemPrompt } : {}), agreed: true };
  if (typeof reason === 'string' && stopReasons.includes(reason)) return { reason: reason as StopReason, ...rest };
  const detail = `The agent ended with an answer that ACP does not know: ${redact(String(JSON.stringify(reason))).slice(0, 200)}`;
  return { reason: 'failed', detail, ...rest };
}

/**
 * After an error nobody can say what the agent kept of the turn, so it is never agreed; only an agent that says it
 * stopped, after it was asked to, ended as we did.
 */
export function failureOf(error: AgentError, wasCancelled: boolean): AgentAnswer {
  if (wasCancelled && error.code !== 'ended')
    return { reason: 'cancelled', detail: error.message, agreed: isAbort(error) };
  const signIn = error.code === 'sign-in' ? { needsSignIn: true } : {};
  const gone = error.code === 'ended' ? { isGone: true } : {};
  return { reason: 'failed', detail: error.message, agreed: false, ...signIn, ...gone };
}

function usageOf(value: unknown, cost: Cost | null): Usage | undefined {
  const fields = fieldsOf(value);
  const counts = {
    inputTokens: countOf(fields?.['inputTokens']),
    outputTokens: countOf(fields?.['outputTokens']),
    cachedTokens: countOf(fields?.['cachedReadTokens']),
    thoughtTokens: countOf(fields?.['thoughtTokens']),
  };
  const known = Object.entries(counts).filter(([, count]) => count !== undefined);
  if (known.length === 0 && !cost) return undefined;
  return { ...(Object.fromEntries(known) as Usage), ...(cost ? { cost } : {}) };
}
