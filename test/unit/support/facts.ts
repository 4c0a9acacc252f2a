// Facts and records for tests, as short as a test can read.

import type { Message } from '../../../src/model/message.ts';
import { recordVersion, type Fact, type JournalRecord } from '../../../src/model/record.ts';

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

export function record(
  n: number,
  facts: readonly Fact[],
  w = 'writer22',
  h = `${String(n).padStart(10, '0')}${w}`,
): JournalRecord {
  return { v: recordVersion, w, n, h, facts };
}
