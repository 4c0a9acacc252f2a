// Sessions that are opened by a stable key: the same one in every window, and the next when one is over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { History, SessionSummary } from '../../../src/core/history/history.ts';
import { Changes } from '../../../src/node/history/changes.ts';
import { Erasing } from '../../../src/node/history/erasing/erasing.ts';
import { findSession } from '../../../src/node/history/index/listSessions.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { agentRef, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';
import { until } from '../support/refused.ts';

const patience = { timeout: 60_000 };

async function summaryOf(history: History, session: string): Promise<SessionSummary | undefined> {
  return (await history.sessions()).find(({ id }) => id === session);
}

const fresh = { created: 1000, agent: agentRef, cwd: '/a' };

test('[J18] two windows that open a key at the same moment have the same session', patience, async t => {
  const folder = temporaryFolder(t);
  const [one, two] = [await openTestHistory(folder), await openTestHistory(folder)];
  for (let round = 0; round < 5; round++) {
    const key = `key ${round}`;
    const [first, second] = await Promise.all([one.openByKey(key, fresh), two.openByKey(key, fresh)]);
    assert.equal(first, second);
    assert.match(first, /^[2-9a-hjkmnp-z]{12}$/, 'an id like any other');
    await one.append(first, [userFact(first, ids.message(), null, 'from one')]);
    await two.append(second, [userFact(second, ids.message(), null, 'from two')]);
    await until(async () => (await one.tree(first)).length === 2 && (await two.tree(first)).length === 2);
    for (const window of [one, two, await openTestHistory(folder)]) {
      assert.equal(await window.openByKey(key, fresh), first);
      const summary = await summaryOf(window, first);
      assert.deepEqual(summary?.key, { key, generation: 0 });
      assert.equal(summary.messages, 2);
      assert.equal((await window.sessions()).length, round + 1);
    }
  }
});

const past = 1000;
const future = 9e15;

interface KeyRow {
  readonly what: string;
  readonly act: (history: History, session: string) => Promise<unknown>;
  readonly next: boolean;
}

const keyRows: readonly KeyRow[] = [
  { what: 'nothing', act: async () => {}, next: false },
  { what: 'archived', act: (history, id) => history.append(id, [setFact(id, 'archived', true)]), next: false },
  { what: 'not yet expired', act: (history, id) => history.append(id, [setFact(id, 'expires', future)]), next: false },
  { what: 'expired', act: (history, id) => history.append(id, [setFact(id, 'expires', past)]), next: true },
  { what: 'reset', act: history => history.resetKey('key'), next: true },
  {
    what: 'reset, twice',
    act: async history => [await history.resetKey('key'), await history.resetKey('key')],
    next: true,
  },
  { what: 'in the trash', act: (history, id) => history.trash(id), next: true },
  {
    what: 'in the trash and back',
    act: async (history, id) => [await history.trash(id), await history.restore(id)],
    next: false,
  },
  {
    what: 'reset in the trash, and back',
    act: async (history, id) => [await history.trash(id), await history.resetKey('key'), await history.restore(id)],
    next: true,
  },
  { what: 'erased', act: (history, id) => history.erase(id), next: true },
];

test(
  '[J18] a session that is over is followed by the next generation, in every window, and is kept',
  patience,
  async t => {
    for (const { what, act, next } of keyRows) {
      const folder = temporaryFolder(t);
      const history = await openTestHistory(folder);
      let session = await history.openByKey('key', fresh);
      const other = await history.openByKey('another key', fresh);
      assert.notEqual(other, session);
      for (let generation = 0; generation < 2; generation++) {
        await act(history, session);
        const opened = await history.openByKey('key', fresh);
        assert.equal(opened !== session, next, what);
        for (const window of [history, await openTestHistory(folder)]) {
          assert.equal(await window.openByKey('key', fresh), opened, what);
          assert.equal((await summaryOf(window, opened))?.key?.generation, next ? generation + 1 : 0, what);
          assert.equal(await window.openByKey('another key', fresh), other, what);
          assert.equal((await window.open(session)) === undefined, what === 'erased', what);
        }
        session = opened;
      }
    }
  },
);

test('[J18] the key stays with the newest generation, whatever becomes of the older ones', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  await history.resetKey('key');
  assert.deepEqual(await history.sessions(), [], 'a key that nobody has opened has nothing to reset');
  const first = await history.openByKey('key', fresh);
  await history.trash(first);
  const second = await history.openByKey('key', fresh);
  await history.restore(first);
  assert.equal(await history.openByKey('key', fresh), second);
  // What was over already does not keep a reset from the one that is not.
  await history.trash(first);
  await history.resetKey('key');
  const third = await history.openByKey('key', fresh);
  assert.equal(new Set([first, second, third]).size, 3);
  await history.erase(third);
  assert.equal((await summaryOf(history, await history.openByKey('key', fresh)))?.key?.generation, 3);
});

test('[J18] what was erased does not give the key back to what was before it', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const first = await history.openByKey('key', fresh);
  await history.trash(first);
  await history.erase(await history.openByKey('key', fresh));
  await history.restore(first);
  const third = await history.openByKey('key', fresh);
  assert.deepEqual((await summaryOf(history, third))?.key, { key: 'key', generation: 2 });
});

test('[J18] a key whose session another window has just erased opens the next one', async t => {
  const open = await loadSqlite(wasmFile);
  const folder = temporaryFolder(t);
  const [one, two] = [new Store(folder, 'writer22', open, Date.now), new Store(folder, 'writer33', open, Date.now)];
  const [changes, others] = [one, two].map(store => new Changes(store, () => 2000));
  const { value: session, finish } = changes?.openByKey('key', fresh) ?? assert.fail();
  finish();
  // Nobody has told the second of either.
  new Erasing(one).erase(session, null);
  const second = others?.openByKey('key', fresh) ?? assert.fail();
  second.finish();
  assert.notEqual(second.value, session);
  assert.deepEqual(findSession(two.db, second.value)?.key, { key: 'key', generation: 1 });
  one.close();
  two.close();
});
