// Messages as everything outside sees them: how they grow, how they are asked for, and where subagents' hang.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { History, MessageQuery } from '../../../src/core/history/history.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import {
  agentRef,
  answerFact,
  blockFact,
  endFact,
  sessionFact,
  setFact,
  textFact,
  userFact,
} from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { refused } from '../support/refused.ts';

async function begin(history: History): Promise<{ readonly session: string; readonly root: string }> {
  const [session, root] = [ids.session(), ids.message()];
  await history.append(session, [sessionFact(session), userFact(session, root, null, 'root')]);
  return { session, root };
}

function text(words: string): Block {
  return { kind: 'text', mime: 'text/markdown', text: words };
}

const call: Block = {
  kind: 'toolCall',
  mime: 'application/json',
  callId: 'c1',
  title: 'Read a.ts',
  tool: 'read',
  status: 'pending',
  locations: [],
  output: [],
};
const done: Block = {
  ...call,
  status: 'completed',
  locations: [{ path: '/a.ts', line: 3 }],
  input: { path: 'a.ts', flags: [null, true, 1.5, { deep: [] }] },
  output: [{ type: 'diff', path: '/a.ts', oldText: 'a\r\n', newText: 'b\u2028\u0000' }, 'said'],
  extra: { _meta: { trace: 'x' }, kind: 'not ours' },
};
const thought: Block = { kind: 'thought', mime: 'text/markdown', text: 'Hm.', extra: { signature: 'abc' } };
const plan: Block = {
  kind: 'plan',
  mime: 'application/json',
  entries: [{ content: 'Do it', priority: 'high', status: 'in_progress' }],
};
const usage = {
  inputTokens: 1,
  outputTokens: 2,
  cachedTokens: 3,
  thoughtTokens: 4,
  cost: { amount: 0.1, currency: 'EUR' },
};
const end = { reason: 'max_tokens', at: 1234, detail: 'No more tokens.', usage } as const;

/** What is appended, and what the message is then: each step adds to what the steps before it left. */
const steps: readonly {
  readonly what: string;
  readonly facts: (s: string, m: string) => readonly Fact[];
  readonly is: Partial<Message>;
}[] = [
  { what: 'opened', facts: () => [], is: { blocks: [] } },
  { what: 'a thought', facts: (s, m) => [blockFact(s, m, 0, thought)], is: { blocks: [thought] } },
  { what: 'text begins', facts: (s, m) => [textFact(s, m, 1, 0, 'One ')], is: { blocks: [thought, text('One ')] } },
  {
    what: 'text goes on',
    facts: (s, m) => [textFact(s, m, 1, 4, 'two ')],
    is: { blocks: [thought, text('One two ')] },
  },
  {
    what: 'text that was told twice',
    facts: (s, m) => [textFact(s, m, 1, 4, 'two '), textFact(s, m, 1, 8, '😀')],
    is: { blocks: [thought, text('One two 😀')] },
  },
  {
    what: 'a tool call',
    facts: (s, m) => [blockFact(s, m, 2, call)],
    is: { blocks: [thought, text('One two 😀'), call] },
  },
  {
    what: 'the tool call is over, with a plan after it',
    facts: (s, m) => [blockFact(s, m, 2, done), blockFact(s, m, 3, plan)],
    is: { blocks: [thought, text('One two 😀'), done, plan] },
  },
  {
    what: 'the text is whole',
    facts: (s, m) => [blockFact(s, m, 1, text('One two three.'))],
    is: { blocks: [thought, text('One two three.'), done, plan] },
  },
  { what: 'the end', facts: (s, m) => [endFact(s, m, end)], is: { end } },
];

test('[J19] a message grows by blocks, checkpoints and its end, and is what it is after each', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await begin(history);
  const id = ids.message();
  let expected: Message = { id, session, parent: root, role: 'assistant', created: 1000, agent: agentRef, blocks: [] };
  await history.append(session, [answerFact(session, id, root)]);
  for (const { what, facts, is } of steps) {
    const added = facts(session, id);
    if (added.length > 0) await history.append(session, added);
    expected = { ...expected, ...is };
    assert.deepEqual(await history.messages([id]), [expected], what);
    assert.deepEqual((await history.open(session, id))?.path[1], expected, what);
  }
  assert.deepEqual(await (await openTestHistory(folder)).messages([id]), [expected]);
});

const textRows: readonly {
  readonly what: string;
  readonly facts: (s: string, m: string) => readonly Fact[];
  readonly is: readonly Block[];
}[] = [
  {
    what: 'what came with the block stays while its text grows',
    facts: (s, m) => [blockFact(s, m, 0, { ...text('a'), extra: { x: 1 } } as Block), textFact(s, m, 0, 1, 'b')],
    is: [{ ...text('ab'), extra: { x: 1 } } as Block],
  },
  {
    what: 'a gap is marked once, and what follows it is whole',
    facts: (s, m) => [
      textFact(s, m, 0, 0, 'ab'),
      textFact(s, m, 0, 50, 'cd'),
      textFact(s, m, 0, 52, 'ef'),
      textFact(s, m, 0, 54, 'g'),
    ],
    is: [text('ab…cdefg')],
  },
  {
    what: 'a gap is forgotten when the block comes whole',
    facts: (s, m) => [textFact(s, m, 0, 9, 'x'), blockFact(s, m, 0, text('whole')), textFact(s, m, 0, 5, '!')],
    is: [text('whole!')],
  },
  {
    what: 'a block that is missing is said to be',
    facts: (s, m) => [blockFact(s, m, 1, text('b'))],
    is: [
      { kind: 'notice', mime: 'text/plain', severity: 'warning', text: 'A part of this message is missing.' },
      text('b'),
    ],
  },
];

test('[J19] text that grows is given back as it came, and a gap in it is marked', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session } = await begin(history);
  for (const { what, facts, is } of textRows) {
    for (const together of [true, false]) {
      const id = ids.message();
      await history.append(session, [answerFact(session, id, null)]);
      const added = facts(session, id);
      for (const one of together ? [added] : added.map(fact => [fact])) await history.append(session, one);
      assert.deepEqual((await history.messages([id]))[0]?.blocks, is, what);
    }
  }
});

test('[J19] several messages are appended together or not at all', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await begin(history);
  const [one, two, three] = [ids.message(), ids.message(), ids.message()];
  const facts = [userFact(session, one, root, 'one'), answerFact(session, two, one), answerFact(session, three, one)];
  await assert.rejects(
    history.append(session, [...facts, userFact(session, ids.message(), 'nobody', 'x')]),
    refused('no-parent'),
  );
  await assert.rejects(history.append(session, [...facts, userFact(session, two, one, 'again')]), refused('exists'));
  await assert.rejects(history.append(session, [...facts, endFact(session, 'nobody')]), refused('no-message'));
  assert.equal((await history.tree(session)).length, 1);
  await history.append(session, [...facts, endFact(session, two)]);
  for (const window of [history, await openTestHistory(folder)]) {
    const messages = await window.messages([three, two, one]);
    assert.deepEqual(
      messages.map(({ id, parent, end: ended }) => [id, parent, ended !== undefined]),
      [
        [three, one, false],
        [two, one, true],
        [one, root, true],
      ],
    );
  }
});

test('[J19] messages that grow in the same records are each whole, in whatever order they are asked for', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await begin(history);
  const [one, two, three] = [ids.message(), ids.message(), ids.message()];
  // Each begins in a record of its own, and they go on together.
  for (const id of [one, two, three])
    await history.append(session, [answerFact(session, id, root), textFact(session, id, 0, 0, 'a')]);
  await history.append(session, [textFact(session, three, 0, 1, 'b'), textFact(session, one, 0, 1, 'b')]);
  await history.append(
    session,
    [one, two, three].map(id => endFact(session, id)),
  );
  await history.append(session, [textFact(session, two, 0, 1, 'b')]);
  for (const window of [history, await openTestHistory(folder)]) {
    for (const order of [[one, two, three], [three, two, one], [two, three, one, two], [three], [one]]) {
      const messages = await window.messages(order);
      assert.deepEqual(
        messages.map(({ id }) => id),
        order,
      );
      for (const { blocks, end: ended } of messages) {
        assert.deepEqual(blocks, [text('ab')]);
        assert.ok(ended);
      }
    }
  }
});

test('[J19] a message that is missing is an error, whatever else is asked for', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { root } = await begin(history);
  assert.deepEqual(await history.messages([]), []);
  for (const wanted of [['nobody'], [root, 'nobody'], ['']]) {
    await assert.rejects(history.messages(wanted), refused('no-message'));
  }
});

interface Spread {
  readonly sessions: readonly string[];
  /** Oldest first. */
  readonly all: readonly { readonly id: string; readonly session: string; readonly label: string | undefined }[];
}

const labels = [
  undefined,
  undefined,
  'subagent:explore:1',
  'subagent:explore:2',
  'subagent:ex:1',
  'subagent:explore2:1',
];

/** Messages of two sessions, in turns, with every label. */
async function spread(history: History): Promise<Spread> {
  const both = [await begin(history), await begin(history)];
  const all: { id: string; session: string; label: string | undefined; created: number }[] = [];
  for (const { session, root } of both) all.push({ id: root, session, label: undefined, created: 1000 });
  for (let at = 0; at < 24; at++) {
    const { session, root } = both[at % 2] ?? assert.fail();
    const label = labels[Math.floor(at / 2) % labels.length];
    const id = ids.message();
    // Some are of the same moment.
    const created = 2000 + Math.floor(at / 3);
    const rest = label === undefined ? { created } : { created, label };
    await history.append(session, [answerFact(session, id, root, rest)]);
    all.push({ id, session, label, created });
  }
  all.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  return { sessions: both.map(({ session }) => session), all };
}

test('[J19] messages are listed across sessions, by session, by label, from either end, in pages', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { sessions, all } = await spread(history);
  const rows: readonly {
    readonly query: Omit<MessageQuery, 'order'>;
    readonly has: (one: Spread['all'][number]) => boolean;
  }[] = [
    { query: {}, has: () => true },
    ...sessions.map(session => ({ query: { session }, has: (one: Spread['all'][number]) => one.session === session })),
    { query: { session: 'nobody' }, has: () => false },
    { query: { label: 'subagent:explore:2' }, has: ({ label }) => label === 'subagent:explore:2' },
    { query: { label: 'subagent:explore:' }, has: ({ label }) => label?.startsWith('subagent:explore:') === true },
    { query: { label: 'subagent:ex:' }, has: ({ label }) => label === 'subagent:ex:1' },
    { query: { label: 'subagent:' }, has: ({ label }) => label !== undefined },
    { query: { label: 'subagent:explore' }, has: () => false },
    { query: { label: '' }, has: () => false },
    {
      query: { label: 'subagent:explore2:1', session: sessions[0] ?? '' },
      has: one => one.label === 'subagent:explore2:1' && one.session === sessions[0],
    },
  ];
  for (const window of [history, await openTestHistory(folder)]) {
    for (const { query, has } of rows) {
      for (const order of ['oldest', 'newest'] as const) {
        const found = all.filter(has).map(({ id }) => id);
        const expected = order === 'oldest' ? found : found.toReversed();
        const listed = async (page: object) => (await window.list({ ...query, order, ...page })).map(({ id }) => id);
        assert.deepEqual(await listed({}), expected, JSON.stringify(query));
        const pages: string[] = [];
        for (let offset = 0; offset === pages.length; offset += 4) pages.push(...(await listed({ limit: 4, offset })));
        assert.deepEqual(pages, expected, JSON.stringify(query));
      }
    }
  }
});

test('[J19] what a subagent wrote hangs beside the conversation: on no path, in no count, at no end', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await begin(history);
  const [answer, task, result] = [ids.message(), ids.message(), ids.message()];
  await history.append(session, [answerFact(session, answer, root)]);
  const run = { label: 'subagent:explore:1', created: 3000 };
  await history.append(session, [answerFact(session, task, answer, run)]);
  await history.append(session, [answerFact(session, result, task, run), setFact(session, 'head', result)]);
  await assert.rejects(history.append(session, [userFact(session, ids.message(), result, 'x')]), refused('no-parent'));
  for (const window of [history, await openTestHistory(folder)]) {
    const opened = await window.open(session);
    assert.equal(opened?.head, answer);
    assert.deepEqual(
      opened.path.map(({ id }) => id),
      [root, answer],
    );
    assert.equal(opened.messages, 2);
    assert.deepEqual(
      (await window.open(session, result))?.path.map(({ id, label }) => [id, label]),
      [
        [root, undefined],
        [answer, undefined],
        [task, run.label],
        [result, run.label],
      ],
    );
    assert.deepEqual(
      (await window.list({ order: 'oldest', label: run.label })).map(({ id }) => id),
      [task, result].toSorted(),
    );
  }
  const next = ids.message();
  await history.append(session, [userFact(session, next, answer, 'goes on')]);
  assert.deepEqual(
    (await history.open(session, next))?.path.map(({ id }) => id),
    [root, answer, next],
  );
});
