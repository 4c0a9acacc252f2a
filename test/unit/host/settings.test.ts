// What a person wrote into the settings, however badly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredAgentsIn } from '../../../src/host/agents/configuredAgents.ts';

test('[H12] an agent is what its entry says, and an entry that cannot be started hurts no other', () => {
  const good = { command: 'agent', args: ['--acp'], env: { KEY: '${secret:KEY}' } };
  const bad: readonly unknown[] = [
    null,
    'agent',
    {},
    { command: '' },
    { command: ['agent'] },
    { command: 'agent', args: '--acp' },
    { command: 'agent', args: [7] },
    { command: 'agent', env: null },
    { command: 'agent', env: 'A=B' },
  ];
  const written = Object.fromEntries([...bad.map((one, at) => [`bad ${at}`, one]), ['Good', good]]) as unknown;
  assert.deepEqual([...configuredAgentsIn(written)], [['Good', good]]);
  assert.deepEqual(
    [...configuredAgentsIn({ Least: { command: 'agent', env: { KEPT: 'yes', LEFT: 7 } } })],
    [['Least', { command: 'agent', args: [], env: { KEPT: 'yes' } }]],
  );
  for (const value of [undefined, null, 'agents', 7, []]) assert.equal(configuredAgentsIn(value).size, 0);
});
