// The allow rules of a workspace, as they are kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AllowRule } from '../../../src/core/conversation/allowRules.ts';
import { WorkspaceRules } from '../../../src/host/agents/rules.ts';
import { mementoOn, type Disk } from './memento.ts';

const reading: AllowRule = { agent: 'one', tool: 'read', command: null, words: 'allow reading files' };
const command: AllowRule = { agent: 'one', tool: 'execute', command: 'npm test', words: 'allow “npm test”' };

function windowOn(disk: Disk, time = 1000) {
  const failures: unknown[] = [];
  const rules = new WorkspaceRules({
    state: mementoOn(disk),
    now: () => time,
    onFailure: cause => failures.push(cause),
  });
  return { rules, failures };
}

test('[H13] what is added is there in every window and after a restart, until it is taken back', () => {
  const disk: Disk = { text: '{"other":1}' };
  const { rules } = windowOn(disk);
  assert.deepEqual(rules.all(), []);
  rules.add(reading);
  rules.add(command);
  const second = windowOn(disk, 2000).rules;
  assert.deepEqual(second.all(), [
    { ...reading, added: 1000 },
    { ...command, added: 1000 },
  ]);
  second.add(reading);
  assert.deepEqual(
    rules.all().map(({ tool, added }) => [tool, added]),
    [
      ['execute', 1000],
      ['read', 2000],
    ],
  );
  rules.remove(command);
  assert.deepEqual(second.all(), [{ ...reading, added: 2000 }]);
  rules.removeAll();
  assert.deepEqual(second.all(), []);
  assert.equal(disk.text, '{"other":1}');
});

test('[H13] what is kept there and is no rule is passed over', () => {
  const good = { ...command, added: 5 };
  const rows: readonly unknown[] = [
    null,
    7,
    'rule',
    {},
    { ...good, agent: 7 },
    { ...good, tool: undefined },
    { ...good, command: ['npm test'] },
    { ...good, words: null },
    { ...good, added: 'today' },
    { tool: 'read', words: 'x', added: 1, command: null },
  ];
  const disk: Disk = { text: JSON.stringify({ allowRules: [...rows, { ...good, more: 'field' }] }) };
  assert.deepEqual(windowOn(disk).rules.all(), [good]);
  for (const text of ['{"allowRules":{"0":1}}', '{"allowRules":"all"}'])
    assert.deepEqual(windowOn({ text }).rules.all(), []);
});

test('[H13] that a rule could not be kept is told', async () => {
  const failures: unknown[] = [];
  const state = { ...mementoOn({ text: '{}' }), update: () => Promise.reject(new Error('the disk is full')) };
  const rules = new WorkspaceRules({ state, now: () => 0, onFailure: cause => failures.push(cause) });
  rules.add(reading);
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(failures.length, 1);
});
