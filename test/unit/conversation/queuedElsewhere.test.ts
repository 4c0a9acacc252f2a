// Prompts that wait since a window that is gone, in two windows that show them: each is sent once, by whichever window
// sends it, and what the one changes is not taken by the other.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { FixedClock } from '../support/clock.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 20_000 };

/** Two windows on a session in which prompts wait: “old” in the list of an older version, “one” and “two”. */
async function windows(t: TestContext) {
  const { conversation, agent, history, reopen, clock } = await stage(t);
  const { session } = conversation;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  for (const id of ['one', 'two']) await conversation.send(id, { request: id });
  turn.end({ reason: 'failed' });
  await settled(conversation);
  const value = { writer: history.writer, waiting: [{ id: 'old', text: 'old' }] };
  await history.append(session, [{ type: 'set', session, name: 'queue', value }]);
  await history.close();
  const window = async () => {
    const own = await reopen();
    const stored = (await own.open(session)) ?? assert.fail();
    const answering = new ScriptedAgent();
    const opened = converse(own, answering, clock, { stored });
    assert.deepEqual(
      opened.transcript.queue.map(({ id }) => id),
      ['old', 'one', 'two'],
    );
    /** Told of what others write, as the host tells it. */
    const listen = () => own.onDidAppend(change => void opened.follow(change));
    const send = async (id: string) => {
      await opened.sendNow(id);
      const running = await answering.nextTurn();
      running.end({ reason: 'failed' });
      await settled(opened);
    };
    const waiting = () => opened.transcript.queue.map(({ text }) => text);
    return { history: own, conversation: opened, agent: answering, listen, send, waiting };
  };
  return { session, one: await window(), other: await window(), reopen };
}

test('[T13] a prompt that another window sent waits no more, wherever it was kept', patience, async t => {
  const { one, other } = await windows(t);
  other.listen();
  await one.send('old');
  await until(() => !other.waiting().includes('old'));
  await one.send('two');
  await until(() => other.waiting().join() === 'one');
});

test('[T13] a prompt that two windows send is sent once, and does not come back', patience, async t => {
  const { session, one, other } = await windows(t);
  for (const id of ['two', 'one', 'old']) await one.send(id);
  for (const id of ['one', 'old', 'two']) {
    await other.conversation.sendNow(id);
    await until(() => !other.waiting().includes(id) && other.conversation.transcript.turn === null);
  }
  assert.equal(other.agent.unseen, 0);
  const prompts = (await other.history.tree(session)).filter(({ role }) => role === 'user');
  assert.deepEqual(prompts.map(({ preview }) => preview).toSorted(), ['first', 'old', 'one', 'two']);
});

test(
  '[T13] what is sent in other words is another prompt than the one that another window sends',
  patience,
  async t => {
    const { one, other } = await windows(t);
    other.conversation.changeQueued('one', 'one in other words');
    other.listen();
    await one.send('one');
    const last = one.conversation.transcript.messages.at(-1)?.id;
    await until(() => other.conversation.transcript.messages.at(-1)?.id === last);
    assert.deepEqual(other.waiting(), ['old', 'one in other words', 'two']);
    await other.conversation.sendNow('one');
    assert.deepEqual((await other.agent.nextTurn()).texts, ['one in other words']);
  },
);

test('[T13] a prompt that was sent is not among those that wait in the next window', patience, async t => {
  const { session, one, other, reopen } = await windows(t);
  for (const id of ['two', 'old']) await one.send(id);
  await other.conversation.sendNow('two');
  for (const { conversation, history } of [one, other]) {
    await conversation.leave();
    await history.close();
  }
  const history = await reopen();
  const stored = (await history.open(session)) ?? assert.fail();
  const next = converse(history, new ScriptedAgent(), new FixedClock(), { stored });
  assert.deepEqual(
    next.transcript.queue.map(({ text }) => text),
    ['one'],
  );
});
