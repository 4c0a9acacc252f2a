// What a person types as a command, as the host does it: in a real conversation, with a history on a disk.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createConversationHandlers, handleIntent, type IntentPorts } from '../../../src/host/chat/intentHandlers.ts';
import { parseIntent, type IntentOf } from '../../../src/model/intent.ts';
import { stage } from '../conversation/stage.ts';

async function commanded(t: TestContext) {
  const scene = await stage(t);
  const { conversation, agent, ended } = scene;
  const asked: string[] = [];
  const never = () => assert.fail('nobody asked for it');
  const ports: IntentPorts = {
    endSession: never,
    resumeSession: never,
    connectAgent: never,
    manageTrust: never,
    openFolder: never,
    selectAgent: never,
    chooseFolder: never,
    askTitle: session => void asked.push(`title of ${session}`),
    exportSession: session => void asked.push(`export of ${session}`),
    pickOption: never,
    openLink: never,
    copyText: never,
    insertCode: never,
    openLocation: never,
    openMention: never,
    openChanges: never,
    openTool: never,
    openPermission: never,
    tell: words => void asked.push(words),
  };
  const say = async (text: string) => {
    await conversation.send(text);
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await ended();
  };
  const { session } = conversation;
  const command = async (intent: IntentOf<'clear' | 'forkHere' | 'giveTitle' | 'exportSession'>) => {
    assert.deepEqual(parseIntent({ ...intent, path: '/etc' }), intent);
    await handleIntent(createConversationHandlers(ports), intent, conversation);
    return asked.splice(0);
  };
  return { ...scene, session, say, command };
}

test('[W100] [W41] a fork begins at the last message, a title is given or asked for, an export is chosen', async t => {
  const { conversation, history, session, say, command } = await commanded(t);
  await say('one');
  const before = conversation.transcript.messages;
  assert.deepEqual(await command({ type: 'forkHere', session }), []);
  assert.equal(conversation.isFork, true);
  assert.deepEqual(conversation.transcript.messages, before);
  assert.equal(conversation.transcript.forkedAt, before.at(-1)?.id);
  await conversation.follow();
  assert.equal(conversation.transcript.forkedAt, before.at(-1)?.id, 'what is looked at again stays forked');
  await say('two');
  assert.notEqual(conversation.transcript.messages.at(-1)?.id, conversation.transcript.forkedAt, 'it is begun');

  assert.deepEqual(await command({ type: 'giveTitle', session, title: '' }), [`title of ${session}`]);
  assert.deepEqual(await command({ type: 'giveTitle', session, title: 'Orders' }), []);
  assert.equal((await history.open(session))?.title, 'Orders');
  assert.deepEqual(await command({ type: 'giveTitle', session, title: 'x'.repeat(201) }), [
    'A title has at most 200 characters; this one has 201.',
  ]);
  assert.deepEqual(await command({ type: 'exportSession', session }), [`export of ${session}`]);

  assert.deepEqual(await command({ type: 'clear', session }), []);
  assert.equal(conversation.transcript.messages.length, 0);
  assert.equal((await history.tree(session)).length, 4, 'what was said stays as a branch');
});

test('[W100] what a command cannot do now is said, and nothing moves', async t => {
  const { conversation, agent, ended, session, command } = await commanded(t);
  const nothing = ['Nothing was said in this session yet.'];
  for (const type of ['forkHere', 'exportSession'] as const)
    assert.deepEqual(await command({ type, session }), nothing);
  assert.deepEqual(await command({ type: 'giveTitle', session, title: 'x' }), nothing);
  assert.deepEqual(await command({ type: 'clear', session }), []);
  await conversation.send('long');
  const turn = await agent.nextTurn();
  const before = conversation.transcript.messages;
  for (const type of ['forkHere', 'clear'] as const)
    assert.deepEqual(await command({ type, session }), ['An answer is being written. Wait for it, or stop it.']);
  assert.deepEqual(conversation.transcript.messages, before);
  turn.end({ reason: 'end_turn' });
  await ended();
});
