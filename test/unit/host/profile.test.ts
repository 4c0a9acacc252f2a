// What VS Code kept for f23b1dd, given to the version of today: its allow rules, the names of its secrets, its agent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers, ruleFor } from '../../../src/core/conversation/allowRules.ts';
import { WorkspaceRules } from '../../../src/host/agents/rules.ts';
import { originOf } from '../../../src/host/agents/secretDestination.ts';
import { Secrets } from '../../../src/host/agents/secrets.ts';
import { keptByVsCode } from '../../fixtures/profile-f23b1dd/profile.ts';
import { mementoOn, secretStorage } from './memento.ts';

const { globalState, workspaceState } = keptByVsCode();

test('[L9] the allow rule that f23b1dd kept counts', () => {
  const state = mementoOn({ text: JSON.stringify(workspaceState) });
  const rules = new WorkspaceRules({ state, now: Date.now, onFailure: assert.ifError });
  const [rule, ...others] = rules.all();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [rule?.agent, rule?.tool, rule?.command, rule?.words],
    ['Scripted', 'edit', null, 'allow editing files'],
  );
  const choices = [{ id: 'yes', name: 'Allow', kind: 'allow_once' }] as const;
  const locations = [{ path: '/ws/a.ts' }];
  const asked = { id: 'p', callId: 'c', title: 'Edit', tool: 'edit', locations, output: [], choices };
  const today = ruleFor('Scripted', asked);
  assert.ok(rule && today && covers(rule, today));
});

test('[L9] the secret that f23b1dd stored is found by its name', async () => {
  // The profile has its name only: this is where f23b1dd stored the value.
  const storage = secretStorage(new Map([['throughline.secret.ORDERS_KEY', 'its value']]));
  const state = mementoOn({ text: JSON.stringify(globalState) });
  const asked: unknown[] = [];
  const ask = (question: unknown) => Promise.resolve(asked.push(question) > 0);
  const kept = new Secrets({ storage, state, isRemote: false, ask });
  assert.deepEqual(kept.names(), ['ORDERS_KEY']);
  const orders = originOf('https://orders.example/v1');
  assert.equal(await kept.resolve('Bearer ${secret:ORDERS_KEY}', orders), 'Bearer its value');
  assert.equal(asked.length, 0, 'on a local machine the first place is not asked about');
  await kept.resolve('${secret:ORDERS_KEY}', originOf('https://elsewhere.example'));
  assert.equal(asked.length, 1);
  const remote = new Secrets({ storage, state: mementoOn({ text: JSON.stringify(globalState) }), isRemote: true, ask });
  await remote.resolve('${secret:ORDERS_KEY}', orders);
  assert.equal(asked.length, 2, 'on a remote the first place is asked about');
});

test('[L9] the agent that was chosen is kept under the same key', () => {
  assert.equal(mementoOn({ text: JSON.stringify(workspaceState) }).get('agent'), 'Scripted');
});
