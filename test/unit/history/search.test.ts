// Full-text search over real files, in the worker, as the rest of the product asks for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchHit, SearchQuery } from '../../../src/core/history/history.ts';
import { wordsOf } from '../../../src/core/history/words.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { found, say } from '../support/said.ts';

function marked({ snippet, marks }: SearchHit): readonly string[] {
  return marks.map(({ at, length }) => snippet.slice(at, at + length));
}

test('[J25] words are found in every script, by their beginning, and as phrases', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const rows: readonly (readonly [text: string, query: string, found: boolean])[] = [
    ['Le café est fermé', 'cafe', true],
    ['Le cafe est ferme', 'café fermé', true],
    ['cafe\u0301', 'café', true],
    ['Straßenbahn', 'strassen', true],
    ['STRASSE', 'straße', true],
    ['İstanbul', 'istanbul', true],
    ['Москва слезам не верит', 'москв', true],
    ['Ёлка', 'елка', true],
    ['اللُّغَةُ العَرَبِيَّة', 'العربية', true],
    ['我们讨论了数据库备份', '据库', true],
    ['我们讨论了数据库备份', '库数', false],
    ['我们讨论了数据库备份', '备份 讨论', true],
    ['これはテストです', 'テスト', true],
    ['これはテストです', 'は', true],
    ['서버가 응답하지 않습니다', '서버', true],
    ['서버가 응답하지 않습니다', '응답', true],
    ['데이터베이스', '베이스', true],
    ['ภาษาไทย', 'ไทย', true],
    ['हिन्दी भाषा', 'हिन्दी', true],
    ['shipped 🎉 today', '🎉', true],
    ['👩‍💻', '👩‍💻', true],
    ['call getUserName here', 'getusername', true],
    ['call getUserName here', 'getuser', true],
    ['call getUserName here', 'user', true],
    ['call getUserName here', 'sername', false],
    ['snake_case_name', 'case', true],
    ['src/core/words.ts', 'core/words', true],
    ['read what came back', '"what came"', true],
    ['read what came back', '"came what"', false],
    ['read what came back', '"what ca"', false],
    ['read what came back', '"what ca', true],
    ['read what came back', 'back what', true],
    ['reading', 'read', true],
    ['reading', 'read ', false],
    ['reading', 'read* ', true],
    ['reading books', 'read books', false],
    ['a very long line '.repeat(3000) + 'theend', 'theend', true],
    ['x'.repeat(200), 'x'.repeat(200), true],
  ];
  for (const [text, query, isFound] of rows) {
    const { session, messages } = await say(history, ['nothing of it', text, 'nothing again']);
    assert.deepEqual(
      await found(history, query, session),
      isFound ? [messages[1]] : [],
      `${query} in ${text.slice(-60)}`,
    );
  }
});

test('[J25] no query is an error', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['and or not near col match body prose it is 2']);
  const words = [
    'AND',
    'OR NOT',
    'NEAR/2',
    'near(col',
    'col: match',
    '-body',
    '(prose)',
    "it's; --",
    'body:prose',
    '^and',
    '{col}: and',
  ];
  const nothing = ['', ' ', '"', '""', '*', '***', '()', '(', '-', ':', '\\', "'", '\0', '\ud800', '%_', '?1', '„“'];
  const others = [
    '\ud800and',
    'word '.repeat(2000),
    'x'.repeat(10_000),
    '"a '.repeat(3000),
    '加'.repeat(10_000),
    '( '.repeat(5000),
  ];
  for (const query of [...nothing, ...others]) await history.search(query);
  for (const query of nothing) assert.deepEqual(await history.search(query), { hits: [], more: false }, query);
  for (const query of words) {
    const all = wordsOf(query).every(({ text }) => text !== 's');
    assert.deepEqual(await found(history, query, session), all ? messages : [], query);
  }
});

test('[J25] all words have to be in one message, in any of its blocks, and only its prose counts', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['question']);
  const answer = ids.message();
  const blocks: readonly Block[] = [
    { kind: 'thought', mime: 'text/plain', text: 'pondering' },
    { kind: 'text', mime: 'text/markdown', text: 'The first half' },
    {
      kind: 'toolCall',
      mime: 'application/json',
      callId: 'c',
      title: 'Reading',
      tool: 'read',
      status: 'completed',
      locations: [],
      input: { path: 'inputword' },
      output: [{ type: 'text', text: 'outputword' }],
    },
    { kind: 'text', mime: 'text/markdown', text: 'and then\nthe second half half' },
  ];
  const message: Omit<Message, 'session'> = {
    ...userMessage(answer, messages[0] ?? null, ''),
    role: 'assistant',
    blocks,
  };
  await history.append(session, [{ type: 'message', session, message }]);
  assert.deepEqual(await found(history, 'first second'), [answer]);
  assert.deepEqual(await found(history, 'question second'), []);
  for (const query of ['"half and"', 'first "half and"']) assert.deepEqual(await found(history, query), []);
  for (const word of ['pondering', 'Reading', 'inputword', 'outputword'])
    assert.deepEqual(await found(history, word), []);
  const [hit] = (await history.search('then half ')).hits;
  assert.equal(hit?.block, 3);
  assert.equal(hit?.position, 4);
  assert.equal(hit?.role, 'assistant');
  assert.equal(hit?.snippet, 'and then the second half half');
  assert.deepEqual(hit && marked(hit), ['then', 'half', 'half']);
});

test('[J25] hits come with their session, branch and snippet, the newest first, from all branches', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(
    history,
    ['root', `${'long '.repeat(100)}needle ${'long '.repeat(100)}`, 'end one'],
    1000,
  );
  const [root = '', first = '', end = ''] = messages;
  const [other, otherEnd, sub] = [ids.message(), ids.message(), ids.message()];
  await history.append(session, [
    { type: 'set', session, name: 'title', value: 'Branches' },
    userFact(session, other, root, 'the other needle', 3000),
    userFact(session, otherEnd, other, 'end two', 3001),
    {
      type: 'message',
      session,
      message: { ...userMessage(sub, first, 'needle of a subagent', 2000), label: 'subagent:x:1' },
    },
    { type: 'set', session, name: 'head', value: end },
  ]);
  const { hits, more } = await history.search('needle');
  assert.equal(more, false);
  assert.deepEqual(
    hits.map(hit => [hit.message, hit.leaf, hit.session, hit.title, hit.created]),
    [
      [other, otherEnd, session, 'Branches', 3000],
      [sub, end, session, 'Branches', 2000],
      [first, end, session, 'Branches', 1001],
    ],
  );
  const last = hits[2] as SearchHit;
  assert.deepEqual(marked(last), ['needle']);
  assert.equal(last.position, 500);
  assert.match(last.snippet, /^…long.*needle.*long…$/);
  assert.ok(last.snippet.length < 200);
});

test('[J25] titles are found, also inside of words, and come first; the limit holds', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const one = await say(history, ['about parsers', 'parser parser', 'parser again'], 1000);
  const two = await say(history, ['nothing'], 2000);
  await history.append(one.session, [{ type: 'set', session: one.session, name: 'title', value: 'Old title' }]);
  await history.append(one.session, [
    { type: 'set', session: one.session, name: 'givenTitle', value: 'Die Straßenparser' },
  ]);
  await history.append(two.session, [{ type: 'set', session: two.session, name: 'title', value: 'A parser' }]);
  const { hits, more } = await history.search('parser');
  assert.deepEqual(
    hits.map(({ session, message }) => [session, message]),
    [[two.session, null], [one.session, null], ...one.messages.toReversed().map(id => [one.session, id])],
  );
  assert.equal(more, false);
  assert.deepEqual(hits[1] && [hits[1].position, hits[1].leaf, marked(hits[1])], [4, null, ['Straßenparser']]);
  assert.deepEqual(await found(history, 'old title'), []);
  assert.deepEqual(await found(history, 'strassen'), [null]);
  assert.deepEqual(await found(history, 'parser', one.session), one.messages.toReversed());
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    const limited = await history.search('parser', { limit });
    assert.deepEqual(limited.hits, hits.slice(0, limit));
    assert.equal(limited.more, limit < hits.length);
  }
});

test('[J25] of many hits the newest are given', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const many = [];
  for (let at = 0; at < 20; at++)
    many.push(
      await say(
        history,
        Array.from({ length: 10 }, () => 'the same'),
        1000 + at,
      ),
    );
  const [newest = '', second = '', third = ''] = many.map(({ messages }) => messages.at(-1)).toReversed();
  const { hits, more } = await history.search('same', { limit: 3 });
  // The last of each session is a millisecond newer than the last of the session before it.
  assert.deepEqual(
    hits.map(hit => hit.created),
    [1028, 1027, 1027],
  );
  assert.equal(hits[0]?.message, newest);
  assert.ok(hits.some(hit => hit.message === second) && !hits.some(hit => hit.message === third));
  assert.ok(more);
});

test('[J25] what is in the trash is not found until it is restored', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['kept word', 'branch word', 'below word']);
  await history.append(session, [{ type: 'set', session, name: 'title', value: 'A word' }]);
  const branch = { message: messages[1] ?? '', subtree: true };
  const all = [null, ...messages.toReversed()];
  assert.deepEqual(await found(history, 'word'), all);
  await history.trash(session, branch);
  assert.deepEqual(await found(history, 'word'), [null, messages[0]]);
  await history.restore(session, branch.message);
  await history.trash(session);
  assert.deepEqual(await found(history, 'word'), []);
  await history.restore(session);
  assert.deepEqual(await found(history, 'word'), all);
});

test('[J25] an answer is found when it has ended, or when it has not grown for minutes', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['question']);
  const begin = (created: number): { readonly id: string; readonly facts: readonly Fact[] } => {
    const id = ids.message();
    const { end: _end, ...message } = userMessage(id, messages[0] ?? null, '', created);
    return {
      id,
      facts: [
        { type: 'message', session, message: { ...message, role: 'assistant', blocks: [] } },
        {
          type: 'text',
          session,
          message: id,
          at: 0,
          kind: 'text',
          mime: 'text/markdown',
          offset: 0,
          text: 'half a wo',
        },
      ],
    };
  };
  const [old, running] = [begin(1000), begin(Date.now())];
  await history.append(session, [...old.facts, ...running.facts]);
  assert.deepEqual(await found(history, 'half'), [old.id]);
  for (const { id } of [old, running]) {
    await history.append(session, [
      { type: 'text', session, message: id, at: 0, kind: 'text', mime: 'text/markdown', offset: 9, text: 'rd' },
      { type: 'end', session, message: id, end: { reason: 'end_turn', at: 2000 } },
    ]);
    assert.ok((await found(history, 'word half')).includes(id));
  }
  assert.deepEqual(await found(history, 'half'), [running.id, old.id]);
});

test('[J25] a search says how much it looked through: what it could have found, and nothing else', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['tulip', 'rose', 'orchid']);
  const other = await say(history, ['violet']);
  const trashed = await say(history, ['hidden']);
  await history.trash(trashed.session);
  const searched = async (query: SearchQuery = {}, words = 'nowhere') =>
    (await history.search(words, { ...query, count: true })).searched;
  const all = messages.length + other.messages.length;
  assert.deepEqual(await searched(), { sessions: 2, messages: all });
  assert.deepEqual(await searched({ limit: 1 }, 'tulip'), { sessions: 2, messages: all });
  assert.deepEqual(await searched({ session }), { sessions: 1, messages: messages.length });
  assert.deepEqual(await searched({ filter: { trash: true } }), { sessions: 3, messages: all + 1 });
  await history.trash(session, { message: messages[2] ?? '', subtree: true });
  assert.deepEqual(await searched(), { sessions: 2, messages: all - 1 });
  assert.equal(await searched({}, '"'), undefined);
  assert.equal((await history.search('nowhere')).searched, undefined);
});
