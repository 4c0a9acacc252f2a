// What a person is told of sessions that they do not look at, and what the status bar says of those that run.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { runningWords } from '../../../src/host/sessions/runningWords.ts';
import { SessionNews, shownTitle } from '../../../src/host/sessions/sessionNews.ts';
import type { Permission } from '../../../src/model/agentState.ts';
import { stage } from '../conversation/stage.ts';

const permission: Permission = {
  id: 'permission1',
  callId: 'c1',
  title: 'Edit a.ts',
  tool: 'edit',
  locations: [],
  output: [],
  choices: [{ id: 'yes', name: 'Allow', kind: 'allow_once' }],
};

async function listener(t: TestContext, { isOn = true, isSeen = false, presses = false } = {}) {
  const scene = await stage(t);
  const told: string[] = [];
  const opened: string[] = [];
  const news = new SessionNews({
    clock: scene.clock,
    isOn: () => isOn,
    isSeen: () => isSeen,
    tell: (words, severity) => Promise.resolve((told.push(`${severity}: ${words}`), presses)),
    open: ({ session }) => Promise.resolve(void opened.push(session)),
  });
  // As the host hears of it: each change of what it does, or asks.
  scene.conversation.onDidChange(({ type }) => {
    if (/^(turn|permissions|elicitations|held)Changed$/.test(type)) news.hear(scene.conversation);
  });
  t.after(() => news.dispose());
  /** Long enough for what follows by itself to have followed. */
  const settle = async () => {
    await scene.ended();
    scene.clock.advance(1000);
  };
  return { ...scene, told, opened, settle };
}

test('[H109] an answer that ended out of sight is told once, and the button leads there', async t => {
  const { conversation, agent, told, opened, settle } = await listener(t, { presses: true });
  await conversation.send('What is it?');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await settle();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(told, ['information: “What is it?”: Scripted agent has answered.']);
  assert.deepEqual(opened, [conversation.session]);
  await conversation.setHead(conversation.transcript.messages.at(-1)?.id ?? null);
  await settle();
  assert.equal(told.length, 1);
});

const quiet = { 'it is in view': { isSeen: true }, 'it is switched off': { isOn: false } };
for (const [what, options] of Object.entries(quiet))
  test(`[H109] nothing is told where ${what}`, async t => {
    const { conversation, agent, told, clock, settle } = await listener(t, options);
    await conversation.send('What is it?');
    const turn = await agent.nextTurn();
    void turn.ask(permission);
    clock.advance(1000);
    conversation.answerPermission('permission1', 'yes');
    turn.end({ reason: 'end_turn' });
    await settle();
    assert.deepEqual(told, []);
  });

test('[H109] a question is told once, one that a rule answers at once is not, and a failure is told as one', async t => {
  const { conversation, agent, told, clock, settle } = await listener(t);
  await conversation.send('What is it?');
  const turn = await agent.nextTurn();
  void turn.ask(permission);
  conversation.answerPermission('permission1', 'yes');
  clock.advance(1000);
  assert.deepEqual(told, []);
  void turn.ask({ ...permission, id: 'permission2' });
  clock.advance(1000);
  const asked = 'warning: “What is it?” needs you: Scripted agent asks for permission.';
  assert.deepEqual(told, [asked]);
  conversation.answerPermission('permission2', 'yes');
  clock.advance(1000);
  turn.end({ reason: 'failed' });
  await settle();
  assert.deepEqual(told, [asked, 'warning: “What is it?”: the answer of Scripted agent failed.']);
});

test('[H109] of a row of prompts only the last answer is told, and of what the person stopped nothing', async t => {
  const { conversation, agent, told, settle } = await listener(t);
  await conversation.send('one');
  const first = await agent.nextTurn();
  await conversation.send('two');
  first.end({ reason: 'end_turn' });
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await settle();
  assert.equal(told.length, 1);
  await conversation.send('three');
  const turn = await agent.nextTurn();
  const stopped = conversation.cancel();
  turn.end({ reason: 'cancelled' });
  await stopped;
  await settle();
  assert.equal(told.length, 1);
});

test('[H109] where nothing was sent after all, what stood there before is no news', async t => {
  const { conversation, agent, told, disk, settle } = await listener(t, {});
  await conversation.send('one');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await settle();
  const { HistoryError } = await import('../../../src/core/history/historyError.ts');
  disk.failure = new HistoryError('disk-full');
  assert.equal((await conversation.send('two')).sent, false);
  await settle();
  assert.equal(told.length, 1);
});

test('[H106] [H109] a title is one short line, and of an incognito session it is not said', () => {
  assert.equal(shownTitle('session2', ' a\n\u202eb '), 'a b');
  assert.equal(shownTitle('session2', 'x'.repeat(70)), `${'x'.repeat(60)}…`);
  assert.equal(shownTitle('incognito~session2', 'a secret'), 'Incognito session');
});

for (const [running, needing, icon, text, spoken] of [
  [1, 0, 'loading~spin', '1 running', '1 session is being answered'],
  [3, 0, 'loading~spin', '3 running', '3 sessions are being answered'],
  [0, 1, 'bell-dot', '1 needs you', '1 session needs you'],
  [1, 2, 'bell-dot', '2 need you · 1 running', '2 sessions need you, 1 session is being answered'],
] as const)
  test(`[H108] the status bar: ${spoken}`, () =>
    assert.deepEqual(runningWords(running, needing), { icon, text, spoken }));
