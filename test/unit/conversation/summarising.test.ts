// A summary stands for what its writer was told, and for nothing else: whatever was found ahead, however long the
// conversation is, and whatever the agent's session was told before.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { bindingFact } from '../../../src/core/conversation/binding.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { textOf, type Message } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { FixedClock } from '../support/clock.ts';
import { answerFact, endFact, sessionFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { until } from '../support/refused.ts';
import { converse, settled } from './stage.ts';

const patience = { timeout: 60_000 };

/** A window on a conversation of so many messages, each of which says its number, with an agent that is told transcripts. */
async function scene(t: TestContext, count: number, { text = (n: number) => `words ${n}.`, isBound = false } = {}) {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const session = ids.session();
  const facts: Fact[] = [sessionFact(session)];
  for (let n = 0; n < count; n++) {
    const [id, parent] = [`m${n}`, n === 0 ? null : `m${n - 1}`];
    if (n % 2 === 0) facts.push(userFact(session, id, parent, text(n), 1000 + n));
    else facts.push(answerFact(session, id, parent), textFact(session, id, 0, 0, text(n)), endFact(session, id));
  }
  if (isBound) {
    // The agent's session is gone, which only the agent can say.
    const binding = { agent: 'scripted', agentSession: 'gone', from: null, head: `m${count - 1}`, dirty: false };
    facts.push(bindingFact(session, { ...binding, cwd: null, owner: 'window22' }));
  }
  await history.append(session, facts);
  const open = async (agent = new ScriptedAgent(false), at: SessionHistory = history) => {
    const stored = await at.open(session);
    assert.ok(stored);
    return { agent, conversation: converse(at, agent, new FixedClock(), { stored }) };
  };
  return { history, session, open, reopen: () => openTestHistory(folder) };
}

/** Summarises, and gives what the writer was told. */
async function summarise(conversation: Conversation, agent: ScriptedAgent): Promise<string> {
  assert.deepEqual(await conversation.summarise(), { sent: true });
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'In short: this.' });
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  return turn.texts.join('\n');
}

function toldIn(text: string, count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n).filter(n => text.includes(`words ${n}.`));
}

const all = (count: number) => Array.from({ length: count }, (_, n) => n);

test(
  '[C4] a summary is told all that fits it, also where a session was found ahead for a prompt',
  patience,
  async t => {
    const { open } = await scene(t, 200, { isBound: true });
    const { conversation, agent } = await open();
    await conversation.prepare();
    await until(() => conversation.transcript.continuity.kind === 'reseeded' && agent.places.length === 1);
    const told = await summarise(conversation, agent);
    assert.deepEqual(toldIn(told, 200), all(200));
    const summary = conversation.transcript.messages.at(-1);
    assert.deepEqual([summary?.covers, summary?.leftOut], ['m199', undefined]);
  },
);

test('[C2] a session that was found ahead for a prompt is the one in which it goes out', patience, async t => {
  const { open } = await scene(t, 10, { isBound: true });
  const { conversation, agent } = await open();
  await conversation.prepare();
  await until(() => agent.places.length === 1);
  await conversation.send('more');
  await agent.nextTurn();
  assert.equal(agent.places.length, 1);
});

test('[C4] a session that was told a part of the conversation does not write the summary of all', patience, async t => {
  const { open } = await scene(t, 200);
  const { conversation, agent } = await open();
  await conversation.send('go on');
  const turn = await agent.nextTurn();
  assert.ok(toldIn(turn.texts.join(), 200).length < 60);
  turn.update({ type: 'text', text: 'done' });
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(conversation.transcript.continuity.kind, 'remembers');
  const told = await summarise(conversation, agent);
  assert.deepEqual(toldIn(told, 200), all(200));
  assert.match(told, /go on[^]*done/);
});

test(
  '[C4] what does not fit a summary is not covered by it: the next agent is told it, and the panel says so',
  patience,
  async t => {
    // 400 messages of about 250 tokens, and one that is longer than what is told of a message.
    const filling = (n: number) => (n === 399 ? 'x'.repeat(30_000) : 'fill '.repeat(200));
    const { open, reopen } = await scene(t, 400, { text: n => `words ${n}. ${filling(n)} end ${n}.` });
    const { conversation, agent } = await open();
    const told = await summarise(conversation, agent);
    const summary = conversation.transcript.messages.at(-1) as Message;
    const whole = all(400).filter(n => told.includes(`words ${n}.`) && told.includes(`end ${n}.`));
    const left = all(400).filter(n => !whole.includes(n));
    assert.ok(left.length > 50 && whole.length > 50 && left.includes(399), `${left.length} left`);
    assert.deepEqual(
      summary.leftOut,
      left.map(n => `m${n}`),
    );
    assert.match(JSON.stringify(summary.blocks), new RegExp(`doesn’t stand for ${left.length} messages`));

    // The next window, and an agent that takes much: nothing is told by neither.
    const next = await open(new ScriptedAgent(false), await reopen());
    await next.conversation.send('and now?');
    const turn = await next.agent.nextTurn();
    const seed = turn.texts.join('\n');
    assert.match(seed, /\[Summary\]\nIn short: this\./);
    const covered = all(400).filter(n => seed.includes(`words ${n}.`) || seed.includes(`end ${n}.`));
    assert.ok(covered.length > 10 && covered.every(n => left.includes(n)), covered.join());
    const { continuity } = next.conversation.transcript;
    assert.ok(continuity.kind === 'reseeded');
    assert.equal(continuity.of - continuity.messages, left.length - covered.length);
  },
);

test('[C4] an agent that is given the path stands for no more of it than its model takes', patience, async t => {
  class Small extends ScriptedAgent {
    override readonly contextWindow = 16_000;
  }
  const { open } = await scene(t, 200, { text: n => `words ${n}. ${'fill '.repeat(200)}` });
  const { conversation, agent } = await open(new Small(true));
  await summarise(conversation, agent);
  const summary = conversation.transcript.messages.at(-1) as Message;
  const left = summary.leftOut ?? [];
  assert.ok(left.length > 100 && left.length < 200, `${left.length}`);
  assert.ok(!left.includes('m199') && !left.includes('m0') && left.includes('m100'));
  await conversation.send('and now?');
  await agent.nextTurn();
  const { continuity } = conversation.transcript;
  assert.ok(continuity.kind === 'reseeded' && continuity.messages < 120, JSON.stringify(continuity));
  assert.equal(textOf(summary), 'In short: this.');
});
