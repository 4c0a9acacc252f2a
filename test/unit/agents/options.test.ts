// What an agent's session can be set to: the three ways in which agents tell it, each on the wire.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentSession, AgentSessionChange } from '../../../src/core/agents.ts';
import type { AgentOption } from '../../../src/model/agentState.ts';
import { optionsOf, optionStateOf, withMode } from '../../../src/node/acp/options.ts';
import { here, never, play, scripted } from '../support/scriptedProgram.ts';

async function sessionWith(t: TestContext, kinds: string): Promise<AgentSession> {
  return (await scripted(t, { flags: [`--options=${kinds}`] }).start(never)).newSession(here, never);
}

const short = (options: readonly AgentOption[]) =>
  options.map(({ id, category, value }) => `${id}/${category}=${value}`);

const ways: readonly (readonly [kinds: string, options: readonly string[]])[] = [
  ['none', []],
  ['modes', ['mode/mode=ask']],
  ['modes,models', ['mode/mode=ask', 'model/model=small']],
  ['config', ['effort/thought_level=low']],
  ['config,boolean', ['effort/thought_level=low', 'web/=false']],
  ['config,modes', ['effort/thought_level=low']],
  ['config,modes,models', ['effort/thought_level=low', 'model/model=small']],
];

test('[A8] all ways are options, and configOptions go before modes', async t => {
  for (const [kinds, options] of ways)
    await t.test(kinds, async inner => assert.deepEqual(short((await sessionWith(inner, kinds)).options), options));
});

test('[A8] choices keep their order and their groups', async t => {
  const [effort] = (await sessionWith(t, 'config')).options;
  assert.deepEqual(effort?.choices, [
    { value: 'low', name: 'Low', description: '', group: 'Cheap' },
    { value: 'high', name: 'High', description: 'Thinks long', group: 'Dear' },
  ]);
});

const settings: readonly (readonly [kinds: string, option: string, value: string | boolean, after: string])[] = [
  ['config', 'effort', 'high', 'effort/thought_level=high'],
  ['config,boolean', 'web', true, 'web/=true'],
  ['modes', 'mode', 'plan', 'mode/mode=plan'],
  ['models', 'model', 'large', 'model/model=large'],
];

test('[A8] what is set goes back by the way on which it came, and is told', async t => {
  for (const [kinds, option, value, after] of settings)
    await t.test(option, async inner => {
      const session = await sessionWith(inner, kinds);
      const changes: AgentSessionChange[] = [];
      session.onDidChange(change => changes.push(change));
      await session.setOption(option, value, never);
      assert.ok(short(session.options).includes(after));
      assert.deepEqual(changes, [{ type: 'options', options: session.options }]);
    });
});

const refused: readonly (readonly [kinds: string, option: string, value: string | boolean])[] = [
  ['config', 'nothing', 'high'],
  ['config', 'effort', 'higher'],
  ['config', 'effort', true],
  ['config,boolean', 'web', 'yes'],
  ['config,modes', 'mode', 'plan'],
];

test('[A8] what cannot be set is refused by name and changes nothing', async t => {
  for (const [kinds, option, value] of refused)
    await t.test(`${option} ${value}`, async inner => {
      const session = await sessionWith(inner, kinds);
      const before = session.options;
      await assert.rejects(session.setOption(option, value, never), { name: 'AgentError', code: 'invalid' });
      assert.deepEqual(session.options, before);
    });
});

test('[A8] a change that the agent makes by itself is told: its mode, or all of its options', async t => {
  const session = await sessionWith(t, 'config');
  const told: (readonly string[])[] = [];
  session.onDidChange(change => change.type === 'options' && told.push(short(change.options)));
  const configOptions = [{ id: 'x', name: 'X', type: 'boolean', currentValue: true }];
  await play(session, JSON.stringify([{ update: { sessionUpdate: 'config_option_update', configOptions } }]));
  assert.deepEqual(told, [['x/=true']]);
});

test('[A8] a mode told in the old way changes the option that is the mode', () => {
  const option = {
    id: 'm',
    name: 'M',
    category: 'mode',
    type: 'select',
    currentValue: 'ask',
    options: [{ value: 'ask' }, { value: 'plan' }],
  };
  const state = optionStateOf({ configOptions: [option] });
  assert.deepEqual(short(optionsOf(withMode(state, 'plan'))), ['m/mode=plan']);
  assert.deepEqual(short(optionsOf(withMode(state, 'never heard of'))), ['m/mode=ask']);
});

test('[A8] nonsense is left out', () => {
  const odd = { configOptions: [7, {}, { id: 'a', type: 'select' }, { id: 'b', type: 'boolean', currentValue: 'x' }] };
  for (const answer of [odd, {}, { modes: 7, models: { currentModelId: 1 } }, { modes: { currentModeId: 'a' } }])
    assert.deepEqual(optionsOf(optionStateOf(answer as never)), []);
});
