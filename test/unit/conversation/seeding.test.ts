// What an agent that does not know a conversation is told of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetFor, seedOf, usualBudget, type SeedBudget } from '../../../src/core/conversation/seeding.ts';
import { tokensOf } from '../../../src/core/conversation/tokens.ts';
import type { Block, Message } from '../../../src/model/message.ts';

function message(n: number, text: string, more: Partial<Message> = {}): Message {
  const role = n % 2 === 0 ? 'user' : 'assistant';
  const blocks: readonly Block[] = [{ kind: 'text', mime: 'text/markdown', text }];
  const end = { reason: 'end_turn', at: n } as const;
  return { id: `m${n}`, session: 's', parent: n === 0 ? null : `m${n - 1}`, role, created: n, blocks, end, ...more };
}

const path = (count: number, text = (n: number) => `words ${n}.`) =>
  Array.from({ length: count }, (_, n) => message(n, text(n)));
const small: SeedBudget = { messages: 4, characters: 40, tokens: 10_000 };

test('[C3] the first prompt and the newest messages are told, and what is left out is counted', () => {
  const seed = seedOf(path(10), small);
  assert.deepEqual([seed.messages, seed.of], [4, 10]);
  assert.match(seed.text, /words 0\..*\[6 messages left out here\].*words 7\..*words 8\..*words 9\./s);
  assert.doesNotMatch(seed.text, /words [1-6]\./);
  assert.equal(seed.tokens, tokensOf(seed.text));
  const whole = seedOf(path(4), small);
  assert.deepEqual([whole.messages, whole.of], [4, 4]);
  assert.doesNotMatch(whole.text, /left out/);
});

test('[C3] what is told only in part counts as left out', () => {
  const long = (at: number) => path(4, n => (n === at ? 'x'.repeat(100) : `words ${n}.`));
  assert.deepEqual(seedOf(path(4), small).leftOut, []);
  for (const at of [0, 3]) assert.deepEqual(seedOf(long(at), small).leftOut, [`m${at}`]);
});

test('[C3] of a long answer the end is kept, of a long prompt the beginning', () => {
  const { text } = seedOf(
    path(2, n => `begin${n} ${'x'.repeat(100)} end${n}`),
    small,
  );
  assert.match(text, /begin0/);
  assert.doesNotMatch(text, /end0|begin1/);
  assert.match(text, /end1/);
});

test('[C3] it never takes more tokens than there is room for, whatever the script', () => {
  for (const letters of ['word ', '会', 'слово ', '👩‍👩‍👧 ']) {
    for (const tokens of [200, 1000, 16_000]) {
      const budget = { ...usualBudget, tokens };
      const seed = seedOf(
        path(200, () => letters.repeat(60)),
        budget,
      );
      assert.ok(seed.tokens <= tokens + 100, `${letters} ${seed.tokens} of ${tokens}`);
      assert.match(seed.text, /left out here/);
    }
  }
});

test('[C3] a summary stands for what it covers; what came after is told as it was', () => {
  const messages = path(8);
  const summary = message(9, 'In short: all of it.', { id: 'sum', role: 'summary', parent: 'm5', covers: 'm5' });
  const told = seedOf([...messages.slice(0, 6), summary, ...messages.slice(6)], usualBudget);
  assert.match(told.text, /\[Summary\]\nIn short: all of it\..*words 6\..*words 7\./s);
  assert.doesNotMatch(told.text, /words [0-5]\./);
  assert.deepEqual([told.messages, told.of], [9, 9]);
});

test('[C3] a summary without words stands for nothing', () => {
  const messages = path(8);
  const empty = message(9, ' \n', { id: 'sum', role: 'summary', parent: 'm7', covers: 'm7' });
  const told = seedOf([...messages, empty], usualBudget);
  for (let at = 0; at < 8; at++) assert.match(told.text, new RegExp(`words ${at}\\.`));
});

test('[C3] tool calls are one line each, an interrupted answer says so, and nothing ends the text early', () => {
  const call: Block = {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'c',
    title: 'Edit a.ts',
    tool: 'edit',
    status: 'failed',
    locations: [],
    output: [{ secret: 'the whole output' }],
  };
  const { end: _end, ...open } = message(1, 'half </conversation-history> an answer');
  const { text } = seedOf([message(0, 'go'), { ...open, blocks: [...open.blocks, call] }], usualBudget);
  assert.match(text, /- edit: Edit a\.ts \(failed\)/);
  assert.doesNotMatch(text, /the whole output/);
  assert.match(text, /\[interrupted here\]/);
  for (const [reason, isCut] of [
    ['failed', true],
    ['cancelled', true],
    ['end_turn', false],
  ] as const) {
    const ended = seedOf([message(0, 'go'), { ...open, end: { reason, at: 1 } }]).text;
    assert.equal(ended.includes('[interrupted here]'), isCut, reason);
  }
  assert.equal(text.match(/<\/conversation-history>/g)?.length, 1);
  assert.ok(text.endsWith('</conversation-history>'));
});

test('[C3] a small window gets a quarter of itself', () => {
  assert.equal(budgetFor(8000).tokens, 2000);
  assert.equal(budgetFor(1_000_000).tokens, usualBudget.tokens);
  assert.equal(budgetFor(null).tokens, usualBudget.tokens);
});

test('[C3] of what a person showed the beginning is told, of a file its name', () => {
  const resource = (uri: string, name: string, text: string): Block => ({
    kind: 'resource',
    mime: 'text/plain',
    uri,
    name,
    text,
  });
  const prompt = message(0, 'why?');
  const blocks = [
    ...prompt.blocks,
    resource('file:///w/a.go', 'a.go', 'package w'),
    resource('throughline:terminal/bash', 'Terminal', `exit 1 ${'x'.repeat(5000)}`),
  ];
  const { text } = seedOf([{ ...prompt, blocks }, message(1, 'because')], usualBudget);
  assert.match(text, /why\?\n- resource: a\.go\n- resource: Terminal\nexit 1 x{900}/);
  assert.doesNotMatch(text, /package w|x{1001}/);
});
