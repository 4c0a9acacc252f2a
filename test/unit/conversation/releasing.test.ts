// A conversation that nobody sees holds no messages, and loses nothing by it.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { textOf } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled } from './stage.ts';

async function answered(t: TestContext) {
  const folder = temporaryFolder(t);
  const real = await openTestHistory(folder);
  const disk: { failure: HistoryError | null; opened: number; slow: Promise<void> | null } = {
    failure: null,
    opened: 0,
    slow: null,
  };
  const history: SessionHistory = {
    ...real,
    open(session, at) {
      disk.opened++;
      return disk.failure ? Promise.reject(disk.failure) : real.open(session, at);
    },
    async append(session, facts) {
      await disk.slow;
      if (disk.failure) throw disk.failure;
      return real.append(session, facts);
    },
  };
  const agent = new ScriptedAgent();
  const clock = new FixedClock();
  const conversation = converse(history, agent, clock, { id: ids.session() });
  const answer = async () => {
    const turn = await agent.nextTurn();
    turn.update({ type: 'text', text: `re ${turn.texts.join()}` });
    turn.end({ reason: 'end_turn' });
    await settled(conversation);
    // What is begun at the same time has no order.
    clock.advance(1);
  };
  const say = async (text: string, parent?: string) => {
    assert.deepEqual(await conversation.send(text, parent === undefined ? {} : { parent }), { sent: true });
    await answer();
  };
  const shown = () => conversation.transcript.messages.map(textOf);
  return { folder, real, disk, agent, conversation, say, shown };
}

test('[T43] what was released is read again when it is asked for, at the branch that was shown', async t => {
  const { conversation, say, shown, real, disk } = await answered(t);
  await say('one');
  const first = conversation.transcript.messages[1]?.id;
  await say('two');
  await say('beside two', first);
  const { messages, branches, continuity } = conversation.transcript;
  // Another window went elsewhere; what is shown here is this window's.
  await real.append(conversation.session, [
    { type: 'set', session: conversation.session, name: 'head', value: first ?? null },
  ]);
  disk.opened = 0;
  assert.equal(await conversation.release(), true);
  assert.deepEqual([shown(), conversation.isReleased, conversation.isEmpty], [[], true, false]);
  assert.equal(await conversation.release(), true);
  assert.equal(disk.opened, 0);
  await conversation.load();
  assert.equal(disk.opened, 1);
  assert.deepEqual(conversation.transcript.messages, messages);
  assert.deepEqual(conversation.transcript.branches, branches);
  assert.deepEqual(conversation.transcript.continuity, continuity);
  await conversation.load();
  assert.equal(disk.opened, 1);
});

test('[T43] a prompt to a conversation that was released answers its last message, and the agent session goes on', async t => {
  const { conversation, shown, agent } = await answered(t);
  await conversation.send('one');
  const before = await agent.nextTurn();
  before.update({ type: 'text', text: 're one' });
  before.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(await conversation.release(), true);
  const sent = conversation.send('two');
  const turn = await agent.nextTurn();
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.deepEqual(await sent, { sent: true });
  assert.deepEqual(shown(), ['one', 're one', 'two', '']);
  assert.equal(turn.agentSession, before.agentSession);
  assert.equal(conversation.transcript.continuity.kind, 'remembers');
});

test('[T43] while something runs, waits or is not saved, nothing is released', async t => {
  const { conversation, say, agent, disk, shown } = await answered(t);
  assert.equal(await conversation.release(), false, 'nothing is in history');
  await say('one');
  const sending = conversation.send('two');
  assert.equal(await conversation.release(), false, 'the agent is being reached');
  await agent.nextTurn().then(turn => {
    turn.update({ type: 'text', text: 'half' });
    return conversation.send('waits').then(() => turn.end({ reason: 'failed' }));
  });
  await sending;
  await settled(conversation);
  assert.equal(conversation.transcript.queue.length, 1);
  assert.equal(await conversation.release(), false, 'a prompt waits');
  conversation.changeQueued(conversation.transcript.queue[0]?.id ?? '', null);
  let go = () => {};
  disk.slow = new Promise(resolve => (go = resolve));
  agent.tell({ type: 'title', title: 'Told by the agent' });
  assert.equal(await conversation.release(), false, 'something is being saved');
  go();
  await until(() => conversation.release());
  await conversation.load();
  await conversation.send('three');
  const turn = await agent.nextTurn();
  disk.failure = new HistoryError('disk-full');
  turn.update({ type: 'text', text: 'not saved' });
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(await conversation.release(), false, 'the end is not saved');
  assert.equal(shown().at(-1), 'not saved');
});

test('[T43] where it can not be read again, whoever asked hears of it, and the next one has it tried again', async t => {
  const { conversation, say, shown, disk } = await answered(t);
  await say('one');
  assert.equal(await conversation.release(), true);
  disk.failure = new HistoryError('io');
  await assert.rejects(conversation.load(), { code: 'io' });
  assert.deepEqual(await conversation.send('two'), { sent: false, words: disk.failure.message });
  await assert.rejects(conversation.setHead(null), { code: 'io' });
  assert.deepEqual(shown(), []);
  disk.failure = null;
  await conversation.load();
  assert.deepEqual(shown(), ['one', 're one']);
});

test('[T43] what other windows did meanwhile is there, and what they erased is not', async t => {
  const { folder, conversation, say, shown, real } = await answered(t);
  await say('one');
  await say('two');
  const { session } = conversation;
  const told: boolean[] = [];
  real.onDidAppend(change => void conversation.follow(change).then(isThere => told.push(isThere)));
  assert.equal(await conversation.release(), true);
  const other = await openTestHistory(folder);
  const there = await other.open(session);
  const [, answer, two] = there?.path ?? [];
  const more = { id: ids.message(), parent: answer?.id ?? null, role: 'user', created: 9, blocks: [] } as const;
  await other.append(session, [
    { type: 'message', session, message: more },
    { type: 'set', session, name: 'givenTitle', value: 'Set there' },
  ]);
  await until(() => told.length > 0);
  assert.deepEqual(shown(), []);
  await other.erase(session, { message: two?.id ?? '', subtree: true });
  await conversation.load();
  await until(() => conversation.transcript.title === 'Set there');
  assert.deepEqual(shown().slice(0, 2), ['one', 're one']);
  assert.ok(!conversation.transcript.messages.some(({ id }) => id === two?.id));
  assert.equal(await conversation.release(), true);
  await other.erase(session);
  await until(() => told.includes(false));
});

test('[T43] of a session that was opened at its end the rest is read before it is gone on with', async t => {
  const { conversation, say, shown, real, agent } = await answered(t);
  for (const text of ['one', 'two', 'three']) await say(text);
  const { session } = conversation;
  const whole = (await real.open(session)) ?? assert.fail();
  const { branches: _branches, path, ...fields } = whole;
  const at = () => converse(real, agent, new FixedClock(), { stored: { ...fields, path: path.slice(4), earlier: 4 } });
  const opened = at();
  assert.deepEqual(opened.transcript.messages.map(textOf), shown().slice(4));
  assert.deepEqual([opened.transcript.earlier, opened.isReleased, opened.isEmpty], [4, true, false]);
  assert.equal(opened.transcript.continuity.kind, 'checking');
  const sending = opened.send('four');
  const turn = await agent.nextTurn();
  assert.deepEqual(
    turn.prompt.path.map(({ id }) => id),
    path.map(({ id }) => id),
  );
  turn.end({ reason: 'end_turn' });
  await settled(opened);
  assert.deepEqual(await sending, { sent: true });
  assert.equal(opened.transcript.earlier, undefined);
  assert.equal(opened.transcript.messages.length, 8);
  // Where nobody waits for the rest, the end goes as well.
  const left = at();
  assert.equal(await left.release(), true);
  assert.deepEqual([left.transcript.messages, left.transcript.earlier, left.isReleased], [[], undefined, true]);
});
