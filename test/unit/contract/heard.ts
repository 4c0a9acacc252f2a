// An answer as its wire tells it, by an account of its own: which blocks begin where, and the texts whole; and the same of
// an answer as history has it, to be held against it.

import type { Block } from '../../../src/model/message.ts';
import type { Fields, Passed, Wire } from './wire.ts';

/** The kind of a block, and its words or what it is about. */
export type Mark = readonly [kind: string, what: string];

export function heardOn({ passed }: Wire): readonly Mark[] {
  const marks: Mark[] = [];
  let lastMessage: unknown;
  for (const message of passed.filter(one => one.from === 'agent')) {
    const { kind, words, messageId } = toldIn(message);
    const last = marks.at(-1);
    if (kind === 'text' || kind === 'thought') {
      if (last?.[0] === kind && lastMessage === messageId) marks[marks.length - 1] = [kind, last[1] + words];
      else marks.push([kind, words]);
      lastMessage = messageId;
    } else if (kind !== '' && !marks.some(([one, what]) => one === kind && what === words)) marks.push([kind, words]);
  }
  return marks;
}

function toldIn({ method, params }: Passed): { kind: string; words: string; messageId?: unknown } {
  const update = (method === 'session/update' ? params?.['update'] : {}) as Fields;
  const call = method === 'session/request_permission' ? (params?.['toolCall'] as Fields) : update;
  const { text = '' } = (update['content'] ?? {}) as { readonly text?: string };
  const { messageId } = update;
  const callId = String(call['toolCallId']);
  switch (update['sessionUpdate'] ?? method) {
    case 'agent_message_chunk':
      return { kind: text === '' ? '' : 'text', words: text, messageId };
    case 'agent_thought_chunk':
      return { kind: text === '' ? '' : 'thought', words: text, messageId };
    case 'tool_call':
    case 'tool_call_update':
    case 'session/request_permission':
      return { kind: 'toolCall', words: callId };
    case 'plan':
      return { kind: 'plan', words: '' };
    default:
      return { kind: '', words: '' };
  }
}

export function markOf(block: Block): readonly Mark[] {
  switch (block.kind) {
    case 'text':
    case 'thought':
      return [[block.kind, block.text]];
    case 'toolCall':
      return [[block.kind, block.callId]];
    case 'plan':
      return [[block.kind, '']];
    default:
      return [];
  }
}
