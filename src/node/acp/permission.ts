// A permission that an agent asks for, from the wire and back to it. Promises: the agent's choices are shown as they are,
// in its order; only one of them is ever sent back as the choice, and everything else is `cancelled`.

import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { ToolCallChanges } from '../../core/agentTurn.ts';
import type { Permission, PermissionChoice } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';
import { fieldsOf, listOf, textOf } from './fields.ts';
import { changesOf } from './toolCall.ts';

export interface PermissionRequest {
  readonly sessionId: string;
  readonly callId: string | null;
  readonly changes: ToolCallChanges;
  readonly choices: readonly PermissionChoice[];
}

export function permissionRequestOf(params: unknown): PermissionRequest {
  const { sessionId, toolCall, options } = fieldsOf(params) ?? {};
  const call = fieldsOf(toolCall) ?? {};
  return {
    sessionId: textOf(sessionId) ?? '',
    callId: textOf(call['toolCallId']) ?? null,
    changes: changesOf(call),
    choices: eachOnce(listOf(options).flatMap(choiceOf)),
  };
}

/** `known` is what was said of the tool call before and with the question. */
export function permissionOf(id: string, request: PermissionRequest, known: ToolCallChanges): Permission {
  const { title = 'Tool call', tool = 'other', locations = [], output = [], input } = known;
  const { callId, choices } = request;
  const question = { id, callId: callId ?? id, title, tool, locations, output, choices };
  return input === undefined ? question : { ...question, input };
}

export function outcomeOf(request: PermissionRequest, choice: string | null): RequestPermissionResponse {
  return choice !== null && request.choices.some(({ id }) => id === choice)
    ? { outcome: { outcome: 'selected', optionId: choice } }
    : { outcome: { outcome: 'cancelled' } };
}

const kinds: readonly string[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

/** Two buttons with one id would give one answer, whatever they are called. */
function eachOnce(choices: readonly PermissionChoice[]): readonly PermissionChoice[] {
  return choices.filter((choice, at) => choices.findIndex(({ id }) => id === choice.id) === at);
}

function choiceOf(option: Json): readonly PermissionChoice[] {
  const { optionId, name, kind } = fieldsOf(option) ?? {};
  if (typeof optionId !== 'string') return [];
  const known = typeof kind === 'string' && kinds.includes(kind) ? (kind as PermissionChoice['kind']) : 'unknown';
  return [{ id: optionId, name: textOf(name) ?? optionId, kind: known }];
}
