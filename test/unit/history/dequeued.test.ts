// Two windows that show the same waiting prompt: the one that sends it second has read, before it writes, what the first
// one wrote, whether it was told of it or not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { Fact } from '../../../src/model/record.ts';
import { loadSqlite } from '../../../src/node/history/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { closesWith, temporaryFolder, wasmFile } from '../support/history.ts';

const session = 'session2';

test('[T13] a prompt that another window made a message of is refused, before anything is told of it', async t => {
  const open = await loadSqlite(wasmFile);
  const folder = temporaryFolder(t);
  const first = new Store(folder, 'writer22', open, Date.now);
  const value = { content: '{"id":"one","message":"m1","text":"later"}', data: [], writer: 'gone2222', position: 1 };
  const waits: Fact = { type: 'set', session, name: 'queued', of: 'm1', from: 'm1', value };
  first.append(session, [sessionFact(session), userFact(session, 'm0', null, 'first'), waits])();
  const second = new Store(folder, 'writer33', open, Date.now);
  for (const store of [first, second]) closesWith(folder, () => Promise.resolve(store.close()));
  // Nobody tells the one of what the other writes.
  const sent: readonly Fact[] = [userFact(session, 'm1', 'm0', 'later'), { ...waits, value: null }];
  first.append(session, sent)();
  assert.throws(() => second.append(session, sent), new HistoryError('exists'));
});
