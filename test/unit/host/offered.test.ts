// What is offered after `@` besides files, and how often the editor, the disk and history are asked for it.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import { SessionList } from '../../../src/host/history/sessionList.ts';
import type { Guard } from '../../../src/node/files/guard.ts';
import { window, languages } from '../support/recordedVscode.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { offeredIn } = await import('../../../src/host/adding/offered.ts');

function summary(id: string): SessionSummary {
  const none = { model: null, mode: null, cwd: null, key: null, origin: null, expires: null };
  const flags = { forked: false, trashed: false, archived: false, pinned: false };
  const agent = { id: 'one', name: 'One' };
  return { id, title: id, agent, ...none, ...flags, created: 0, active: 0, messages: 2, labels: [], metadata: {} };
}

const uriOf = (path: string) => ({ scheme: 'file', fsPath: path, path, toString: () => `file://${path}` });

test('[H72] while a list is open the editor and its files are looked at once, and history only after a change', async () => {
  const line = (n: number) => ({ line: n, character: 0 });
  const problem = (n: number) => ({ severity: 0, message: `problem ${n}`, range: { start: line(n), end: line(n) } });
  const many = Array.from({ length: 60 }, (_, n) => problem(n));
  let looked = 0;
  languages.getDiagnostics = () => {
    looked++;
    return [
      [uriOf('/w/a.ts'), many.slice(0, 30)],
      [uriOf('/w/.env'), many.slice(30)],
    ];
  };
  Object.assign(window, { activeTextEditor: undefined, visibleTextEditors: [] });
  const resolved: string[] = [];
  const guard = {
    resolve(path: string) {
      resolved.push(path);
      return Promise.resolve(path.endsWith('.env') ? { kind: 'ask', why: 'it may hold secrets' } : { kind: 'inside' });
    },
  } as unknown as Guard;
  const listed: (readonly string[] | undefined)[] = [];
  const sessions = ['here', 'one', 'two'].map(summary);
  const list = new SessionList(of => {
    listed.push(of);
    return Promise.resolve(sessions.filter(({ id }) => of?.includes(id) ?? true));
  });
  const open = offeredIn({ guard, sessions: () => list.read(), now: () => 0 });

  const offered = open('here');
  const names = async () => (await offered()).map(({ block }) => block.name);
  assert.deepEqual((await names()).slice(-3), ['Problem in a.ts:30', 'one', 'two']);
  for (let letter = 0; letter < 10; letter++) assert.equal((await names()).length, 32);
  assert.deepEqual([looked, resolved, listed], [1, ['/w/a.ts', '/w/.env'], [undefined]]);

  sessions.push(summary('three'));
  list.changed('three');
  assert.deepEqual((await names()).slice(-3), ['one', 'three', 'two']);
  assert.deepEqual([looked, resolved.length, listed.length], [1, 2, 2]);
  await open('here')();
  assert.deepEqual([looked, resolved.length, listed.length], [2, 4, 2], 'another list looks anew');
});
