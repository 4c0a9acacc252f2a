// Two windows that are about to write the same: the one that writes second has read, before it writes, what the first one
// wrote, whether it was told of it or not.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { bindingFact, type Binding } from '../../../src/core/conversation/binding.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { Fact } from '../../../src/model/record.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { closesWith, temporaryFolder, wasmFile } from '../support/history.ts';

const session = 'session2';

/** Two windows on a session that begins with these facts. Nobody tells the one of what the other writes. */
async function twoStores(t: TestContext, ...begun: readonly Fact[]): Promise<readonly [Store, Store]> {
  const open = await storesIn(temporaryFolder(t));
  const first = open('writer22');
  first.append(session, [sessionFact(session), userFact(session, 'm0', null, 'first'), ...begun])();
  return [first, open('writer33')];
}

async function storesIn(folder: string, now = Date.now): Promise<(writer: string) => Store> {
  const open = await loadSqlite(wasmFile);
  return writer => {
    const store = new Store(folder, writer, open, now);
    closesWith(folder, () => Promise.resolve(store.close()));
    return store;
  };
}

test('[T13] a prompt that another window made a message of is refused, before anything is told of it', async t => {
  const value = { content: '{"id":"one","message":"m1","text":"later"}', data: [], writer: 'gone2222', position: 1 };
  const waits: Fact = { type: 'set', session, name: 'queued', of: 'm1', from: 'm1', value };
  const [first, second] = await twoStores(t, waits);
  const sent: readonly Fact[] = [userFact(session, 'm1', 'm0', 'later'), { ...waits, value: null }];
  first.append(session, sent)();
  assert.throws(() => second.append(session, sent), new HistoryError('exists'));
});

const known: Binding = {
  agent: 'scripted',
  agentSession: 'session1',
  from: null,
  head: 'm0',
  dirty: false,
  cwd: null,
  owner: 'writer22',
};

/** The record of a prompt that goes to the agent session. */
function prompt(id: string, parent: string, owner: string): readonly Fact[] {
  const taken: Binding = { ...known, head: null, dirty: true, owner };
  return [userFact(session, id, parent, 'later'), bindingFact(session, taken)];
}

test('[C7] the record of a prompt is refused where another window’s took the agent session first', async t => {
  const [first, second] = await twoStores(t, bindingFact(session, known));
  first.append(session, prompt('m1', 'm0', 'writer22'))();
  const refused = new HistoryError('agent-session-taken');
  assert.throws(() => second.append(session, prompt('m2', 'm0', 'writer33')), refused);
  // Also when that turn is over: the agent session knows it, and this prompt answers what was before it.
  first.append(session, [bindingFact(session, { ...known, head: 'm1' })])();
  assert.throws(() => second.append(session, prompt('m2', 'm0', 'writer33')), refused);
  // What goes on from it may.
  second.append(session, prompt('m2', 'm1', 'writer33'))();
  assert.throws(() => first.append(session, prompt('m3', 'm1', 'writer22')), refused);
});

test('[C7] a window takes an agent session again whose last turn it could not save, and any that is new', async t => {
  const [first, second] = await twoStores(t);
  first.append(session, prompt('m1', 'm0', 'writer22'))();
  first.append(session, prompt('m2', 'm1', 'writer22'))();
  const other = { ...known, agentSession: 'session9', head: null, dirty: true, owner: 'writer33' };
  second.append(session, [userFact(session, 'm3', 'm0', 'beside'), bindingFact(session, other)])();
});

test('[C7] a window whose files are new is seen though the folder was listed before', async t => {
  // As if the folder had not changed for ten seconds when it is listed.
  const open = await storesIn(temporaryFolder(t), () => Date.now() + 10_000);
  const [first, second] = [open('writer22'), open('writer33')];
  first.append(session, [sessionFact(session), userFact(session, 'm0', null, 'first'), bindingFact(session, known)])();
  const other = { ...known, agentSession: 'session9', head: null, dirty: true };
  for (const id of ['m1', 'm2'])
    second.append(session, [userFact(session, id, 'm0', id), bindingFact(session, other)])();
  open('writer44').append(session, prompt('m3', 'm0', 'writer44'))();
  assert.throws(() => second.append(session, prompt('m4', 'm0', 'writer33')), new HistoryError('agent-session-taken'));
});
