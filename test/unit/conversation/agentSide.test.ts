// What lies between a conversation and its agent besides words: who the person is, what the agent is set to, and telling
// it shortly what was said. With a real process at the other end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { contextFacts } from '../../../src/core/conversation/context.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { Held } from '../../../src/model/agentState.ts';
import { textOf, type Message } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { scripted, type Scripted } from '../support/scriptedProgram.ts';
import { converse, settled } from './stage.ts';

const patience = { timeout: 60_000 };

async function scene(t: TestContext, flags: readonly string[]) {
  const home = temporaryFolder(t);
  const log = join(home, 'agent.log');
  const env = { SCRIPTED_LOG: log, SCRIPTED_HOME: home };
  const history = await openTestHistory(temporaryFolder(t));
  const agent = () => scripted(t, { flags, env });
  const heard = () => readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  const open = async (program: Scripted, id = ids.session()): Promise<Conversation> => {
    const stored = await history.open(id);
    return converse(history, program, new FixedClock(), stored ? { stored } : { id });
  };
  return { history, agent, open, heard };
}

/** Resolves when the transcript is so. */
function until(conversation: Conversation, isSo: (state: Conversation['transcript']) => boolean): Promise<void> {
  if (isSo(conversation.transcript)) return Promise.resolve();
  return new Promise(resolve => {
    const stop = conversation.onDidChange(() => {
      if (!isSo(conversation.transcript)) return;
      stop();
      resolve();
    });
  });
}

async function held(conversation: Conversation, isSo: (held: Held) => boolean = () => true): Promise<Held> {
  await until(conversation, state => state.held !== null && isSo(state.held));
  assert.ok(conversation.transcript.held);
  return conversation.transcript.held;
}

async function say(conversation: Conversation, text: string): Promise<Message> {
  assert.deepEqual(await conversation.send(text), { sent: true });
  await settled(conversation);
  const last = conversation.transcript.messages.at(-1);
  assert.ok(last);
  return last;
}

test(
  '[T18] a prompt waits until the person signed in, by the method that they chose, and goes out then',
  patience,
  async t => {
    const { agent, open } = await scene(t, ['--auth']);
    const conversation = await open(agent());
    const sending = conversation.send('play: hello');
    const asked = await held(conversation);
    assert.ok(asked.kind === 'signIn');
    assert.ok(asked.methods.some(({ id, kind }) => id === 'key' && kind === 'agent'));
    assert.equal(asked.trying, null);
    assert.deepEqual(conversation.transcript.messages, []);
    // There is no terminal here, which is said, and another way can be chosen.
    conversation.answerHeld({ signIn: 'shell' });
    const failed = await held(conversation, one => one.kind === 'signIn' && one.words !== null);
    assert.match((failed.kind === 'signIn' && failed.words) || '', /terminal/);
    conversation.answerHeld({ signIn: 'key' });
    assert.deepEqual(await sending, { sent: true });
    await settled(conversation);
    assert.equal(textOf(conversation.transcript.messages[1] as unknown as Message), 'Hello, world.');
    assert.equal(conversation.transcript.held, null);
  },
);

test(
  '[T18] who does not sign in has sent nothing, and an agent that is not convinced asks again',
  patience,
  async t => {
    const { agent, open, history } = await scene(t, ['--auth=stubborn']);
    const conversation = await open(agent());
    const sending = conversation.send('play: hello');
    await held(conversation);
    conversation.answerHeld({ signIn: 'key' });
    await held(conversation, one => one.kind === 'signIn' && one.trying === null);
    conversation.answerHeld('cancel');
    assert.equal((await sending).sent, false);
    assert.deepEqual(await history.sessions(), []);
  },
);

test(
  '[T18] a sign-in that is wanted in the middle ends the answer in words, and opens the door for the next',
  patience,
  async t => {
    const { agent, open } = await scene(t, ['--auth']);
    const conversation = await open(agent());
    const sending = conversation.send('play: sign in in the middle');
    await held(conversation);
    conversation.answerHeld({ signIn: 'key' });
    await sending;
    const again = await held(conversation, one => one.kind === 'signIn' && one.words === null);
    assert.equal(again.kind, 'signIn');
    const [, answer] = conversation.transcript.messages;
    assert.equal(answer?.end?.reason, 'failed');
    assert.match(answer.end.detail ?? '', /expired/);
    assert.equal(textOf(answer), 'half');
    conversation.answerHeld({ signIn: 'key' });
    await until(conversation, state => state.held === null);
    assert.match(textOf(await say(conversation, 'play: hello')), /Hello, world/);
  },
);

test(
  '[T17] what the person set is set again after a reload, in a new session of the agent, and not for another',
  patience,
  async t => {
    for (const flags of [
      ['--options=config,modes,models'],
      ['--no-load', '--options=config,modes,models'],
      ['--options=modes,models'],
    ]) {
      const { agent, open, history } = await scene(t, flags);
      const first = agent();
      const conversation = await open(first);
      await conversation.prepare();
      await until(conversation, state => state.options.length > 0);
      const wanted = conversation.transcript.options.flatMap(({ id, value, choices }) => {
        const other = choices ? choices.find(choice => choice.value !== value)?.value : !value;
        return other === undefined ? [] : [{ id, other }];
      });
      for (const { id, other } of wanted) await conversation.setOption(id, other);
      await say(conversation, 'one');
      await conversation.leave();
      await first.stop();
      const again = await open(agent(), conversation.session);
      await say(again, 'two');
      const now = new Map(again.transcript.options.map(({ id, value }) => [id, value]));
      for (const { id, other } of wanted) assert.equal(now.get(id), other, `${flags.join(' ')}: ${id}`);
      assert.ok((await history.open(again.session))?.options.length === wanted.length);
      await again.leave();
    }
  },
);

test('[T17] what cannot be set again is said in the answer', patience, async t => {
  const { agent, open, history } = await scene(t, ['--options=config']);
  const conversation = await open(agent());
  await say(conversation, 'one');
  const value = { agent: 'scripted', option: 'effort', value: 'enormous' };
  await history.append(conversation.session, [
    { type: 'set', session: conversation.session, name: 'option', of: 'scripted:effort', value },
  ]);
  await conversation.leave();
  const again = await open(agent(), conversation.session);
  const [notice] = (await say(again, 'two')).blocks;
  assert.match(notice?.kind === 'notice' ? notice.text : '', /cannot be “enormous”/);
});

test(
  '[C4] a summary stands for what it covers, and the next agent is told it and what came after',
  patience,
  async t => {
    const { agent, open, heard, history } = await scene(t, ['--no-load']);
    const first = agent();
    const conversation = await open(first);
    await say(conversation, 'Remember factA.');
    await say(conversation, 'Remember factB.');
    assert.deepEqual(await conversation.summarise(), { sent: true });
    await settled(conversation);
    const summary = conversation.transcript.messages.at(-1);
    assert.equal(summary?.role, 'summary');
    assert.equal(summary.covers, conversation.transcript.messages.at(-2)?.id);
    assert.equal(summary.end?.reason, 'end_turn');
    assert.match(heard(), /factA.*factB.*Write a summary/);
    // What was told only for the summary is nothing that the conversation goes on from.
    assert.equal(conversation.transcript.continuity.kind, 'reseeded');
    await say(conversation, 'Remember factC.');
    assert.match(heard(), /\[Summary\]/);
    assert.equal(heard().split('[User]').length - 1, 0);
    const stored = await history.open(conversation.session);
    assert.deepEqual(
      stored?.path.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'summary', 'user', 'assistant'],
    );
  },
);

test('[C4] a summary that was stopped leaves the conversation where it was', patience, async t => {
  const { agent, open, history } = await scene(t, ['--no-load', '--slow=0']);
  const conversation = await open(agent());
  const before = await say(conversation, 'Remember factA.');
  const summarising = conversation.summarise();
  await until(conversation, state => state.turn !== null);
  await conversation.cancel();
  await summarising;
  await until(conversation, state => state.turn === null);
  assert.equal(conversation.transcript.messages.at(-1)?.id, before.id);
  assert.equal((await history.open(conversation.session))?.head, before.id);
  assert.deepEqual(await (await open(agent())).summarise(), {
    sent: false,
    words: 'There is nothing to summarise yet.',
  });
});

test(
  '[C5] a new session begins with what was said in another, for every agent that goes on with it',
  patience,
  async t => {
    const { agent, open, heard, history } = await scene(t, ['--no-load']);
    const other = await open(agent());
    await say(other, 'Remember factA.');
    const stored = await history.open(other.session);
    assert.ok(stored);
    const session = ids.session();
    const to = { session, message: ids.message(), agent: { id: 'scripted', name: 'Scripted' }, cwd: null, now: 7 };
    const facts = contextFacts(stored, to);
    assert.ok(facts);
    await history.append(session, facts);
    const first = agent();
    const conversation = await open(first, session);
    assert.equal(conversation.transcript.continuity.kind, 'reseeded');
    assert.equal(conversation.transcript.title, 'After Remember factA.');
    await say(conversation, 'Remember factB.');
    assert.match(heard(), /From “Remember factA.”.*Remember factB/);
    await conversation.leave();
    await first.stop();
    const again = await open(agent(), session);
    await say(again, 'Remember factC.');
    assert.match(heard(), /From “Remember factA.”.*Remember factB.*Remember factC/);
    assert.equal(contextFacts({ ...stored, path: [] }, to), null);
  },
);
