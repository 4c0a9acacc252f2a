// An agent that asks before it acts: what the person is shown, what goes back on the wire, and who else may answer.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentSession } from '../../../src/core/agents.ts';
import { here, never, play, scripted, type Choose } from '../support/scriptedProgram.ts';

async function newSession(t: TestContext): Promise<AgentSession> {
  return (await scripted(t).start(never)).newSession(here, never);
}

const cancelled = '{"outcome":{"outcome":"cancelled"}}';
const selected = (optionId: string) => `{"outcome":{"outcome":"selected","optionId":"${optionId}"}}`;

const choices: readonly { readonly what: string; readonly choose: Choose; readonly said: string }[] = [
  { what: 'a choice', choose: async () => 'yes', said: selected('yes') },
  { what: 'a choice of an unknown kind', choose: async () => 'odd', said: selected('odd') },
  { what: 'a refusal', choose: async () => 'no', said: selected('no') },
  { what: 'nobody', choose: async () => null, said: cancelled },
  { what: 'a choice that was not there', choose: async () => 'root', said: cancelled },
  { what: 'trouble', choose: () => Promise.reject(new Error('no desk')), said: cancelled },
];

test('[A9] only one of the agent’s own choices goes back', async t => {
  const session = await newSession(t);
  for (const { what, choose, said } of choices)
    await t.test(what, async () => assert.equal((await play(session, 'permission', never, choose)).text, said));
});

test('[A9] the question says what is known of the call, with the choices as they are', async t => {
  const { asked } = await play(await newSession(t), 'permission', never, async () => 'yes');
  assert.deepEqual(asked, [
    {
      id: 'permission1',
      callId: 'p1',
      title: 'Edit a.ts',
      tool: 'edit',
      locations: [],
      input: { a: 1 },
      output: [],
      choices: [
        { id: 'yes', name: 'Allow', kind: 'allow_once' },
        { id: 'ever', name: 'Always allow', kind: 'allow_always' },
        { id: 'odd', name: 'Allow on Tuesdays', kind: 'unknown' },
        { id: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    },
  ]);
});

test('[A9] a call that is first heard of in the question is one before it is asked', async t => {
  const calls: unknown[] = [];
  let before = 0;
  const choose: Choose = async () => {
    before = calls.length;
    return 'no';
  };
  await play(await newSession(t), 'permission without a call', never, choose, update => {
    if (update.type === 'toolCall') calls.push(update);
  });
  assert.equal(before, 1);
  const changes = { title: 'Write b.ts', tool: 'edit', locations: [{ path: '/b.ts' }] };
  assert.deepEqual(calls, [{ type: 'toolCall', callId: 'p2', changes }]);
});

test('[A9] a question without choices is not asked', async t => {
  const { asked, text } = await play(await newSession(t), 'permission without choices', never, async () => 'yes');
  assert.deepEqual([asked, text], [[], cancelled]);
});

test('[A9] a cancel answers the open question at once, though nobody chose', async t => {
  const session = await newSession(t);
  const cancel = new AbortController();
  let withdrawn = false;
  const steps = [
    // This one ends its turn only once its question is answered.
    { ignoreCancel: true },
    { ask: { toolCall: { toolCallId: 'a' }, options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] } },
    { answer: { stopReason: 'cancelled' } },
  ];
  const choose: Choose = (_permission, signal) => {
    setTimeout(() => cancel.abort(), 20);
    return new Promise(() => signal.addEventListener('abort', () => (withdrawn = true)));
  };
  const { answer, text } = await play(session, JSON.stringify(steps), cancel.signal, choose);
  assert.deepEqual([answer, text], [{ reason: 'cancelled', agreed: true }, cancelled]);
  assert.equal(withdrawn, true);
});

test('[A9] [A21] a question outside of a turn is not shown', async t => {
  const session = await newSession(t);
  const { asked, answer } = await play(session, 'permission after the answer', never, async () => 'yes');
  assert.equal(answer.reason, 'end_turn');
  // The agent has its refusal when it answers this.
  await play(session, 'hello');
  assert.deepEqual(asked, []);
});
