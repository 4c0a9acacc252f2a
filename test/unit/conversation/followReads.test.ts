// What a conversation reads of history when something changed, and what of it is shown: counted at the history that it is
// given, with another window that writes.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { mergePath } from '../../../src/core/conversation/merging.ts';
import type { History } from '../../../src/core/history/history.ts';
import type { Message } from '../../../src/model/message.ts';
import { userMessage } from '../support/facts.ts';
import { openTestHistory } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 20_000 };
const readers = ['open', 'fields', 'messages', 'branches', 'tree', 'sessions', 'list', 'openEnd'] as const;

/** The history with the names of what is read of it. */
function counted(history: History): { readonly history: History; readonly reads: string[] } {
  const reads: string[] = [];
  const reader = (name: (typeof readers)[number]) => (asked: unknown, more: unknown) => {
    reads.push(name === 'messages' ? `${name} ${(asked as readonly string[]).length}` : name);
    return (history[name] as (...args: readonly unknown[]) => unknown)(asked, more);
  };
  const counting = Object.fromEntries(readers.map(name => [name, reader(name)])) as unknown as History;
  return { history: { ...history, ...counting }, reads };
}

async function twoWindows(t: TestContext) {
  const first = await stage(t);
  for (const text of ['one', 'two', 'three']) {
    await first.conversation.send(text);
    (await first.agent.nextTurn()).end({ reason: 'end_turn' });
    await first.ended();
  }
  const { history, reads } = counted(await openTestHistory(first.folder));
  const stored = await history.open(first.conversation.session);
  assert.ok(stored);
  const agent = new ScriptedAgent();
  const second = converse(history, agent, first.clock, { stored });
  history.onDidAppend(change => void second.follow(change));
  reads.length = 0;
  return { first, second, agent, history, reads };
}

async function until(conversation: Conversation, condition: () => boolean): Promise<void> {
  if (condition()) return;
  await new Promise<void>(resolve => {
    const stop = conversation.onDidChange(() => {
      if (!condition()) return;
      stop();
      resolve();
    });
  });
}

test('[T24] of a turn in another window only the messages that changed are read', patience, async t => {
  const { first, second, reads } = await twoWindows(t);
  const seen = (words: string) => JSON.stringify(second.transcript.messages.at(-1)?.blocks).includes(words);
  await first.conversation.send('four');
  const turn = await first.agent.nextTurn();
  await until(second, () => second.transcript.messages.length === 8);
  turn.update({ type: 'text', text: 'half of it' });
  first.clock.advance(2000);
  await until(second, () => seen('half of it'));
  turn.update({ type: 'text', text: ', and all' });
  turn.end({ reason: 'end_turn' });
  await first.ended();
  await until(second, () => second.transcript.elsewhere === null);
  assert.deepEqual(second.transcript.messages, first.conversation.transcript.messages);
  const wanted = new Set(['fields', 'branches', 'messages 1', 'messages 2']);
  assert.deepEqual(
    reads.filter(read => !wanted.has(read)),
    [],
  );
});

test('[T24] of what the own window wrote nothing is read, and its trash and its title are', patience, async t => {
  const { second, agent, history, reads } = await twoWindows(t);
  const { session } = second;
  await second.send('four');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'an answer' });
  turn.end({ reason: 'end_turn' });
  await settled(second);
  await history.alive();
  assert.deepEqual(reads, []);
  // From a list, not by the conversation.
  await history.append(session, [{ type: 'set', session, name: 'givenTitle', value: 'Given' }]);
  await until(second, () => second.transcript.title === 'Given');
  await history.trash(session);
  await until(second, () => second.transcript.trashed);
});

test('[T24] a decision of another window is followed, and nothing of the path is read for it', patience, async t => {
  const { first, second, reads } = await twoWindows(t);
  const { conversation, history } = first;
  const { session } = conversation;
  const message = conversation.transcript.messages[1]?.id ?? '';
  const decide = (decision: string | null) => {
    const value = { message, path: '/a.ts', decision };
    return history.append(session, [
      { type: 'set', session, name: 'decision', of: `${message}:/a.ts`, value, from: message },
    ]);
  };
  await decide('undone');
  await until(second, () => second.transcript.decided.length === 1);
  assert.deepEqual(second.transcript.decided, [{ message, path: '/a.ts', decision: 'undone' }]);
  await decide(null);
  await until(second, () => second.transcript.decided.length === 0);
  assert.deepEqual(new Set(reads), new Set(['fields']));
});

test('[T24] what comes while a turn runs here is shown after it', patience, async t => {
  const { first, second, agent } = await twoWindows(t);
  const { conversation, history } = first;
  const { session } = conversation;
  await second.send('four');
  const turn = await agent.nextTurn();
  const told = new Promise<void>(resolve => history.onDidAppend(() => resolve()));
  await history.append(session, [{ type: 'set', session, name: 'givenTitle', value: 'Given meanwhile' }]);
  await told;
  assert.equal(await second.follow(), true);
  assert.notEqual(second.transcript.title, 'Given meanwhile');
  turn.end({ reason: 'end_turn' });
  await until(second, () => second.transcript.title === 'Given meanwhile');
});

test('[T24] a path goes on by the messages that changed, lies beside, or is not known by them', () => {
  const message = (id: string, parent: string | null, text = id): Message => ({
    ...userMessage(id, parent, text),
    session: 'session22222',
  });
  const shown = [message('a', null), message('b', 'a')];
  const ids = (path: ReturnType<typeof mergePath>) => (Array.isArray(path) ? path.map(({ id }: Message) => id) : path);
  assert.deepEqual(ids(mergePath(shown, [message('d', 'c'), message('c', 'b')], 'd')), ['a', 'b', 'c', 'd']);
  assert.deepEqual(mergePath(shown, [message('b', 'a', 'other')], 'b'), [shown[0], message('b', 'a', 'other')]);
  assert.equal(mergePath(shown, [message('c', 'a')], 'c'), 'beside');
  assert.equal(mergePath(shown, [], 'a'), 'beside');
  assert.equal(mergePath(shown, [message('d', 'c')], 'd'), null);
  assert.equal(mergePath(shown, [message('c', 'd'), message('d', 'c')], 'd'), null);
  assert.deepEqual(ids(mergePath([], [message('a', null)], 'a')), ['a']);
});
