// Narrowing a search, over real files, in the worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchFilter } from '../../../src/core/history/searchFilter.ts';
import type { History } from '../../../src/core/history/history.ts';
import { blockFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { say } from '../support/said.ts';

const never = new AbortController().signal;

/** The sessions that a search for a word finds, and those that a full scan finds. */
async function found(history: History, filter: SearchFilter, words = 'needle'): Promise<readonly string[]> {
  const { hits } = await history.search(words, { filter });
  const scanned = await history.scan(words, () => {}, never, filter);
  const sessions = (some: typeof hits) => [...new Set(some.map(({ session }) => session))];
  if (words !== '') assert.deepEqual(sessions(scanned.hits), sessions(hits), JSON.stringify(filter));
  return sessions(hits);
}

test('[H77] a search and a scan are narrowed by agent, labels, time, changes, archive and trash', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const [a, b, c, d] = [
    (await say(history, ['a needle'], 1000)).session,
    (await say(history, ['the needle'], 2000)).session,
    (await say(history, ['one needle'], 3000)).session,
    (await say(history, ['my needle'], 4000)).session,
  ];
  await history.append(a, [setFact(a, 'agent', { id: 'cc', name: 'Claude Code' })]);
  await history.append(b, [setFact(b, 'label', true, { of: 'Work' }), setFact(b, 'archived', true)]);
  await history.trash(c);
  const change = { path: '/a.ts', before: { kind: 'absent' }, after: { kind: 'absent' }, seen: 'disk' } as const;
  const answer = ids.message();
  await history.append(d, [{ ...userFact(d, answer, null, 'done', 4001) }]);
  const noFiles = { kind: 'changes', mime: 'application/json', files: [] } as const;
  await history.append(a, [userFact(a, ids.message(), null, '"kind":"changes"', 1001)]);
  await history.append(b, [blockFact(b, (await history.tree(b))[0]?.id ?? '', 1, noFiles)]);
  await history.append(d, [blockFact(d, answer, 1, { ...noFiles, files: [change] })]);
  const rows: readonly (readonly [filter: SearchFilter, sessions: readonly string[]])[] = [
    [{}, [d, b, a]],
    [{ agent: 'claude' }, [a]],
    [{ agent: 'CC' }, [a]],
    [{ agent: 'nobody' }, []],
    [{ labels: ['work'] }, [b]],
    [{ labels: ['work', 'other'] }, []],
    [{ after: 2000 }, [d, b]],
    [{ before: 2000 }, [a]],
    [{ changes: true }, [d]],
    [{ noArchive: true }, [d, a]],
    [{ trash: true }, [d, c, b, a]],
    [{ trash: true, after: 2500, noArchive: true }, [d, c]],
  ];
  for (const [filter, sessions] of rows)
    assert.deepEqual(await found(history, filter), sessions, JSON.stringify(filter));
  assert.deepEqual(await found(history, { changes: true }, ''), [d], 'without words, the sessions');
  assert.deepEqual((await history.search('', {})).hits, []);
});

test('[H77] a hit says whether its branch is the one that was left, how that is called, and who said it', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, messages } = await say(history, ['root', 'left needle']);
  const [root = ''] = messages;
  const right = ids.message();
  const sub = ids.message();
  await history.append(session, [
    userFact(session, right, root, 'right needle', 2000),
    setFact(session, 'head', right),
    setFact(session, 'name', 'The left way', { of: messages[1] ?? '' }),
  ]);
  const said = userFact(session, sub, root, 'deep needle', 3000);
  if (said.type === 'message') {
    await history.append(session, [{ ...said, message: { ...said.message, label: 'subagent:reader:1' } }]);
  }
  const places = async (filter: SearchFilter) =>
    (await history.search('needle', { filter })).hits.map(({ message, where }) => [message, where]);
  const none = { agent: 'Scripted agent', archived: false, trashed: false, dormant: false, branch: null, label: null };
  const left = { ...none, dormant: true, branch: 'The left way' };
  assert.deepEqual(await places({}), [
    [sub, { ...none, label: 'subagent:reader:1' }],
    [right, none],
    [messages[1], left],
  ]);
  await history.trash(session, { message: messages[1] ?? '', subtree: false });
  assert.deepEqual((await places({})).length, 2);
  assert.deepEqual((await places({ trash: true })).at(-1), [messages[1], { ...left, trashed: true }]);
});

test('[H77] however many titles fit, what was said is found too', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { messages } = await say(history, ['a needle']);
  for (let n = 0; n < 5; n++) {
    const { session } = await say(history, ['nothing']);
    await history.append(session, [setFact(session, 'title', `Needle ${n}`)]);
  }
  const { hits, more } = await history.search('needle', { limit: 4, titles: 2 });
  assert.deepEqual(
    hits.map(({ message }) => message),
    [null, null, ...messages],
  );
  assert.equal(more, true);
});

test('[H81] of some sessions only what is theirs is listed and searched, and those that fork say so', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const [a, b, c] = [await say(history, ['one', 'two']), await say(history, ['one']), await say(history, ['one'])];
  await history.append(a.session, [userFact(a.session, ids.message(), a.messages[0] ?? null, 'another')]);
  const sub = userFact(b.session, ids.message(), b.messages[0] ?? null, 'deep');
  if (sub.type === 'message') {
    await history.append(b.session, [{ ...sub, message: { ...sub.message, label: 'subagent:x:1' } }]);
  }
  const [one, two, three] = [a.session, b.session, c.session];
  const listed = async (of: readonly string[]) => (await history.sessions({ ids: of })).map(({ id }) => id).toSorted();
  assert.deepEqual(await listed([one, three, 'nobody']), [one, three].toSorted());
  assert.deepEqual(await listed([]), []);
  const forked = (await history.sessions()).flatMap(({ id, forked: isForked }) => (isForked ? [id] : []));
  assert.deepEqual(forked.toSorted(), [one, two].toSorted());
  const found = async (query: object) => (await history.search('one', query)).hits.map(({ session }) => session);
  assert.equal((await found({ perSession: 1 })).length, 3);
  await history.append(one, [setFact(one, 'title', 'All in one')]);
  assert.equal((await history.search('one', { session: one })).hits.length, 1, 'without its title');
  assert.equal((await history.search('one', { session: one, titles: 1 })).hits.length, 2);
  for (let n = 0; n < 5; n++) {
    await history.append(one, [userFact(one, ids.message(), a.messages[0] ?? null, `one more ${n}`)]);
  }
  assert.equal((await found({ perSession: 2, titles: 0 })).filter(session => session === one).length, 2);
});
