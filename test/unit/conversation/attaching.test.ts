// What a person attached, in history, in the queue, and at an agent that is a real process.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Attached } from '../../../src/model/attachment.ts';
import { folderKind, madeUri } from '../../../src/model/attachment.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import { noRules } from '../support/noRules.ts';
import { judgeIn } from '../support/judge.ts';
import type { BlobRef } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { here, scripted } from '../support/scriptedProgram.ts';
import { converse, settled, stage } from './stage.ts';

const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);
const file: Attached = { id: 'f', block: { kind: 'resource', mime: '', uri: 'file:///w/a.go', name: 'a.go' } };
const folder: Attached = { id: 'd', block: { kind: 'resource', mime: folderKind, uri: 'file:///w/d', name: 'd' } };
const chosen: Attached = {
  id: 'c',
  block: { kind: 'resource', mime: 'text/plain', uri: 'file:///w/a.go#L1-2', name: 'a.go:1-2', text: 'as it was ```' },
};
const past: Attached = {
  id: 's',
  block: { kind: 'resource', mime: 'text/plain', uri: madeUri('session', 'abcdefghjkmn'), name: 'Retries' },
};
const image: Attached = { id: 'i', block: { kind: 'image', mime: 'image/png', name: 'p.png', data: bytes } };

async function withAgent(t: TestContext, flags: readonly string[]) {
  const home = temporaryFolder(t);
  const log = join(home, 'log');
  const agent = scripted(t, { flags, env: { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log } });
  const history = await openTestHistory(temporaryFolder(t));
  const clock = new FixedClock();
  const attachedText = (uri: string) =>
    Promise.resolve(uri.endsWith('.go') ? 'package w\n' : uri === past.block.uri ? 'what was said' : null);
  const conversation = new Conversation(
    { history, clock, ids, place: () => here, rules: noRules, judgePaths: judgeIn(), files: null, attachedText },
    agent,
    { id: ids.session() },
  );
  t.after(() => conversation.leave());
  const given = () => {
    const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
    const { model } = JSON.parse(last) as { readonly model: readonly string[] };
    return model.map(one => (one.startsWith('{') ? (JSON.parse(one) as { [field: string]: unknown }) : one));
  };
  return { conversation, history, given };
}

test('[T30] [T31] what is attached is in history after the words, byte for byte as the agent was given it', async t => {
  const { conversation, history, given } = await withAgent(t, ['--images', '--embedded']);
  const sent = await conversation.send('look', { attached: [file, folder, image] });
  assert.deepEqual(sent, { sent: true });
  await settled(conversation);
  const data = Buffer.from(bytes).toString('base64');
  assert.deepEqual(given(), [
    'look',
    { type: 'resource', resource: { uri: 'file:///w/a.go', mimeType: 'text/plain', text: 'package w\n' } },
    { type: 'resource_link', uri: 'file:///w/d', name: 'd' },
    { type: 'image', mimeType: 'image/png', data },
  ]);
  const stored = await history.open(conversation.session);
  const blocks = stored?.path[0]?.blocks ?? [];
  assert.deepEqual(blocks.slice(0, 3), [
    { kind: 'text', mime: 'text/markdown', text: 'look' },
    { kind: 'resource', mime: 'text/plain', uri: 'file:///w/a.go', name: 'a.go', text: 'package w\n' },
    folder.block,
  ]);
  const kept = blocks[3];
  assert.ok(kept?.kind === 'image');
  assert.deepEqual([kept.mime, kept.name], ['image/png', 'p.png']);
  assert.deepEqual(await history.blob(conversation.session, kept.data as BlobRef), bytes);
  // What is sent again lies in history by then.
  await conversation.send('again', { attached: [{ id: 'i2', block: kept }] });
  await settled(conversation);
  assert.deepEqual(given().slice(-2), ['again', { type: 'image', mimeType: 'image/png', data }]);
});

test('[T31] an agent that takes less is sent the address, and no words without the images that belong to them', async t => {
  const { conversation, given } = await withAgent(t, []);
  const refused = await conversation.send('look', { attached: [file, image] });
  assert.deepEqual(refused, { sent: false, words: 'Scripted takes no images.' });
  assert.equal(conversation.transcript.messages.length, 0);
  assert.equal(conversation.transcript.turn, null);
  await conversation.send('look', { attached: [file] });
  await settled(conversation);
  assert.deepEqual(given(), ['look', { type: 'resource_link', uri: 'file:///w/a.go', name: 'a.go' }]);
});

test('[T30] what waits in the queue keeps what was attached, in the next window too', async t => {
  const { conversation, agent, reopen, clock, history } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send('next', { request: 'q', attached: [file, chosen, image] });
  conversation.changeQueued('q', 'next, please');
  const waiting = [{ id: 'q', text: 'next, please', attached: [file, chosen, image] }];
  assert.deepEqual(conversation.transcript.queue, waiting);
  turn.end({ reason: 'cancelled' });
  await settled(conversation);
  await conversation.leave();
  await history.close();
  const again = await reopen();
  const stored = await again.open(conversation.session);
  assert.ok(stored);
  const next = converse(again, agent, clock, { stored });
  assert.deepEqual(next.transcript.queue, waiting);
  next.changeQueued('q', null);
  assert.deepEqual(next.transcript.queue, []);
  await next.leave();
});

test('[T30] a queued prompt goes out with what was attached', async t => {
  const { conversation, agent } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  await conversation.send('next', { request: 'q', attached: [file] });
  turn.end({ reason: 'end_turn' });
  const second = await agent.nextTurn();
  assert.deepEqual(second.prompt.parts, [
    { type: 'text', text: 'next' },
    { type: 'link', uri: 'file:///w/a.go', name: 'a.go' },
  ]);
  second.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(conversation.transcript.messages[2]?.blocks.length, 2);
});

test('[H71] [T31] a text that was chosen goes out as it was, fenced where the agent takes text alone', async t => {
  const attached = [chosen, past];
  const embedded = await withAgent(t, ['--embedded']);
  await embedded.conversation.send('look', { attached });
  await settled(embedded.conversation);
  const said = { uri: past.block.uri, mimeType: 'text/plain', text: 'what was said' };
  assert.deepEqual(embedded.given().slice(1), [
    { type: 'resource', resource: { uri: 'file:///w/a.go#L1-2', mimeType: 'text/plain', text: 'as it was ```' } },
    { type: 'resource', resource: said },
  ]);
  const { conversation, given, history } = await withAgent(t, []);
  await conversation.send('look', { attached });
  await settled(conversation);
  assert.deepEqual(given().slice(1), [
    'file:///w/a.go#L1-2:\n\n````\nas it was ```\n````',
    'Retries:\n\n```\nwhat was said\n```',
  ]);
  const stored = await history.open(conversation.session);
  assert.deepEqual(stored?.path[0]?.blocks.slice(1), [chosen.block, { ...past.block, text: 'what was said' }]);
});
