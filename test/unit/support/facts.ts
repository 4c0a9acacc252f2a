// Facts and records for tests, as short as a test can read.

import type { Block, Json, Message, MessageEnd } from '../../../src/model/message.ts';
import { recordVersion, type Fact, type FieldName, type JournalRecord } from '../../../src/model/record.ts';

export const agentRef = { id: 'scripted', name: 'Scripted agent' };

export function sessionFact(session: string, created = 1000): Fact {
  return { type: 'session', session, created, agent: agentRef };
}

export function userFact(session: string, id: string, parent: string | null, text: string, created = 1000): Fact {
  return { type: 'message', session, message: userMessage(id, parent, text, created) };
}

export function userMessage(id: string, parent: string | null, text: string, created = 1000): Omit<Message, 'session'> {
  return {
    id,
    parent,
    role: 'user',
    created,
    blocks: [{ kind: 'text', mime: 'text/markdown', text }],
    end: { reason: 'end_turn', at: created },
  };
}

/** An answer that begins: what comes of it later are facts of their own. */
export function answerFact(session: string, id: string, parent: string | null, rest: Partial<Message> = {}): Fact {
  const message = { id, parent, role: 'assistant', created: 1000, agent: agentRef, blocks: [], ...rest } as const;
  return { type: 'message', session, message };
}

export function blockFact(session: string, message: string, at: number, block: Block): Fact {
  return { type: 'block', session, message, at, block };
}

export function textFact(session: string, message: string, at: number, offset: number, text: string): Fact {
  return { type: 'text', session, message, at, kind: 'text', mime: 'text/markdown', offset, text };
}

export function endFact(session: string, message: string, rest: Partial<MessageEnd> = {}): Fact {
  return { type: 'end', session, message, end: { reason: 'end_turn', at: 1000, ...rest } };
}

export function setFact(
  session: string,
  name: FieldName,
  value: Json,
  rest: { readonly of?: string; readonly from?: string } = {},
): Fact {
  return { type: 'set', session, name, value, ...rest };
}

export function record(
  n: number,
  facts: readonly Fact[],
  w = 'writer22',
  h = `${String(n).padStart(10, '0')}${w}`,
): JournalRecord {
  return { v: recordVersion, w, n, h, facts };
}
