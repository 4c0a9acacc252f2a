// Which messages go to an agent that is given the path, where its model takes only so much at once, and what the line says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, roomFor, tokensOfMessage, usualNewest } from '../../../src/core/conversation/fitting.ts';
import { given } from '../../../src/core/conversation/resumeAgentSession.ts';
import type { AgentProgram } from '../../../src/core/agents.ts';
import { tokensOf } from '../../../src/core/conversation/tokens.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import { randomFrom } from '../support/random.ts';

const program = { ref: { id: 'loop', name: 'Loop' } } as AgentProgram;

function message(n: number, more: Partial<Message> = {}): Message {
  const role = n % 2 === 0 ? 'user' : 'assistant';
  const text = `message ${n} ${'word '.repeat(100)}`;
  const blocks = [{ kind: 'text', mime: 'text/markdown', text }] as const;
  const end = { reason: 'end_turn', at: 0 } as const;
  const agent = role === 'assistant' ? { agent: program.ref } : {};
  return { id: `m${n}`, session: 's', parent: null, role, created: 0, blocks, end, ...agent, ...more };
}

const usual = { agent: 'loop', newest: usualNewest };
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
    const { first, newest, left, tokens } = fitted(long, roomFor(window), usual);
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
  const { first, newest } = fitted(path, roomFor(20_000), usual);
  assert.equal(first, null);
  assert.ok(newest.length > 50);
  assert.equal(fitted(summarised, roomFor(8192), { ...usual, agent: 'other' }).summary, null);
});

/** `count` messages of about so many tokens each. */
const sized = (count: number, tokens: number) =>
  Array.from({ length: count }, (_, n) =>
    message(n, { blocks: [{ kind: 'text', mime: 'text/markdown', text: 'word'.repeat(tokens) }] }),
  );
const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);
const newestOf = (path: readonly Message[], count: number) => (count === 0 ? [] : idsOf(path.slice(-count)));

const kept: readonly (readonly [what: string, newest: number, room: number, first: boolean, told: number])[] = [
  ['none has to stay', 0, 5000, true, 3],
  ['fewer stay than there is room for', 2, 5000, true, 3],
  ['they take the room of the first prompt', 4, 5000, false, 4],
  ['more have to stay than fit', 8, 5000, false, 4],
  ['all have to stay', 1000, 5000, false, 4],
  ['not one fits', 4, 900, false, 0],
];
for (const [what, newest, room, hasFirst, count] of kept)
  test(`[A56] the newest messages stay before anything else: ${what}`, () => {
    const path = sized(30, 1100);
    const { first, newest: told, left, tokens } = fitted(path, room, { agent: 'loop', newest });
    assert.deepEqual(idsOf(told), newestOf(path, count));
    assert.equal(first !== null, hasFirst);
    assert.equal(left, path.length - count - (hasFirst ? 1 : 0));
    assert.ok(count === 0 || tokens <= room, `${tokens}`);
  });

test('[A56] whatever stays, no more goes than there is room for, and everything is told, summarised or counted', () => {
  const random = randomFrom(56);
  const below = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < 3000; round++) {
    const path = Array.from({ length: 1 + below(40) }, (_, n) =>
      message(n, { blocks: [{ kind: 'text', mime: 'text/markdown', text: 'w'.repeat(below(4000)) }] }),
    );
    const at = below(path.length * 2);
    const told = { ...notice, text: 's'.repeat(below(9000)) };
    const withNotice = path.map((one, n) =>
      n === at && n % 2 === 1 ? { ...one, blocks: [told, ...one.blocks] } : one,
    );
    const fresh = random() < 0.2 ? 'f'.repeat(below(9000)) : null;
    const newest = below(12);
    const room = 60 + below(12_000);
    const {
      first,
      summary,
      newest: last,
      left,
      tokens,
    } = fitted(withNotice, room, { agent: 'loop', newest, summary: fresh });
    const whole = `${round}: ${JSON.stringify({ newest, room, left, tokens, at, fresh: fresh?.length })}`;
    const real = [...(first ? [first] : []), ...last].reduce((sum, one) => sum + tokensOfMessage(one), 0);
    assert.ok(tokens <= room && real + tokensOf(summary ?? '') <= room, whole);
    assert.deepEqual(idsOf(last), newestOf(path, last.length), whole);
    const next = withNotice.at(-1 - last.length);
    // What should have stayed and did not is too large to stand beside what did.
    if (last.length < Math.min(newest, path.length - 1) && next)
      assert.ok(tokensOfMessage(next) + real > room - 60, whole);
    const most = path.length - last.length - (first ? 1 : 0);
    assert.ok(left >= 0 && left <= most, whole);
    if (summary === null) assert.equal(left, most, whole);
    else if (!summary.endsWith('to make room.]')) assert.ok(fresh === null || left === 0, whole);
    else assert.ok(most === 0 || left > 0, whole);
  }
});

test('[A56] the line says the same: of those that must stay, as many as are set for the agent', () => {
  const path = sized(30, 1100);
  const window = 12_000;
  for (const newestKept of [0, 4, 5, 30]) {
    const { left, tokens } = fitted(path, roomFor(window), { agent: 'loop', newest: newestKept });
    assert.deepEqual(given({ path, program: { ...program, newestKept } }, window), {
      kind: 'reseeded',
      messages: path.length - left,
      of: path.length,
      tokens,
      why: 'its model takes no more at once',
    });
  }
});

test('[A54] a summary in the tree that has no room is not said to stand for anything', () => {
  const summary = message(100, {
    role: 'summary',
    covers: 'm25',
    blocks: [{ kind: 'text', mime: 'text/markdown', text: 'w'.repeat(40_000) }],
  });
  const path = [...sized(30, 200), summary];
  const { first, newest, left } = fitted(path, 3000, usual);
  assert.deepEqual([first, newest.length, left], [null, 4, 27]);
  assert.equal(fitted(path, 12_000, usual).left, 0);
});
