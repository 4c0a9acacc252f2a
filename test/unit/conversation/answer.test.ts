// How updates become blocks, and which facts they leave.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble } from '../../../src/core/history/assemble.ts';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import type { Block } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { GrowingAnswer } from '../support/growingAnswer.ts';
import { randomFrom } from '../support/random.ts';

const text = (words: string, messageId?: string): AgentUpdate => ({
  type: 'text',
  text: words,
  ...(messageId ? { messageId } : {}),
});
const thought = (words: string): AgentUpdate => ({ type: 'thought', text: words });
const tool = (callId: string, changes: Extract<AgentUpdate, { type: 'toolCall' }>['changes'] = {}): AgentUpdate => ({
  type: 'toolCall',
  callId,
  changes,
});

/** The blocks that the facts of these updates leave in history. */
function blocksOf(updates: readonly AgentUpdate[]): readonly Block[] {
  const answer = new GrowingAnswer('session2', 'message2');
  const opened = { id: 'message2', parent: null, role: 'assistant', created: 1, blocks: [] } as const;
  const facts: Fact[] = [{ type: 'message', session: 'session2', message: opened }];
  for (const update of updates) facts.push(...answer.apply(update).facts);
  facts.push(...answer.close('cancelled').facts);
  return assemble(facts).get('message2')?.blocks ?? [];
}

function shape(blocks: readonly Block[]): readonly string[] {
  return blocks.map(block => {
    if (block.kind === 'text' || block.kind === 'thought') return `${block.kind} ${block.text}`;
    return block.kind === 'toolCall' ? `${block.callId} ${block.title} ${block.status}` : block.kind;
  });
}

const rows: readonly {
  readonly what: string;
  readonly updates: readonly AgentUpdate[];
  readonly blocks: readonly string[];
}[] = [
  { what: 'text that goes on is one block', updates: [text('a'), text('b')], blocks: ['text ab'] },
  {
    what: 'a thought ends a text',
    updates: [text('a'), thought('b'), text('c')],
    blocks: ['text a', 'thought b', 'text c'],
  },
  {
    what: 'a new message id begins a new block',
    updates: [text('a', '1'), text('b', '2')],
    blocks: ['text a', 'text b'],
  },
  { what: 'empty text is nothing', updates: [text(''), thought('')], blocks: [] },
  {
    what: 'a tool call is one block to its end',
    updates: [tool('c1', { title: 'Read' }), text('meanwhile'), tool('c1', { status: 'completed' })],
    blocks: ['c1 Read completed', 'text meanwhile'],
  },
  {
    what: 'an update without its call begins the call',
    updates: [tool('c1', { status: 'completed', title: 'Late' })],
    blocks: ['c1 Late completed'],
  },
  {
    what: 'what is open at the end is closed',
    updates: [tool('c1', { title: 'Run', status: 'in_progress' })],
    blocks: ['c1 Run cancelled'],
  },
  {
    what: 'an unknown update is kept',
    updates: [{ type: 'unknown', value: { odd: 1 } }, text('a')],
    blocks: ['unknown', 'text a'],
  },
];

test('[T2] updates become blocks in the order in which they began', async group => {
  for (const { what, updates, blocks } of rows)
    await group.test(what, () => assert.deepEqual(shape(blocksOf(updates)), blocks));
});

test('[T2] the end of a tool call is shown only after its fact is durable', () => {
  const answer = new GrowingAnswer('session2', 'message2');
  answer.apply(tool('c1', { title: 'Read' }));
  const step = answer.apply(tool('c1', { status: 'completed' }));
  assert.equal(step.events.length, 0);
  assert.equal(step.facts.length, 1);
  assert.equal(step.after.length, 1);
});

test('[T3] checkpoints anywhere give the same message, and no byte twice', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomFrom(seed);
    const updates = Array.from({ length: 30 }, (_, n): AgentUpdate => {
      const dice = random();
      return dice < 0.6
        ? text(`t${n} `)
        : dice < 0.8
          ? thought(`h${n} `)
          : tool(`c${Math.floor(random() * 4)}`, { title: `call ${n}` });
    });
    const answer = new GrowingAnswer('session2', 'message2');
    const opened = { id: 'message2', parent: null, role: 'assistant', created: 1, blocks: [] } as const;
    const facts: Fact[] = [{ type: 'message', session: 'session2', message: opened }];
    for (const update of updates) {
      facts.push(...answer.apply(update).facts);
      if (random() < 0.4) facts.push(...answer.checkpoint());
    }
    facts.push(...answer.close('cancelled').facts);
    assert.deepEqual(assemble(facts).get('message2')?.blocks, blocksOf(updates), `seed ${seed}`);
    const saved = facts.reduce((sum, fact) => sum + (fact.type === 'text' ? fact.text.length : 0), 0);
    const said = updates.reduce(
      (sum, update) => sum + (update.type === 'text' || update.type === 'thought' ? update.text.length : 0),
      0,
    );
    assert.equal(saved, said, `seed ${seed}`);
  }
});
