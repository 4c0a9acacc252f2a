// Sessions as everything outside sees them: what is said of them, and how they are listed.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { History, SessionQuery, SessionSummary, Totals } from '../../../src/core/history/history.ts';
import type { HistoryErrorCode } from '../../../src/core/history/historyError.ts';
import type { Json, Usage } from '../../../src/model/message.ts';
import type { Fact, SessionFact } from '../../../src/model/record.ts';
import { listSessions } from '../../../src/node/history/index/listSessions.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
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
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';
import { refused } from '../support/refused.ts';

async function begin(history: History, created = 1000, rest: Partial<SessionFact> = {}): Promise<string> {
  const session = ids.session();
  await history.append(session, [{ ...(sessionFact(session, created) as SessionFact), ...rest }]);
  return session;
}

async function summaryOf(history: History, session: string): Promise<SessionSummary | undefined> {
  return (await history.sessions()).find(({ id }) => id === session);
}

const other = { id: 'other', name: 'Another agent' };
const odd = JSON.parse('{"__proto__":{"a":[1,null]},"":"empty","a\\nb":"two lines","\\u0000":0}') as {
  readonly [key: string]: Json;
};

interface FieldRow {
  readonly what: string;
  readonly begin?: Partial<SessionFact>;
  /** Name, value, and of what. */
  readonly sets?: readonly (readonly [Parameters<typeof setFact>[1], Json, string?])[];
  readonly is: Partial<SessionSummary>;
}

const fieldRows: readonly FieldRow[] = [
  {
    what: 'nothing but its beginning',
    is: {
      title: '',
      agent: agentRef,
      model: null,
      mode: null,
      cwd: null,
      key: null,
      origin: null,
      created: 1000,
      active: 1000,
      expires: null,
      messages: 0,
      trashed: false,
      archived: false,
      pinned: false,
      labels: [],
      forked: false,
      metadata: {},
    },
  },
  { what: 'its folder and origin', begin: { cwd: '/a', origin: 'import' }, is: { cwd: '/a', origin: 'import' } },
  { what: 'a title that was made', sets: [['title', 'made']], is: { title: 'made' } },
  {
    what: 'a person’s title',
    sets: [
      ['givenTitle', 'given'],
      ['title', 'made'],
    ],
    is: { title: 'given' },
  },
  {
    what: 'a title given back',
    sets: [
      ['title', 'made'],
      ['givenTitle', 'x'],
      ['givenTitle', ''],
    ],
    is: { title: 'made' },
  },
  {
    what: 'model and mode',
    sets: [
      ['model', 'm1'],
      ['model', 'm2'],
      ['mode', 'ask'],
    ],
    is: { model: 'm2', mode: 'ask' },
  },
  { what: 'another agent', sets: [['agent', { ...other }]], is: { agent: other } },
  { what: 'an agent that is none', sets: [['agent', { id: 1 }]], is: { agent: agentRef } },
  { what: 'pinned', sets: [['pinned', true]], is: { pinned: true, archived: false, trashed: false } },
  {
    what: 'archived and back',
    sets: [
      ['archived', true],
      ['archived', false],
    ],
    is: { archived: false },
  },
  { what: 'a day to expire', sets: [['expires', 5000]], is: { expires: 5000 } },
  {
    what: 'labels',
    sets: [
      ['label', true, 'b'],
      ['label', true, 'a'],
      ['label', true, 'gone'],
      ['label', false, 'gone'],
    ],
    is: { labels: ['a', 'b'] },
  },
  {
    what: 'metadata with any key and value',
    sets: [...Object.entries(odd).map(([key, value]) => ['metadata', value, key] as const), ['metadata', null, 'gone']],
    is: { metadata: odd },
  },
];

test('[J17] everything that is set of a session is said of it, also when it is opened again', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const sessions: string[] = [];
  for (const { begin: beginning, sets = [], is, what } of fieldRows) {
    const session = await begin(history, 1000, beginning);
    sessions.push(session);
    for (const [name, value, of] of sets) {
      await history.append(session, [setFact(session, name, value, of === undefined ? {} : { of })]);
    }
    const summary = await summaryOf(history, session);
    assert.deepEqual({ ...summary, ...is }, summary, what);
    const opened = await history.open(session);
    assert.deepEqual({ ...opened, ...summary }, opened, what);
  }
  const again = await openTestHistory(folder);
  assert.deepEqual(await again.sessions(), await history.sessions());
  assert.equal((await again.sessions()).length, sessions.length);
});

const usd = (amount: number): Usage => ({ cost: { amount, currency: 'USD' } });

const totalRows: readonly { what: string; ends: readonly (Usage | undefined)[]; is: Totals }[] = [
  { what: 'nothing told', ends: [undefined, {}], is: { inputTokens: 0, outputTokens: 0, costs: [] } },
  {
    what: 'tokens',
    ends: [{ inputTokens: 5 }, { outputTokens: 7 }, { inputTokens: 1, outputTokens: 2 }],
    is: { inputTokens: 6, outputTokens: 9, costs: [] },
  },
  {
    what: 'costs, by currency',
    ends: [usd(0.5), { inputTokens: 3 }, { cost: { amount: 2, currency: 'EUR' } }, usd(0.25)],
    is: {
      inputTokens: 3,
      outputTokens: 0,
      costs: [
        { amount: 2, currency: 'EUR' },
        { amount: 0.75, currency: 'USD' },
      ],
    },
  },
];

test('[J17] totals are those of all its messages, a subagent’s too, each by its last end', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  for (const { what, ends, is } of totalRows) {
    const session = await begin(history);
    for (const [at, usage] of ends.entries()) {
      const message = ids.message();
      const label = at === 1 ? { label: 'subagent:a:1' } : {};
      await history.append(session, [answerFact(session, message, null, label)]);
      await history.append(session, [endFact(session, message, { usage: { inputTokens: 1000, ...usd(1000) } })]);
      await history.append(session, [endFact(session, message, usage ? { usage } : {})]);
    }
    assert.deepEqual((await history.fields(session))?.totals, is, what);
  }
  assert.deepEqual(await (await openTestHistory(folder)).sessions(), await history.sessions());
});

test('[J17] sessions are listed by two questions, and no message is read', async t => {
  const folder = temporaryFolder(t);
  const store = new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
  try {
    const [line, forked] = [ids.session(), ids.session()];
    for (const session of [line, forked]) {
      const [root, answer, beside] = [ids.message(), ids.message(), ids.message()];
      const parent = session === line ? answer : root;
      const facts = [userFact(session, root, null, 'x'), answerFact(session, answer, root)];
      store.append(session, [sessionFact(session), ...facts, userFact(session, beside, parent, 'y')])();
      store.append(session, [endFact(session, answer, { usage: { inputTokens: 5 } })])();
    }
    const asked: string[] = [];
    const db: Store['db'] = { ...store.db, all: (sql, values) => (asked.push(sql), store.db.all(sql, values)) };
    const listed = listSessions(db);
    assert.deepEqual(
      new Set(listed.map(({ id, messages, forked: is }) => `${id} ${messages} ${is}`)),
      new Set([`${line} 3 false`, `${forked} 3 true`]),
    );
    assert.equal(asked.length, 2);
    // What was counted stays, so whoever still says it did not look.
    store.db.exec('DROP TRIGGER message_removed; DELETE FROM message; DELETE FROM usage; DELETE FROM piece');
    assert.deepEqual(listSessions(db), listed);
  } finally {
    store.close();
  }
});

test('[J17] a session was active when the last of it was said, and is listed by that', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const [asked, ended, fresh] = [await begin(history, 10), await begin(history, 20), await begin(history, 60)];
  const answer = ids.message();
  await history.append(asked, [userFact(asked, ids.message(), null, 'x', 50)]);
  await history.append(ended, [answerFact(ended, answer, null, { created: 30 }), endFact(ended, answer, { at: 70 })]);
  await history.append(fresh, [setFact(fresh, 'title', 'what is set does not count')]);
  for (const window of [history, await openTestHistory(folder)]) {
    assert.deepEqual(
      (await window.sessions()).map(({ id, created, active }) => ({ id, created, active })),
      [
        { id: ended, created: 20, active: 70 },
        { id: fresh, created: 60, active: 60 },
        { id: asked, created: 10, active: 50 },
      ],
    );
  }
});

const queries: readonly { readonly query: SessionQuery; readonly has: (at: number) => boolean }[] = [
  { query: {}, has: () => true },
  { query: { trashed: true }, has: at => at % 2 === 0 },
  { query: { trashed: false }, has: at => at % 2 !== 0 },
  { query: { archived: true }, has: at => at % 3 === 0 },
  { query: { archived: false, trashed: false }, has: at => at % 3 !== 0 && at % 2 !== 0 },
  { query: { label: 'work' }, has: at => at % 5 === 0 },
  { query: { label: 'nobody has it' }, has: () => false },
  { query: { agent: 'other' }, has: at => at % 4 === 0 },
  { query: { agent: 'scripted', trashed: true }, has: at => at % 4 !== 0 && at % 2 === 0 },
  { query: { agent: 'nobody' }, has: () => false },
];

test('[J17] each filter narrows the list, and its pages put together are the list', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const sessions: string[] = [];
  for (let at = 0; at < 24; at++) {
    const session = await begin(history, 100_000 - at);
    sessions.push(session);
    await history.append(session, [
      setFact(session, 'trashed', at % 2 === 0),
      ...(at % 3 === 0 ? [setFact(session, 'archived', true)] : []),
      setFact(session, 'label', at % 5 === 0, { of: 'work' }),
      ...(at % 4 === 0 ? [setFact(session, 'agent', { ...other })] : []),
    ]);
  }
  for (const { query, has } of queries) {
    const expected = sessions.filter((_, at) => has(at));
    const listed = async (page: SessionQuery) => (await history.sessions({ ...query, ...page })).map(({ id }) => id);
    assert.deepEqual(await listed({}), expected, JSON.stringify(query));
    for (const limit of [1, 5, 100]) {
      const pages: string[] = [];
      for (let offset = 0; offset === pages.length; offset += limit) pages.push(...(await listed({ limit, offset })));
      assert.deepEqual(pages, expected, `${JSON.stringify(query)} by ${limit}`);
    }
    assert.deepEqual(await listed({ offset: 3 }), expected.slice(3));
    assert.deepEqual(await listed({ limit: 0 }), []);
  }
});

test('[J17] two hundred and more sessions say the same as few', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  for (let at = 0; at < 205; at++) {
    const session = ids.session();
    const message = ids.message();
    await history.append(session, [
      sessionFact(session, at),
      userFact(session, message, null, 'x', at),
      endFact(session, message, { at, usage: { inputTokens: at } }),
      setFact(session, 'title', `title ${at}`),
    ]);
  }
  const all = await history.sessions();
  const pages = await Promise.all([0, 100, 200].map(offset => history.sessions({ limit: 100, offset })));
  assert.deepEqual(all, pages.flat());
  assert.deepEqual((await history.fields(all[0]?.id ?? ''))?.totals.inputTokens, 204);
});

test('[J17] a session goes to the trash and back as it was, and what is unknown is no error', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const session = await begin(history);
  await history.append(session, [userFact(session, ids.message(), null, 'said')]);
  const before = await history.open(session);
  await history.trash(session);
  assert.equal((await history.open(session))?.trashed, true);
  assert.deepEqual(await history.sessions({ trashed: false }), []);
  await history.restore(session);
  assert.deepEqual(await history.open(session), before);
  const size = () => readdirSync(join(folder, 'journal')).map(name => statSync(join(folder, 'journal', name)).size);
  const written = size();
  for (const unknown of [ids.session(), '']) {
    await history.trash(unknown);
    await history.restore(unknown);
    await history.erase(unknown);
    await history.trash(unknown, { message: ids.message(), subtree: true });
    await history.restore(unknown, ids.message());
  }
  assert.deepEqual(await history.open(session), before);
  assert.deepEqual(size(), written);
});

test('[J17] what is said of something that does not exist is refused, and nothing of it is kept', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const [session, elsewhere, unknown, nobody] = [await begin(history), await begin(history), ids.session(), 'nobody'];
  const theirs = ids.message();
  await history.append(elsewhere, [answerFact(elsewhere, theirs, null)]);
  const text = { kind: 'text', mime: 'text/plain', text: 'x' } as const;
  const rows: readonly (readonly [HistoryErrorCode, Fact])[] = [
    ['no-session', setFact(unknown, 'title', 'x')],
    ['no-session', answerFact(unknown, ids.message(), null)],
    ['no-parent', answerFact(session, ids.message(), nobody)],
    ['no-parent', answerFact(session, ids.message(), theirs)],
    ['no-message', blockFact(session, nobody, 0, text)],
    ['no-message', textFact(session, nobody, 0, 0, 'x')],
    ['no-message', endFact(session, nobody)],
    ['no-message', endFact(session, theirs)],
    ['no-message', setFact(session, 'name', 'x', { of: nobody })],
    ['no-message', setFact(session, 'note', 'x', { of: theirs })],
    ['no-message', setFact(session, 'trashed', true, { of: nobody })],
    ['too-large', setFact(session, 'metadata', 'x'.repeat(300_000), { of: 'key' })],
  ];
  for (const [code, fact] of rows) {
    const said = setFact(fact.session, 'title', 'said with it');
    await assert.rejects(history.append(fact.session, [said, fact]), refused(code), JSON.stringify(fact).slice(0, 200));
    assert.equal((await history.open(session))?.title, '');
  }
  const before = await history.sessions();
  assert.deepEqual(await (await openTestHistory(folder)).sessions(), before);
});

test('[J17] the system prompt can be audited, whatever its size, and is nowhere else', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  for (const systemPrompt of ['You are brief.', 'long '.repeat(100_000)]) {
    const session = ids.session();
    const fact: SessionFact = { ...(sessionFact(session) as SessionFact), cwd: '/a', systemPrompt };
    await history.append(session, [fact, userFact(session, ids.message(), null, 'x')]);
    const window = await openTestHistory(folder);
    // Another beginning of the same session does not count: the first by the clock is the one.
    await window.append(session, [{ ...fact, systemPrompt: 'another' }]);
    for (const one of [history, window]) {
      assert.deepEqual(await one.audit(session), fact);
      assert.ok(!JSON.stringify([await one.open(session), await one.sessions()]).includes(systemPrompt));
    }
    assert.equal(await history.audit(ids.session()), undefined);
    await history.erase(session);
    assert.equal(await history.audit(session), undefined);
  }
});
