// Secrets by name, and what they are put into.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentErrorIn } from '../../../src/core/agentError.ts';
import { McpSetting } from '../../../src/host/agents/mcpSetting.ts';
import { originOf } from '../../../src/host/agents/secretDestination.ts';
import { Secrets } from '../../../src/host/agents/secrets.ts';
import { mementoOn, secretStorage, type Disk } from './memento.ts';

function stage() {
  const kept = new Map<string, string>();
  const disk: Disk = { text: '{}' };
  const state = mementoOn(disk);
  const ask = () => Promise.resolve(false);
  return { kept, disk, secrets: new Secrets({ storage: secretStorage(kept), state, isRemote: false, ask }) };
}

const canary = 'canary-4711';
const here = originOf('https://example.org/v1');

test('[H11] a secret is put where it is named, and nothing else is changed', async () => {
  const { secrets } = stage();
  await secrets.set('KEY', canary);
  await secrets.set('my.key-2', '${secret:KEY}');
  const rows: readonly [text: string, resolved: string][] = [
    ['', ''],
    ['no secret', 'no secret'],
    ['${secret:KEY}', canary],
    ['Bearer ${secret:KEY}, ${secret:KEY}!', `Bearer ${canary}, ${canary}!`],
    // What a secret holds is not looked into.
    ['${secret:my.key-2}', '${secret:KEY}'],
    ['${env:KEY} $secret:KEY ${secret', '${env:KEY} $secret:KEY ${secret'],
  ];
  for (const [text, resolved] of rows) assert.equal(await secrets.resolve(text, here), resolved, text);
  assert.deepEqual(await secrets.resolveAll({ '${secret:KEY}': 'a', B: '${secret:KEY}' }, here), {
    '${secret:KEY}': 'a',
    B: canary,
  });
});

test('[H11] a secret that is not set is refused in words that name it', async () => {
  const { secrets } = stage();
  await secrets.set('KEY', canary);
  for (const name of ['OTHER', 'key', '', 'a b', 'KEY ']) {
    const failure: unknown = await secrets
      .resolveAll({ A: '${secret:KEY}', B: `\${secret:${name}}` }, here)
      .catch(cause => cause);
    const error = agentErrorIn(failure);
    assert.equal(error?.message, `The secret “${name}” is not set. Set it with “Throughline: Manage Secrets…”.`);
    assert.ok(!`${error?.stack} ${JSON.stringify(error)}`.includes(canary));
  }
});

test('[H11] names are listed, replaced and deleted; values are in the secret storage only', async () => {
  const { secrets, kept, disk } = stage();
  await secrets.set('B', 'old');
  await secrets.set('A', 'another');
  await secrets.set('B', canary);
  assert.deepEqual(secrets.names(), ['A', 'B']);
  assert.deepEqual([...kept.values()].toSorted(), ['another', canary]);
  assert.ok(!disk.text.includes(canary));
  await secrets.delete('A');
  assert.deepEqual(secrets.names(), ['B']);
  assert.deepEqual([...kept.values()], [canary]);
  for (const name of ['', 'a b', 'a}', 'ä', 'x'.repeat(129)]) {
    const failure: unknown = await secrets.set(name, `${canary}-${name}`).catch((cause: unknown) => cause);
    assert.ok(failure instanceof Error);
    assert.equal(failure.message, 'A name has letters, digits, “_”, “.” and “-” only.');
    assert.ok(!`${failure.stack} ${JSON.stringify(failure)} ${String(failure.cause)}`.includes(canary));
  }
  disk.text = '{"secretNames":["OK",7,"a b",null]}';
  assert.deepEqual(secrets.names(), ['OK']);
});

test('[A81] the values that this window has seen are taken out of any text, and no others are', async () => {
  const { secrets, kept } = stage();
  kept.set('throughline.secret.OLD', 'value-from-before');
  await secrets.set('KEY', canary);
  const text = `${canary} and value-from-before`;
  assert.equal(secrets.remove(text), '••• and value-from-before');
  await secrets.resolve('${secret:OLD}', here);
  assert.equal(secrets.remove(text), '••• and •••');
  // Whoever has it may still say it.
  await secrets.delete('KEY');
  assert.equal(secrets.remove(text), '••• and •••');
});

test('[H12] MCP servers are used with their secrets, and what is wrong with one is told once and hurts no other', async () => {
  const { secrets } = stage();
  await secrets.set('KEY', canary);
  await secrets.set('WEB', canary);
  const told: string[] = [];
  let written: unknown = {
    files: { command: 'files', args: ['--all'], env: { TOKEN: '${secret:KEY}' } },
    web: { url: 'https://example.org/mcp', headers: { Authorization: 'Bearer ${secret:WEB}' } },
    broken: { args: [] },
    locked: { command: 'locked', env: { TOKEN: '${secret:MISSING}' } },
  };
  const gate = { refusal: () => Promise.resolve(null), asksAbout: () => Promise.resolve(false) };
  const setting = new McpSetting({ read: () => written, secrets, gate, warn: words => told.push(words) });
  const expected = [
    { kind: 'stdio', name: 'files', command: 'files', args: ['--all'], env: { TOKEN: canary } },
    { kind: 'http', name: 'web', url: 'https://example.org/mcp', headers: { Authorization: `Bearer ${canary}` } },
  ];
  assert.deepEqual(await setting.servers(), expected);
  assert.deepEqual(await setting.servers(), expected);
  assert.equal(told.length, 2);
  assert.match(told[0] ?? '', /“broken” has no command/);
  assert.match(told[1] ?? '', /“locked” is not used\. The secret “MISSING” is not set/);
  assert.ok(!told.join().includes(canary));

  await secrets.set('MISSING', 'found');
  assert.equal((await setting.servers()).length, 3, 'a secret that was set counts at once');
  written = { broken: { args: [] } };
  assert.deepEqual(await setting.servers(), []);
  assert.equal(told.length, 3, 'the setting is another: told again');
  written = undefined;
  assert.deepEqual(await setting.servers(), []);
  assert.equal(told.length, 3);
});
