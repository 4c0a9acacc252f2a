// Long prompts and pictures that wait in the queue: they are in history like everything else, hold nothing up, and are in
// the next window as they were.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { History } from '../../../src/core/history/history.ts';
import type { Attached } from '../../../src/model/attachment.ts';
import { textOf } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';
import { until } from '../support/refused.ts';
import { noAbilities, ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage, type Stage } from './stage.ts';

const png = (size: number) => new Uint8Array(size).map((_, at) => (at * 31 + size) % 256);
const picture = (id: string, data: Uint8Array): Attached => ({
  id,
  block: { kind: 'image', mime: 'image/png', name: 'shot.png', data },
});
const selection = (id: string, text: string): Attached => ({
  id,
  block: { kind: 'resource', mime: 'text/plain', uri: `throughline:terminal/${id}`, name: 'Terminal', text },
});

/** An agent that takes pictures. */
class Seeing extends ScriptedAgent {
  override async start(): ReturnType<ScriptedAgent['start']> {
    return { ...(await super.start()), abilities: { ...noAbilities, images: true, embedded: true } };
  }
}

/** The window goes in order, and the next one opens the session. */
async function nextWindow({ conversation, history, reopen, clock }: Stage, agent: ScriptedAgent) {
  await conversation.leave();
  await history.close();
  const next = await reopen();
  const stored = await next.open(conversation.session);
  assert.ok(stored);
  return { history: next, stored, conversation: converse(next, agent, clock, { stored }) };
}

const long = 'A line of a log that was pasted “as it is”.\n'.repeat(7000);
const longest = '日本語 and “quotes” \u0001\\ '.repeat(190_000);
const prompts: readonly { readonly name: string; readonly text: string; readonly attached?: readonly Attached[] }[] = [
  { name: 'a text of 300 KB', text: long },
  { name: 'a text of 4 MB', text: longest.slice(0, 4_000_000) },
  { name: 'a picture', text: 'Look', attached: [picture('a1', png(3_000_000))] },
  { name: 'a small picture', text: 'Look', attached: [picture('a1', png(300))] },
  {
    name: 'many attached texts',
    text: 'Why?',
    attached: [1, 2, 3].map(at => selection(`a${at}`, long.slice(0, 200_000))),
  },
];

for (const { name, text, attached } of prompts) {
  test(
    `[T13] [T30] ${name} that waits holds no saving up, and waits in the next window`,
    { timeout: 60_000 },
    async t => {
      const scene = await stage(t, new Seeing());
      const { conversation, agent } = scene;
      await conversation.send('first');
      const turn = await agent.nextTurn();
      const waiting = { id: 'one', text, ...(attached ? { attached } : {}) };
      await conversation.send(text, { request: 'one', ...(attached ? { attached } : {}) });
      await conversation.send('short', { request: 'two' });
      turn.update({ type: 'text', text: 'the whole answer' });
      turn.end({ reason: 'failed' });
      await settled(conversation);
      assert.equal(conversation.transcript.unsaved, null);
      assert.equal(conversation.transcript.warnings, undefined);

      const next = await nextWindow(scene, new Seeing());
      assert.deepEqual(next.stored.path, conversation.transcript.messages);
      assert.deepEqual(next.conversation.transcript.queue, [waiting, { id: 'two', text: 'short' }]);
      assert.equal((await next.history.check()).findings.length, 0);

      const seeing = new Seeing();
      const sender = converse(next.history, seeing, scene.clock, { stored: next.stored });
      await sender.sendNow('one');
      assert.deepEqual((await seeing.nextTurn()).texts[0], text);
      await next.history.sessions();
      const third = await openTestHistory(scene.folder);
      await next.history.close();
      const left = converse(third, new ScriptedAgent(), scene.clock, {
        stored: await opened(third, conversation.session),
      });
      assert.deepEqual(left.transcript.queue, [{ id: 'two', text: 'short' }]);
    },
  );
}

async function opened(history: History, session: string) {
  const stored = await history.open(session);
  assert.ok(stored);
  return stored;
}

test('[T13] a long prompt that waits keeps its place, its changes, and goes when it is taken back', async t => {
  const scene = await stage(t, new Seeing());
  const { conversation, agent } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  const shot = [picture('a1', png(1000))];
  for (const id of ['one', 'two', 'three', 'four']) {
    const more = id === 'two' ? { attached: shot } : {};
    await conversation.send(id === 'four' ? 'short' : `${id} ${long}`, { request: id, ...more });
  }
  conversation.changeQueued('two', 'other words');
  conversation.changeQueued('one', null);
  conversation.changeQueued('three', 'now short');
  turn.end({ reason: 'failed' });
  await settled(conversation);
  const next = await nextWindow(scene, new Seeing());
  assert.deepEqual(next.conversation.transcript.queue, [
    { id: 'two', text: 'other words', attached: shot },
    { id: 'three', text: 'now short' },
    { id: 'four', text: 'short' },
  ]);
});

test('[T13] so many prompts of middle length wait that no list could hold them', async t => {
  const scene = await stage(t);
  const { conversation, agent } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  const texts = Array.from({ length: 60 }, (_, at) => `${at} ${'words '.repeat(1200)}`);
  for (const [at, text] of texts.entries()) await conversation.send(text, { request: `q${at}` });
  turn.end({ reason: 'failed' });
  await settled(conversation);
  assert.equal(conversation.transcript.warnings, undefined);
  const next = await nextWindow(scene, new ScriptedAgent());
  assert.deepEqual(
    next.conversation.transcript.queue.map(({ text }) => text),
    texts,
  );
});

test('[T13] what an older version left out of the list waits all the same', async t => {
  const scene = await stage(t);
  const { conversation, agent, history } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send(long, { request: 'one' });
  turn.end({ reason: 'failed' });
  await settled(conversation);
  // It knows no prompt without a text, and writes those that it knows.
  const value = { writer: history.writer, waiting: [{ id: 'old', text: 'from the older one' }] };
  await history.append(conversation.session, [{ type: 'set', session: conversation.session, name: 'queue', value }]);
  await history.close();
  const next = await scene.reopen();
  const window = converse(next, agent, scene.clock, { stored: await opened(next, conversation.session) });
  assert.deepEqual(window.transcript.queue, [
    { id: 'old', text: 'from the older one' },
    { id: 'one', text: long },
  ]);
});

test('[T13] a prompt that waits and whose file is gone says so', async t => {
  const scene = await stage(t, new Seeing());
  const { conversation, agent, folder } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send(long, { request: 'one' });
  await conversation.send('Look', { request: 'two', attached: [picture('a1', png(1000))] });
  turn.end({ reason: 'failed' });
  await settled(conversation);
  await conversation.leave();
  rmSync(join(folder, 'blobs'), { recursive: true });
  const next = await nextWindow(scene, new Seeing());
  const [one, two] = next.conversation.transcript.queue;
  assert.deepEqual([one?.text, two?.text, two?.attached], ['', 'Look', undefined]);
  assert.match(one?.trouble ?? '', /can’t be read/);
  assert.match(two?.trouble ?? '', /attached can’t be read/);
});

test('[T13] what waits before the session is in history is there as soon as the session is', async t => {
  const scene = await stage(t);
  const { conversation, agent } = scene;
  const sending = conversation.send('first');
  await conversation.send(long, { request: 'one' });
  await sending;
  await agent.nextTurn();
  const next = await nextWindow(scene, new ScriptedAgent());
  assert.deepEqual(next.conversation.transcript.queue, [{ id: 'one', text: long }]);
});

test('[T13] one record makes a message of a prompt that waited and says that it waits no more', async t => {
  const { conversation, agent, history } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send('later', { request: 'one' });
  const records: (readonly Fact[])[] = [];
  const { append } = history;
  (history as { append: typeof append }).append = (session, facts) => {
    records.push(facts);
    return append(session, facts);
  };
  turn.end({ reason: 'end_turn' });
  await agent.nextTurn();
  const { session } = conversation;
  const { id } = conversation.transcript.messages[2] ?? assert.fail();
  const sent = records.find(facts => facts.some(fact => fact.type === 'message' && fact.message.id === id));
  assert.deepEqual(
    sent?.filter(fact => fact.type === 'set' && fact.name === 'queued'),
    [{ type: 'set', session, name: 'queued', of: id, from: id, value: null }],
  );
});

test('[T13] [T40] a prompt that waited and that history refuses as a message waits on there', async t => {
  const scene = await stage(t);
  const { conversation, agent, history, disk, clock } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send('later', { request: 'one' });
  turn.end({ reason: 'failed' });
  await settled(conversation);
  disk.failure = new HistoryError('disk-full');
  agent.tell({ type: 'title', title: 'Another title' });
  await until(() => conversation.transcript.unsaved !== null);
  conversation.acceptUnsaved();
  await conversation.sendNow('one');
  assert.deepEqual((await agent.nextTurn()).texts, ['later']);
  disk.failure = null;
  const { append } = history;
  (history as { append: typeof append }).append = (session, facts) =>
    facts.some(fact => fact.type === 'message' && fact.message.role === 'user')
      ? Promise.reject(new HistoryError('invalid'))
      : append(session, facts);
  clock.advance(30_000);
  await until(() => conversation.transcript.unsaved === null);
  assert.match(conversation.transcript.warnings?.join() ?? '', /^Your prompt isn’t saved/);
  const next = await nextWindow(scene, new ScriptedAgent());
  assert.deepEqual(
    next.conversation.transcript.queue.map(({ text }) => text),
    ['later'],
  );
});

test('[J31] [T13] of a prompt that waited and was erased later nothing is left', async t => {
  const scene = await stage(t, new Seeing());
  const { conversation, agent, history, folder } = scene;
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send(`secret ${long}`, { request: 'one', attached: [picture('a1', png(5000))] });
  turn.end({ reason: 'end_turn' });
  const second = await agent.nextTurn();
  second.end({ reason: 'end_turn' });
  await settled(conversation);
  const prompt = conversation.transcript.messages[2];
  assert.ok(prompt && textOf(prompt).startsWith('secret'));
  const blobs = join(folder, 'blobs', conversation.session);
  assert.ok(readdirSync(blobs).length > 0);
  await history.erase(conversation.session, { message: prompt.id, subtree: true });
  assert.deepEqual(existsSync(blobs) ? readdirSync(blobs) : [], []);
});

test('[H105] an incognito session holds a long queued prompt and a picture as well, and its answer is whole', async () => {
  const history = memoryHistory('writer22');
  const agent = new Seeing();
  const conversation = converse(history, agent, new FixedClock(), { id: ids.session() });
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send(longest.slice(0, 4_000_000), { request: 'one', attached: [picture('a1', png(3_000_000))] });
  turn.update({ type: 'text', text: 'the whole answer' });
  turn.end({ reason: 'end_turn' });
  const second = await agent.nextTurn();
  assert.equal(second.texts[0], longest.slice(0, 4_000_000));
  second.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(conversation.transcript.warnings, undefined);
  const stored = await history.open(conversation.session);
  assert.deepEqual(stored?.path.map(textOf), conversation.transcript.messages.map(textOf));
  assert.equal(stored?.path[1] && textOf(stored.path[1]), 'the whole answer');
});
