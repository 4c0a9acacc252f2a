// What the tree of sessions asks history for, and how often: its first drawing and its refreshes must not cost more with
// every session and branch.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import { SessionList } from '../../../src/host/history/sessionList.ts';
import type { SessionId } from '../../../src/model/message.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { SessionTree } = await import('../../../src/host/sessions/sessionTree.ts');

const now = new Date(2026, 10, 18, 12).getTime();

function summary(id: string, at: number): SessionSummary {
  return {
    id,
    title: id,
    agent: { id: 'one', name: 'One' },
    model: null,
    mode: null,
    cwd: null,
    key: null,
    origin: null,
    created: now - at,
    active: now - at,
    expires: null,
    messages: 2,
    forked: true,
    trashed: false,
    archived: false,
    pinned: false,
    labels: [],
    metadata: {},
  };
}

function scene(count: number) {
  const sessions = new Map(Array.from({ length: count }, (_, at) => [`s${at}`, summary(`s${at}`, at)]));
  const asked: (readonly SessionId[] | 'all')[] = [];
  const failing = { next: false };
  const list = new SessionList(async of => {
    asked.push(of ?? 'all');
    await Promise.resolve();
    if (failing.next) throw new Error('The disk is gone.');
    return [...sessions.values()].filter(({ id }) => of?.includes(id) ?? true);
  });
  return { sessions, asked, list, failing };
}

test('[H30] sessions are listed once, and after a change only those that changed', async () => {
  const { sessions, asked, list, failing } = scene(200);
  const idsIn = async () => (await list.read()).map(({ id }) => id);
  const [one, other] = await Promise.all([idsIn(), idsIn()]);
  assert.deepEqual(one, [...sessions.keys()]);
  assert.deepEqual(other, one);
  await list.read();
  assert.deepEqual(asked, ['all'], 'who asks meanwhile or later gets the same answer');

  sessions.set('s7', summary('s7', -1));
  sessions.delete('s8');
  for (const id of ['s7', 's8', 's7']) list.changed(id);
  assert.deepEqual((await idsIn()).slice(0, 2), ['s7', 's0']);
  assert.equal((await idsIn()).includes('s8'), false);
  assert.deepEqual(asked.splice(0), ['all', ['s7', 's8']]);

  list.changed('s1');
  const reading = list.read();
  list.changed('s2');
  await Promise.all([reading, list.read(), list.read()]);
  assert.deepEqual(asked.splice(0), [['s1'], ['s2']], 'what changes while it is read is read after it');

  for (const id of sessions.keys()) list.changed(id);
  await list.read();
  assert.deepEqual(asked.splice(0), ['all'], 'many are not asked for by name');

  failing.next = true;
  list.changed('s3');
  await assert.rejects(list.read());
  failing.next = false;
  assert.equal((await list.read()).length, 199);
  assert.deepEqual(asked, [['s3'], 'all'], 'after a failure nothing is known');
});

test('[H30] [H31] the first drawing of the tree is one question, however many ask for it, and no branch is read', async () => {
  const { asked, list, sessions } = scene(1000);
  const read: string[] = [];
  const tree = new SessionTree({
    list,
    branches: session => (read.push(session), Promise.resolve([])),
    totals: session => (read.push(session), Promise.resolve(undefined)),
    doing: () => 'nothing',
    folderOf: () => null,
    clock: { now: () => now, after: (_milliseconds, later) => (setImmediate(later), () => {}) },
    onFailure: assert.ifError,
  });
  const [[today], again] = await Promise.all([tree.getChildren(), tree.getChildren()]);
  assert.deepEqual(again, [today]);
  const rows = await tree.getChildren(today);
  for (const row of rows) tree.getTreeItem(row);
  assert.equal(rows.length, 201);
  assert.deepEqual([asked, read], [['all'], []]);

  const drawn = new Promise(resolve => tree.onDidChangeTreeData(resolve));
  sessions.set('s3', { ...summary('s3', 3), title: 'Another' });
  tree.refresh('s3');
  assert.deepEqual(await drawn, { kind: 'session', session: 's3' });
  assert.deepEqual([asked, read], [['all', ['s3']], []]);
});
