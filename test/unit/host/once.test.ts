// What is loaded when it is first needed, where that fails the first time: it is tried again, and a conversation goes on.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { FileWatch } from '../../../src/core/changes.ts';
import type { AllowRules } from '../../../src/core/conversation/allowRules.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import type { AgentsPorts } from '../../../src/host/agents/agents.ts';
import { incognitoMemory, keepingOf } from '../../../src/host/chat/incognito.ts';
import { once, onceEach } from '../../../src/host/once.ts';
import { incognitoId } from '../../../src/model/incognito.ts';
import type { RetirableProgram } from '../../../src/node/acp/program.ts';
import { wasmFile } from '../support/history.ts';
import { workspace } from '../support/recordedVscode.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
/** Modules that cannot be loaded for now, by the end of their names. */
const missing = new Set<string>();
registerHooks({
  resolve(name, context, next) {
    if (name === 'vscode') return { url: recorder, shortCircuit: true };
    for (const end of missing) if (name.endsWith(end)) throw new Error(`There is no ${end} for now.`);
    return next(name, context);
  },
});
const settings = { agents: { mine: { command: '/bin/agent' } } } as { readonly [name: string]: unknown };
Object.assign(workspace, {
  getConfiguration: () => ({
    get: (name: string) => settings[name],
    inspect: (name: string) => ({ globalValue: settings[name] }),
  }),
});
const { Agents } = await import('../../../src/host/agents/agents.ts');

test('[H134] what could not be made is made when it is asked for again, and what is there stays', async () => {
  let tries = 0;
  const made = once(() => (++tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve(tries)));
  assert.equal(made.started(), false);
  const first = [made(), made()];
  assert.equal(made.started(), true);
  for (const one of first) await assert.rejects(one, /not now/);
  assert.equal(made.started(), false);
  assert.deepEqual([await made(), await made(), tries], [2, 2, 2]);
  const all = new Map<string, Promise<number>>();
  await assert.rejects(onceEach(all, 'one', () => Promise.reject(new Error('not now'))));
  assert.equal(await onceEach(all, 'one', () => Promise.resolve(1)), 1);
  assert.equal(await onceEach(all, 'one', () => Promise.resolve(2)), 1);
});

test('[H134] an agent whose code could not be loaded is loaded when it is asked for again', async () => {
  let tries = 0;
  const program = { ref: { id: 'scout', name: 'Scout' } } as RetirableProgram;
  const scout = {
    ref: program.ref,
    detail: '',
    load: () => (++tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve(program)),
  };
  const models = { ...scout, ref: { id: 'models', name: 'Models' } };
  const found = { get: () => Promise.resolve(new Map()), last: new Map() };
  const window = { clock: { now: Date.now, after: () => () => {} }, folders: () => [], own: [], newId: () => 'id' };
  const report = { warn() {} };
  const agents = new Agents({ builtIn: { scout, models }, found, window, report } as unknown as AgentsPorts);
  await assert.rejects(agents.get('scout'), /not now/);
  assert.equal(await agents.get('scout'), program);
  missing.add('node/agentProgram.ts');
  await assert.rejects(agents.get('mine'), /There is no/);
  missing.clear();
  assert.equal((await agents.get('mine')).ref.id, 'mine');
});

test('[H134] a conversation begins without the watch of files, and the next one with it', async () => {
  const files = { prepare() {} } as unknown as FileWatch;
  let tries = 0;
  const failures: unknown[] = [];
  const keeping = keepingOf({
    history: () => Promise.resolve({} as SessionHistory),
    rules: {} as AllowRules,
    files: once(() => (++tries <= 2 ? Promise.reject(new Error('not now')) : Promise.resolve(files))),
    memory: incognitoMemory('writer22', wasmFile),
    onNoFiles: cause => void failures.push(cause),
  });
  assert.equal((await keeping('session22222')).files, null);
  assert.equal((await keeping(incognitoId('session22222'))).files, null);
  assert.equal((await keeping('session22222')).files, files);
  assert.equal(failures.length, 2);
});

test('[H134] the memory of incognito sessions is loaded again where that failed', async () => {
  const memory = incognitoMemory('writer22', wasmFile);
  assert.equal(memory.begun(), null);
  missing.add('history/memoryHistory.ts');
  await assert.rejects(memory.begin(), /There is no/);
  assert.equal(memory.begun(), null);
  missing.clear();
  assert.equal(await memory.begin(), await memory.begun());
});
