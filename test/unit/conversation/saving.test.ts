// What is saved when history refuses something or cannot be written for a while: nothing that can be saved is lost, and
// the panel says what is not saved.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { agentTitle, longestTitle } from '../../../src/core/conversation/title.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { textOf } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const full = () => new HistoryError('disk-full');

interface Kept {
  readonly history: SessionHistory;
  /** What a window sees that opens it now; for what is in memory, the same window. */
  readonly reopen: () => Promise<SessionHistory>;
}

const places: { readonly [name: string]: (t: TestContext) => Promise<Kept> } = {
  async 'the disk'(t) {
    const folder = temporaryFolder(t);
    return { history: await openTestHistory(folder), reopen: () => openTestHistory(folder) };
  },
  memory() {
    const history = memoryHistory('writer22');
    return Promise.resolve({ history, reopen: () => Promise.resolve(history) });
  },
};

async function answered(conversation: Conversation, agent: ScriptedAgent, text: string): Promise<void> {
  await conversation.send(text);
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: `re ${text}` });
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
}

for (const [name, place] of Object.entries(places)) {
  test(`[T40] a value that ${name} refuses is told once, and the answer that runs is saved`, async t => {
    const { history, reopen } = await place(t);
    const agent = new ScriptedAgent();
    const conversation = converse(history, agent, new FixedClock(), { id: ids.session() });
    await conversation.send('go');
    const turn = await agent.nextTurn();
    turn.update({ type: 'text', text: 'before, ' });
    await conversation.setOption('model', 'x'.repeat(300_000));
    turn.update({ type: 'text', text: 'after' });
    turn.end({ reason: 'end_turn' });
    await settled(conversation);
    assert.equal(conversation.transcript.unsaved, null);
    assert.deepEqual(conversation.transcript.warnings, [
      `An agent setting isn’t saved. ${new HistoryError('too-large').message}`,
    ]);
    const stored = await (await reopen()).open(conversation.session);
    assert.deepEqual(stored?.path, conversation.transcript.messages);
    assert.equal(stored?.path[1] && textOf(stored.path[1]), 'before, after');
    await answered(conversation, agent, 'more');
    assert.equal(conversation.transcript.warnings, undefined);
  });

  test(`[T40] in ${name}, a branch that is erased while it is answered keeps nothing else from being saved`, async t => {
    const { history, reopen } = await place(t);
    const agent = new ScriptedAgent();
    const conversation = converse(history, agent, new FixedClock(), { id: ids.session() });
    await answered(conversation, agent, 'first');
    await conversation.send('second');
    const turn = await agent.nextTurn();
    const [, answer, prompt] = conversation.transcript.messages;
    assert.ok(answer && prompt);
    await history.erase(conversation.session, { message: prompt.id, subtree: true });
    turn.update({ type: 'text', text: 'too late' });
    turn.end({ reason: 'end_turn' });
    await settled(conversation);
    assert.match(conversation.transcript.warnings?.join() ?? '', /response isn’t saved/);
    assert.deepEqual(await conversation.send('instead', { parent: answer.id }), { sent: true });
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await settled(conversation);
    const stored = await (await reopen()).open(conversation.session);
    assert.deepEqual(stored?.path.filter(({ role }) => role === 'user').map(textOf), ['first', 'instead']);
  });

  test(`[T41] in ${name}, a title of 1 MB and a system prompt of 2 MB keep nothing of the answer from being saved`, async t => {
    const { history, reopen } = await place(t);
    const agent = new ScriptedAgent();
    const conversation = converse(history, agent, new FixedClock(), { id: ids.session() });
    await conversation.send('go');
    const turn = await agent.nextTurn();
    agent.tell({ type: 'title', title: 'A title of many words '.repeat(50_000) });
    turn.update({ type: 'text', text: 'the whole answer' });
    turn.end({ reason: 'end_turn', systemPrompt: 'You are \u0001\u0002 '.repeat(200_000) });
    await settled(conversation);
    assert.equal(conversation.transcript.unsaved, null);
    assert.equal(conversation.transcript.warnings, undefined);
    const stored = await (await reopen()).open(conversation.session);
    assert.deepEqual(stored?.path, conversation.transcript.messages);
    assert.equal(stored?.title, conversation.transcript.title);
    assert.match(stored?.title ?? '', /^A title of many words .{100,180} (A|title|of|many|words)…$/);
    const audited = (await history.audit(conversation.session))?.lastSystemPrompt;
    assert.ok(typeof audited === 'string' && audited.startsWith('You are \u0001') && audited.length > 40_000);
    assert.match(audited, /\[\d+ more characters are not kept\.\]$/);
  });
}

test('[T41] the title of an agent is one line, and is cut at a word, or where there is none between characters', () => {
  assert.equal(agentTitle(' Fix  the\n build '), 'Fix the build');
  assert.equal(agentTitle('   '), '');
  const family = '👩‍👩‍👧';
  const cut = agentTitle(family.repeat(100));
  assert.equal(cut, `${family.repeat(25)}…`);
  for (const title of [
    'x'.repeat(199) + '🎉🎉',
    '🎉'.repeat(1_000_000),
    'e' + '\u0301'.repeat(5000),
    '\ud83d'.repeat(300),
  ]) {
    const made = agentTitle(title);
    assert.ok(made.length <= longestTitle + 1, `${made.length}`);
    assert.doesNotMatch(made, /\p{Surrogate}/u);
  }
});

test('[T40] of a record that is refused, the facts that are in order are saved', async t => {
  const { conversation, agent, history, ended } = await stage(t);
  agent.options = [{ id: 'm', name: 'Model', description: '', category: 'model', value: 'a', choices: [] }];
  await conversation.send('go');
  const turn = await agent.nextTurn();
  // As the model it is just short enough; with the agent's name beside it, it is too long.
  const value = 'x'.repeat(256 * 1024 - 10);
  await conversation.setOption('m', value);
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.match(conversation.transcript.warnings?.join() ?? '', /^An agent setting isn’t saved\. [^,]*$/);
  const stored = await history.open(conversation.session);
  assert.equal(stored?.model, value);
  assert.deepEqual(stored.options, []);
});

test('[T7] what could not be saved is saved on a timer, without a further fact', async t => {
  const { conversation, agent, clock, disk, ended, reopen } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'the whole answer' });
  disk.failure = full();
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.equal(conversation.transcript.unsaved?.code, 'disk-full');
  disk.failure = null;
  clock.advance(999);
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(conversation.transcript.unsaved?.code, 'disk-full');
  clock.advance(1);
  await until(() => conversation.transcript.unsaved === null);
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual(stored?.path, conversation.transcript.messages);
});

test('[T7] the time between two attempts doubles up to thirty seconds, and begins anew after a success', async t => {
  const real = await openTestHistory(temporaryFolder(t));
  const [agent, clock] = [new ScriptedAgent(), new FixedClock()];
  let failure: HistoryError | null = null;
  let attempts = 0;
  const history: SessionHistory = {
    ...real,
    append(session, facts) {
      attempts++;
      return failure ? Promise.reject(failure) : real.append(session, facts);
    },
  };
  const conversation = converse(history, agent, clock, { id: ids.session() });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const failFor = async (expected: readonly number[]) => {
    for (const seconds of expected) {
      const before = attempts;
      clock.advance(seconds * 1000 - 1);
      await new Promise(resolve => setImmediate(resolve));
      assert.equal(attempts, before, `nothing before ${seconds} s`);
      clock.advance(1);
      await until(() => attempts > before && clock.waiting > 0);
    }
  };
  failure = full();
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  await failFor([1, 2, 4, 8, 16, 30, 30]);
  failure = null;
  clock.advance(30_000);
  await until(() => conversation.transcript.unsaved === null);
  assert.equal(clock.waiting, 0);
  failure = full();
  await conversation.setOption('model', 'other');
  await until(() => conversation.transcript.unsaved !== null);
  await failFor([1, 2]);
});

test('[T7] what could not be saved is saved in its order', async t => {
  const { conversation, agent, clock, disk, ended, reopen } = await stage(t);
  await conversation.send('go');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await ended();
  disk.failure = full();
  for (const title of ['First', 'Second', 'Third']) agent.tell({ type: 'title', title });
  await until(() => conversation.transcript.unsaved !== null);
  disk.failure = null;
  clock.advance(1000);
  await until(() => conversation.transcript.unsaved === null);
  assert.equal((await (await reopen()).open(conversation.session))?.title, 'Third');
});

test('[T7] what is not saved yet is shown all the same, also after another branch was', async t => {
  const { conversation, agent, disk, ended, history } = await stage(t);
  await answered(conversation, agent, 'one');
  await answered(conversation, agent, 'two');
  const [prompt] = conversation.transcript.messages;
  await conversation.send('three');
  const turn = await agent.nextTurn();
  disk.failure = full();
  turn.update({ type: 'text', text: 'the whole answer' });
  turn.end({ reason: 'end_turn' });
  await ended();
  const shown = conversation.transcript.messages;
  assert.equal((await history.open(conversation.session))?.path.at(-1)?.blocks.length, 0);
  await conversation.setHead(prompt?.id ?? null);
  assert.equal(conversation.transcript.messages.length, 1);
  await conversation.setHead(shown.at(-1)?.id ?? null);
  assert.deepEqual(conversation.transcript.messages, shown);
});

test('[T8] a prompt that could not be saved, and was not sent, is not saved later either', async t => {
  const { conversation, agent, clock, disk, reopen } = await stage(t);
  await answered(conversation, agent, 'go');
  const before = conversation.transcript.messages;
  disk.failure = full();
  assert.notDeepEqual(await conversation.send('never sent'), { sent: true });
  disk.failure = null;
  agent.tell({ type: 'title', title: 'Saved later' });
  clock.advance(60_000);
  await until(() => conversation.transcript.title === 'Saved later' && conversation.transcript.unsaved === null);
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual([stored?.title, stored?.path], ['Saved later', before]);
});

test('[T7] an orderly close saves what waits, when the disk is well again', async t => {
  const { conversation, agent, disk, ended, reopen, clock } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'the whole answer' });
  disk.failure = full();
  turn.end({ reason: 'end_turn' });
  await ended();
  disk.failure = null;
  await conversation.leave();
  assert.equal(conversation.transcript.unsaved, null);
  assert.equal(clock.waiting, 0);
  const stored = await (await reopen()).open(conversation.session);
  assert.deepEqual(stored?.path, conversation.transcript.messages);
});

test('[T7] a close while the disk fails, or does not answer, ends', async t => {
  for (const hangs of [false, true]) {
    const { conversation, agent, disk, clock, history } = await stage(t);
    await conversation.send('go');
    const turn = await agent.nextTurn();
    if (hangs) disk.hangs = true;
    else disk.failure = full();
    turn.update({ type: 'text', text: 'never saved' });
    const leaving = conversation.leave();
    if (hangs) {
      await history.alive();
      clock.advance(4000);
    }
    await leaving;
    // No attempt is left that would run after the window is gone.
    assert.equal(clock.waiting, 0);
  }
});

test('[T7] the end of a tool call is shown once it is saved, and also where saving fails, which is said', async t => {
  const { conversation, agent, disk, ended } = await stage(t);
  const status = () =>
    conversation.transcript.messages.at(-1)?.blocks.flatMap(block => (block.kind === 'toolCall' ? [block.status] : []));
  disk.failure = full();
  assert.equal((await conversation.send('go')).sent, false);
  conversation.acceptUnsaved();
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'toolCall', callId: 'c1', changes: { title: 'Look', status: 'in_progress' } });
  turn.update({ type: 'toolCall', callId: 'c1', changes: { status: 'completed' } });
  await until(() => status()?.[0] === 'completed');
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual(status(), ['completed']);
  assert.equal(conversation.transcript.unsaved?.code, 'disk-full');
});
