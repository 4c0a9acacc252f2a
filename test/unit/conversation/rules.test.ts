// "Always", as a rule of the workspace's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameRule, ruleFor, type AllowRule, type AllowRules } from '../../../src/core/conversation/allowRules.ts';
import { alwaysByRule, type Permission } from '../../../src/model/agentState.ts';
import type { Json } from '../../../src/model/message.ts';
import { settled, stage } from './stage.ts';

const once = { id: 'yes', name: 'Allow', kind: 'allow_once' } as const;
const always = { id: 'ever', name: 'Always allow', kind: 'allow_always' } as const;
const no = { id: 'no', name: 'Reject', kind: 'reject_once' } as const;

function asking(id: string, tool: string, input?: Json, choices: Permission['choices'] = [once, no]): Permission {
  const question = { id, callId: 'c1', title: 'Do it', tool, locations: [], output: [], choices };
  return input === undefined ? question : { ...question, input };
}

function remembered(): AllowRules & { readonly kept: AllowRule[] } {
  const kept: AllowRule[] = [];
  return { kept, all: () => kept, add: rule => void kept.push(rule) };
}

test('[T15] a rule never allows more than its words say', () => {
  const rows: readonly (readonly [string, Json | undefined, string | null])[] = [
    ['read', undefined, 'allow reading files'],
    ['edit', { path: 'a.ts' }, 'allow editing files'],
    ['execute', { command: 'npm test' }, 'allow “npm test”'],
    ['execute', { command: 'npm test', cwd: '/a', description: 'Runs' }, 'allow “npm test (in /a)”'],
    ['execute', { command: ['npm', 'test'] }, 'allow “["npm","test"]”'],
    ['execute', { command: '' }, null],
    ['execute', { command: [] }, null],
    ['execute', { command: 'npm test', env: { A: '1' } }, null],
    ['execute', { command: 'npm test', cwd: 3 }, null],
    ['execute', { script: 'npm test' }, null],
    ['execute', undefined, null],
    ['execute', ['npm test'], null],
    ['delete', { path: 'a.ts' }, null],
    ['switch_mode', undefined, null],
    ['other', undefined, null],
    ['constructor', undefined, null],
  ];
  for (const [tool, input, words] of rows)
    assert.equal(ruleFor('a', asking('p', tool, input))?.words ?? null, words, JSON.stringify([tool, input]));
  assert.equal(ruleFor('a', asking('p', 'read', undefined, [always, no])), null);
  assert.equal(ruleFor('a', { ...asking('p', 'read'), why: 'it holds secrets' }), null);
  const [one, other] = [ruleFor('a', asking('p', 'read')), ruleFor('b', asking('p', 'read'))];
  assert.ok(one && other && !isSameRule(one, other));
});

test('[T15] a rule answers in the person’s place, says so, and no longer when it is taken back', async t => {
  const rules = remembered();
  const { conversation, agent, reopen } = await stage(t, undefined, { rules });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  for (const callId of ['c1', 'c2', 'c3'])
    turn.update({ type: 'toolCall', callId, changes: { title: callId, status: 'pending' } });
  const run = (id: string, callId: string, command: string) =>
    turn.ask({ ...asking(id, 'execute', { command }), callId });
  const first = run('p1', 'c1', 'npm test');
  assert.equal(conversation.transcript.permissions[0]?.rule, 'allow “npm test”');
  assert.equal(conversation.answerPermission('p1', alwaysByRule), true);
  assert.equal(await first, 'yes');
  assert.equal(await run('p2', 'c2', 'npm test'), 'yes');
  const another = run('p3', 'c3', 'npm test && rm -r /');
  assert.equal(conversation.transcript.permissions.length, 1);
  conversation.answerPermission('p3', 'no');
  assert.equal(await another, 'no');
  rules.kept.length = 0;
  const asked = run('p4', 'c3', 'npm test');
  assert.equal(conversation.answerPermission('p4', 'no'), true);
  assert.equal(await asked, 'no');
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  const blocks = (await (await reopen()).open(conversation.session))?.path[1]?.blocks ?? [];
  assert.deepEqual(
    blocks.map(block => block.kind === 'toolCall' && block.permission),
    [
      { choice: 'Always allow “npm test”', allowed: true },
      { choice: 'Always allow “npm test”', allowed: true, byRule: true },
      { choice: 'Reject', allowed: false },
    ],
  );
});

test('[T15] an agent with an “always” of its own is offered ours only when it forgot', async t => {
  const rules = remembered();
  const { conversation, agent } = await stage(t, undefined, { rules });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const first = turn.ask(asking('p1', 'edit', undefined, [once, always, no]));
  assert.equal(conversation.transcript.permissions[0]?.rule, undefined);
  assert.equal(conversation.answerPermission('p1', alwaysByRule), false);
  conversation.answerPermission('p1', 'ever');
  assert.equal(await first, 'ever');
  const again = turn.ask(asking('p2', 'edit', undefined, [once, always, no]));
  assert.equal(conversation.transcript.permissions[0]?.rule, 'allow editing files');
  conversation.answerPermission('p2', 'no');
  await again;
  assert.deepEqual(rules.kept, []);
  turn.end({ reason: 'end_turn' });
});
