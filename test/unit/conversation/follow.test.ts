// Two windows with the same conversation open, each with its own process of history.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { History } from '../../../src/core/history/history.ts';
import { openTestHistory } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, stage } from './stage.ts';

const patience = { timeout: 20_000 };

/** A second window on the conversation of the stage, told of appends as the host tells it. */
async function secondWindow(t: TestContext) {
  const first = await stage(t);
  await first.conversation.send('first');
  (await first.agent.nextTurn()).end({ reason: 'end_turn' });
  await first.ended();
  const history: History = await openTestHistory(first.folder);
  const stored = await history.open(first.conversation.session);
  assert.ok(stored);
  const agent = new ScriptedAgent();
  const second = converse(history, agent, first.clock, { stored });
  history.onDidAppend(change => void second.follow(change));
  return { first, second, agent, history };
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

test('[T12] a turn in one window is seen in the other, running and then ended', patience, async t => {
  const { first, second, agent } = await secondWindow(t);
  await first.conversation.send('second');
  const turn = await first.agent.nextTurn();
  const last = () => first.conversation.transcript.messages.at(-1)?.id ?? '';
  await until(second, () => second.transcript.elsewhere === last());
  assert.equal(second.transcript.messages.length, 4);
  assert.deepEqual((await second.send('me too')).sent, false);
  assert.equal(agent.unseen, 0);
  for (let n = 0; n < 5; n++) {
    turn.update({ type: 'text', text: `${n} ` });
    first.clock.advance(2000);
    await until(second, () => JSON.stringify(second.transcript.messages.at(-1)?.blocks).includes(`${n} `));
  }
  // The checkpoint of the one, and one look of the other, however much came.
  assert.equal(first.clock.waiting, 2);
  turn.update({ type: 'text', text: 'the answer' });
  turn.end({ reason: 'end_turn' });
  await first.ended();
  await until(second, () => second.transcript.elsewhere === null);
  assert.deepEqual(second.transcript.messages, first.conversation.transcript.messages);
  assert.equal((await second.send('now me')).sent, true);
  assert.deepEqual((await agent.nextTurn()).prompt.path, first.conversation.transcript.messages);
});

test('[T12] a window that went on from elsewhere does not change what is shown here', patience, async t => {
  const { first, second, agent } = await secondWindow(t);
  const [one, other] = await Promise.all([first.conversation.send('left'), second.send('right')]);
  assert.ok(one.sent && other.sent);
  (await first.agent.nextTurn()).end({ reason: 'end_turn' });
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await first.ended();
  await until(second, () => second.transcript.turn === null);
  await second.follow();
  await first.conversation.follow();
  const prompts = [first.conversation, second].map(({ transcript }) => transcript.messages[2]?.blocks);
  assert.match(JSON.stringify(prompts[0]), /left/);
  assert.match(JSON.stringify(prompts[1]), /right/);
});

test('[T12] a title or the trash of another window is followed as well', patience, async t => {
  const { first, second } = await secondWindow(t);
  await first.conversation.setTrashed(true);
  await until(second, () => second.transcript.trashed);
  await first.conversation.setTrashed(false);
  await until(second, () => !second.transcript.trashed);
});

test('[H80] a window that shows what another deleted goes to where the session was left', patience, async t => {
  const { first, second } = await secondWindow(t);
  const { conversation, history } = first;
  const [prompt, answer] = conversation.transcript.messages;
  assert.ok(prompt && answer);
  await conversation.send('left');
  (await first.agent.nextTurn()).end({ reason: 'end_turn' });
  await first.ended();
  await until(second, () => second.transcript.messages.length === 4 && second.transcript.elsewhere === null);
  const left = conversation.transcript.messages[2]?.id ?? '';
  await conversation.forkFrom(answer.id);
  await conversation.send('right');
  (await first.agent.nextTurn()).end({ reason: 'end_turn' });
  await first.ended();
  const right = conversation.transcript.messages.map(({ id }) => id);
  await until(second, () => Object.keys(second.transcript.branches.beside).length > 0);
  assert.equal(second.transcript.messages[2]?.id, left, 'what it shows stays');
  await history.trash(conversation.session, { message: left, subtree: true });
  await until(second, () => second.transcript.messages[2]?.id === right[2]);
  assert.deepEqual(
    second.transcript.messages.map(({ id }) => id),
    right,
  );
});

test(
  '[H119] a session that goes to the trash elsewhere is stopped where it runs, and what waits does not go out',
  patience,
  async t => {
    const { first, second } = await secondWindow(t);
    const { conversation, history } = first;
    history.onDidAppend(change => void conversation.follow(change));
    await conversation.send('second');
    const turn = await first.agent.nextTurn();
    turn.update({ type: 'text', text: 'half of it' });
    await conversation.send('third');
    await second.setTrashed(true);
    await until(
      conversation,
      () => conversation.transcript.trashed && conversation.transcript.turn?.cancelling === true,
    );
    assert.deepEqual(first.agent.ended, [`terminals of ${turn.agentSession}`]);
    turn.end({ reason: 'cancelled' });
    await first.ended();
    assert.equal(conversation.transcript.messages.at(-1)?.end?.reason, 'cancelled');
    assert.match(JSON.stringify(conversation.transcript.messages.at(-1)?.blocks), /half of it/);
    assert.equal(conversation.transcript.queue.length, 1);
    assert.deepEqual((await conversation.send('fourth')).sent, false);
    await second.setTrashed(false);
    await until(conversation, () => !conversation.transcript.trashed);
  },
);

test(
  '[H119] one that was erased elsewhere is told as gone, while it runs too, and one that is only unsaved is not',
  patience,
  async t => {
    const { first, second } = await secondWindow(t);
    const { conversation, history } = first;
    assert.equal(await conversation.follow(), true);
    await conversation.send('second');
    await first.agent.nextTurn();
    const erasing = await first.reopen();
    await erasing.erase(conversation.session);
    for (const one of [conversation, second]) while (await one.follow()) await setTimeout(20);
    assert.equal((await history.sessions()).length, 0);

    const other = await stage(t);
    other.disk.failure = new HistoryError('disk-full');
    assert.equal((await other.conversation.send('unsaved')).sent, false);
    other.conversation.acceptUnsaved();
    assert.equal((await other.conversation.send('unsaved')).sent, true);
    assert.equal(await other.conversation.follow(), true);
  },
);

test('[H119] [J42] a session whose files are out of sight for a moment is not erased', patience, async t => {
  const { first, second, history } = await secondWindow(t);
  const { session, transcript } = first.conversation;
  const [journal, away] = [join(first.folder, 'journal'), join(first.folder, 'away')];
  const segments = readdirSync(journal);
  mkdirSync(away);
  for (const name of segments) renameSync(join(journal, name), join(away, name));
  while (await history.open(session)) await setTimeout(20);
  assert.equal(await second.follow(), true);
  assert.deepEqual(second.transcript.messages, transcript.messages);
  assert.deepEqual(await history.erased([session]), new Set());
  for (const name of segments) renameSync(join(away, name), join(journal, name));
  while (!(await history.open(session))) await setTimeout(20);
  assert.equal(await second.follow(), true);
  await history.erase(session);
  while (await second.follow()) await setTimeout(20);
  assert.deepEqual(await history.erased([session, 'another22222']), new Set([session]));
});
