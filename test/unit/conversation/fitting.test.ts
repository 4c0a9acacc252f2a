// Which messages go to an agent that is given the path, where its model takes only so much at once, and what the line says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, roomFor } from '../../../src/core/conversation/fitting.ts';
import { given } from '../../../src/core/conversation/ladder.ts';
import type { AgentProgram } from '../../../src/core/agents.ts';
import type { Block, Message } from '../../../src/model/message.ts';

const program = { ref: { id: 'loop', name: 'Loop' } } as AgentProgram;

function message(n: number, more: Partial<Message> = {}): Message {
  const role = n % 2 === 0 ? 'user' : 'assistant';
  const text = `message ${n} ${'word '.repeat(100)}`;
  const blocks = [{ kind: 'text', mime: 'text/markdown', text }] as const;
  const end = { reason: 'end_turn', at: 0 } as const;
  const agent = role === 'assistant' ? { agent: program.ref } : {};
  return { id: `m${n}`, session: 's', parent: null, role, created: 0, blocks, end, ...agent, ...more };
}

const long = Array.from({ length: 200 }, (_, n) => message(n));
const notice: Block = {
  kind: 'notice',
  mime: 'text/markdown',
  severity: 'info',
  text: 'It was about words.',
  extra: { compacted: true },
};
const summarised = long.map(one => (one.id === 'm191' ? { ...one, blocks: [notice, ...one.blocks] } : one));

const rows: readonly (readonly [what: string, path: readonly Message[], window: number | null, line: RegExp])[] = [
  ['an empty conversation', [], 8192, /^\{"kind":"fresh"\}$/],
  ['no window', long, null, /^\{"kind":"remembers"\}$/],
  ['a window for all of it', long, 200_000, /^\{"kind":"remembers"\}$/],
  ['a window for some of it', long, 8192, /^\{"kind":"reseeded","messages":(2\d|3\d),"of":200,.*takes no more at once/],
  ['a summary of its own that stands for the rest', summarised, 8192, /^\{"kind":"remembers","compacted":true\}$/],
];

for (const [what, path, window, line] of rows)
  test(`[A55] ${what}: the line says what goes`, () => {
    assert.match(JSON.stringify(given({ path, program }, window)), line);
  });

test('[A54] the first prompt and the newest messages go, whole, and never more than there is room for', () => {
  for (const window of [8192, 12_000, 20_000, 40_000]) {
    const { first, newest, left, tokens } = fitted(long, roomFor(window), 'loop');
    assert.equal(first?.id, 'm0');
    assert.ok(tokens <= roomFor(window));
    assert.deepEqual(
      newest.map(({ id }) => id),
      long.slice(-newest.length).map(({ id }) => id),
    );
    assert.equal(1 + newest.length + left, long.length);
  }
});

test('[A54] a first prompt that would fill the room goes only where all goes, and another agent’s summary counts not', () => {
  const blocks = [{ kind: 'text', mime: 'text/markdown', text: 'word '.repeat(20_000) }] as const;
  const path = [message(0, { blocks }), ...long.slice(1)];
  const { first, newest } = fitted(path, roomFor(20_000), 'loop');
  assert.equal(first, null);
  assert.ok(newest.length > 50);
  assert.equal(fitted(summarised, roomFor(8192), 'other').summary, null);
});
