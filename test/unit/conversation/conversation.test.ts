// What a person can rely on in one conversation, from the prompt to the next window.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOf } from '../../../src/core/conversation/title.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { textOf } from '../../../src/model/message.ts';
import { reduce, type Transcript } from '../../../src/model/transcript.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, stage } from './stage.ts';

const full = () => new HistoryError('disk-full');

test('[T1] the prompt is durable before the agent sees it', async t => {
  const { conversation, agent, reopen, ended } = await stage(t);
  await conversation.send('the question');
  const turn = await agent.nextTurn();
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual(
    stored?.path.map(message => [message.role, textOf(message)]),
    [
      ['user', 'the question'],
      ['assistant', ''],
    ],
  );
  turn.end({ reason: 'end_turn' });
  await ended();
});

test('[T1] a prompt whose saving takes long waits for it, and reaches the agent after that', async t => {
  const { conversation, agent, history, ended } = await stage(t);
  const happened: string[] = [];
  let save = () => {};
  const saving = new Promise<void>(resolve => {
    const { append } = history;
    (history as { append: typeof append }).append = async (session, facts) => {
      if (facts.some(fact => fact.type === 'message')) {
        resolve();
        await new Promise<void>(go => (save = go));
        happened.push('saved');
      }
      return append(session, facts);
    };
  });
  const sent = conversation.send('the question');
  const turn = agent.nextTurn();
  void turn.then(() => happened.push('reached the agent'));
  await saving;
  // Whatever could go out to this agent has gone out after so many rounds of the event loop.
  for (let round = 0; round < 100; round++) await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(happened, []);
  save();
  await sent;
  (await turn).end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual(happened, ['saved', 'reached the agent']);
});

test('[T3] streaming text is saved every two seconds, each part once', async t => {
  const { conversation, agent, clock, history, ended, reopen } = await stage(t);
  const saved: string[] = [];
  const { append } = history;
  (history as { append: typeof append }).append = (session, facts) => {
    for (const fact of facts) if (fact.type === 'text') saved.push(`${fact.offset}:${fact.text}`);
    return append(session, facts);
  };
  await conversation.send('count');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'one ' });
  turn.update({ type: 'text', text: 'two ' });
  assert.deepEqual(saved, []);
  clock.advance(2000);
  turn.update({ type: 'text', text: 'three' });
  clock.advance(1999);
  await history.sessions();
  assert.deepEqual(saved, ['0:one two ']);
  clock.advance(2000);
  turn.update({ type: 'text', text: '.' });
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual(saved, ['0:one two ', '8:three', '13:.']);
  const stored = await (await reopen()).open(conversation.session);
  assert.equal(textOf(stored?.path[1] as never), 'one two three.');
});

const endings = [
  { what: 'its reason', act: 'end', reason: 'max_tokens', detail: undefined },
  { what: 'a refusal', act: 'end', reason: 'refusal', detail: undefined },
  { what: 'an error in words', act: 'fail', reason: 'failed', detail: 'the model said no' },
] as const;

test('[T4] a turn ends, in the panel and on disk', async group => {
  for (const { what, act, reason, detail } of endings) {
    await group.test(what, async t => {
      const { conversation, agent, ended, reopen } = await stage(t);
      await conversation.send('go');
      const turn = await agent.nextTurn();
      turn.update({ type: 'text', text: 'as far as' });
      turn.update({ type: 'toolCall', callId: 'c1', changes: { title: 'Look', status: 'in_progress' } });
      if (act === 'end') turn.end({ reason });
      else turn.fail(new Error('the model said no'));
      await ended();
      const message = conversation.transcript.messages[1];
      assert.equal(message?.end?.reason, reason);
      assert.equal(message?.end?.detail, detail);
      assert.deepEqual(
        message?.blocks.map(block => (block.kind === 'toolCall' ? block.status : block.kind)),
        ['text', 'failed'],
      );
      const stored = await (await reopen()).open(conversation.session);
      assert.deepEqual(stored?.path, conversation.transcript.messages);
    });
  }
});

test('[T5] cancel shows at once and ends within 100 ms although the agent is silent', async t => {
  const { conversation, agent, clock, reopen, ended } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'so far' });
  turn.update({ type: 'toolCall', callId: 'c1', changes: { status: 'in_progress' } });
  const cancelled = conversation.cancel();
  assert.equal(conversation.transcript.turn?.cancelling, true);
  assert.equal(turn.signal.aborted, true);
  clock.advance(100);
  await cancelled;
  await ended();
  const message = conversation.transcript.messages[1];
  assert.equal(message?.end?.reason, 'cancelled');
  assert.equal(conversation.transcript.turn, null);
  turn.update({ type: 'text', text: 'too late' });
  assert.equal(textOf(conversation.transcript.messages[1] as never), 'so far');
  assert.deepEqual((await (await reopen()).open(conversation.session))?.path[1], message);
});

test('[T5] an agent that answers the cancel has the last word', async t => {
  const { conversation, agent, clock } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => {
    turn.update({ type: 'text', text: 'stopping' });
    turn.end({ reason: 'cancelled' });
  });
  await conversation.cancel();
  assert.equal(clock.now(), 1_800_000_000_000);
  assert.equal(textOf(conversation.transcript.messages[1] as never), 'stopping');
});

test('[T6] a message whose window died is there, open, with all that was saved', async t => {
  const { conversation, agent, clock, history, reopen } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'thought', text: 'hm' });
  turn.update({ type: 'text', text: 'half of the ans' });
  clock.advance(2000);
  await history.sessions();
  const message = (await (await reopen()).open(conversation.session))?.path[1];
  assert.equal(message?.end, undefined);
  assert.deepEqual(message?.blocks, [
    { kind: 'thought', mime: 'text/plain', text: 'hm' },
    { kind: 'text', mime: 'text/markdown', text: 'half of the ans' },
  ]);
});

test('[T6] a window that closes saves all that arrived, at once, and leaves the message open', async t => {
  const { conversation, agent, reopen } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'to the last wo' });
  await conversation.leave();
  const message = (await (await reopen()).open(conversation.session))?.path[1];
  assert.equal(message?.end, undefined);
  assert.equal(message && textOf(message), 'to the last wo');
});

test('[T7] a full disk does not end the turn, is shown, and what waits is saved later', async t => {
  const { conversation, agent, clock, disk, ended, reopen, history } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  disk.failure = full();
  turn.update({ type: 'text', text: 'written while ' });
  clock.advance(2000);
  await assert.rejects(history.append(conversation.session, []));
  assert.deepEqual(conversation.transcript.unsaved, { code: 'disk-full', words: full().message, accepted: false });
  turn.update({ type: 'text', text: 'the disk was full' });
  disk.failure = null;
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.equal(conversation.transcript.unsaved, null);
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual(stored?.path, conversation.transcript.messages);
});

test('[T8] a prompt that cannot be saved is not sent before that was accepted, once', async t => {
  const { conversation, agent, disk, ended, reopen } = await stage(t);
  disk.failure = full();
  assert.deepEqual(await conversation.send('first'), { sent: false, words: full().message });
  assert.equal(conversation.transcript.messages.length, 0);
  assert.equal(agent.unseen, 0);
  conversation.acceptUnsaved();
  for (const text of ['second', 'third']) {
    assert.deepEqual(await conversation.send(text), { sent: true });
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await ended();
  }
  disk.failure = null;
  await conversation.send('fourth');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await ended();
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual(stored?.path.filter(({ role }) => role === 'user').map(textOf), ['second', 'third', 'fourth']);
  assert.equal(conversation.transcript.unsaved, null);
});

test('[T9] one turn at a time, and none in the trash', async t => {
  const { conversation, agent, ended } = await stage(t);
  const [one, other] = await Promise.all([conversation.send('one'), conversation.send('other')]);
  assert.ok(one.sent && other.sent);
  const turn = await agent.nextTurn();
  assert.equal(agent.unseen, 0);
  assert.deepEqual(
    conversation.transcript.queue.map(({ text }) => text),
    ['other'],
  );
  turn.end({ reason: 'end_turn' });
  const next = await agent.nextTurn();
  assert.deepEqual(next.texts, ['other']);
  assert.deepEqual(conversation.transcript.queue, []);
  next.end({ reason: 'end_turn' });
  await ended();
  await conversation.setTrashed(true);
  assert.equal((await conversation.send('in the trash')).sent, false);
  await conversation.setTrashed(false);
  assert.equal((await conversation.send('back again')).sent, true);
  assert.equal(agent.unseen, 1);
});

test('[T9] a running turn is stopped before its session goes to the trash', async t => {
  const { conversation, agent, events } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  await conversation.setTrashed(true);
  const order = events.map(event => event.type);
  assert.ok(order.indexOf('messageEnded') < order.indexOf('trashedChanged'));
});

test('[T10] a conversation that is opened again goes on, and the agent is given the path', async t => {
  const first = await stage(t);
  await first.conversation.send('my name is Ada');
  const turn = await first.agent.nextTurn();
  turn.update({ type: 'text', text: 'Hello Ada' });
  turn.end({ reason: 'end_turn' });
  await first.ended();

  const history = await first.reopen();
  const stored = await history.open(first.conversation.session);
  assert.ok(stored);
  const agent = new ScriptedAgent();
  const conversation = converse(history, agent, first.clock, { stored });
  assert.deepEqual(conversation.transcript.messages, first.conversation.transcript.messages);
  assert.deepEqual(conversation.transcript.continuity, { kind: 'remembers' });
  await conversation.send('what is my name?');
  const { prompt, texts } = await agent.nextTurn();
  assert.deepEqual(prompt.path, first.conversation.transcript.messages);
  assert.deepEqual(texts, ['what is my name?']);
  assert.equal(conversation.transcript.messages[2]?.parent, first.conversation.transcript.messages[1]?.id);
});

test('[T2] the events of a turn, reduced, are the transcript', async t => {
  const { conversation, agent, events, ended } = await stage(t);
  let panel: Transcript | undefined = conversation.transcript;
  await conversation.send('go');
  const turn = await agent.nextTurn();
  for (const text of ['a', 'b', 'c']) turn.update({ type: 'text', text });
  turn.update({ type: 'toolCall', callId: 'c1', changes: { title: 'Read', status: 'pending' } });
  turn.update({ type: 'toolCall', callId: 'c1', changes: { status: 'completed', output: ['done'] } });
  turn.update({ type: 'text', text: 'd' });
  turn.end({ reason: 'end_turn' });
  await ended();
  for (const event of events) panel = panel && reduce(panel, event);
  assert.deepEqual(panel, conversation.transcript);
});

const titles: readonly (readonly [prompt: string, title: string])[] = [
  ['Fix the leak', 'Fix the leak'],
  ['\n\n  ## Fix   the `leak`\nin processor.go', 'Fix the leak'],
  ['---\nsecond line has words', 'second line has words'],
  ['!!!', 'New session'],
  ['word '.repeat(40), `${'word '.repeat(11)}word…`],
  ['長'.repeat(80), `${'長'.repeat(60)}…`],
];

test('[T11] the title is the first line of the first prompt', () => {
  for (const [prompt, title] of titles) assert.equal(titleOf(prompt), title);
});
