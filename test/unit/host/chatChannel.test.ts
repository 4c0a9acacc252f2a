// The channel to one panel, with a webview that a test holds in its hands.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { draftsIn } from '../../../src/node/drafts.ts';
import { firstWindowsFolder } from '../../../src/host/history/historyFolder.ts';
import { groupOf, relativeTime } from '../../../src/host/sessions/sessionAge.ts';
import { textOf } from '../../../src/model/message.ts';
import { reduce, type Transcript, type TranscriptEvent } from '../../../src/model/transcript.ts';
import { parseIntent } from '../../../src/model/intent.ts';
import { longestPrompt } from '../../../src/model/intentFields.ts';
import type { HostEvent, HostMessage } from '../../../src/model/wire.ts';
import { heldWebview, openTestChannel, openTestDrafts, quietPorts } from '../support/quietPanel.ts';
import { stage } from '../conversation/stage.ts';

async function panel(t: TestContext) {
  const scene = await stage(t);
  const posted: HostMessage[] = [];
  const { webview, say: receive } = heldWebview(message => posted.push(message));
  const failures: unknown[] = [];
  const drafts = openTestDrafts(scene.folder);
  const ports = quietPorts(scene.conversation, scene.history, {
    newSession: () => Promise.reject(new Error('not here')),
    readDraft: drafts.read,
    keepDraft: (session, text) => void drafts.keep(session, text),
    failure: (_, cause) => failures.push(cause),
  });
  const channel = openTestChannel(scene.folder, webview, ports);
  const say = async (message: unknown) => {
    receive(message);
    // Intents are obeyed after the microtasks that they wait for; history's own answer is the longest of them.
    await scene.history.sessions();
    await new Promise(resolve => setImmediate(resolve));
  };
  // A snapshot waits for the draft on the disk, so it is waited for as well.
  const boot = async () => {
    const before = snapshots(posted);
    await say({ type: 'ready', session: null });
    while (snapshots(posted) === before) await new Promise(resolve => setImmediate(resolve));
  };
  await boot();
  return { ...scene, channel, posted, failures, say, boot, drafts };
}

function isOfTranscript(event: HostEvent): event is TranscriptEvent {
  return !['snapshot', 'refused', 'focus', 'draftChanged'].includes(event.type);
}

function snapshots(posted: readonly HostMessage[]): number {
  return posted.filter(({ event }) => event.type === 'snapshot').length;
}

const hostile: readonly unknown[] = [
  undefined,
  null,
  7,
  'sendPrompt',
  [],
  {},
  { type: 'launchMissiles' },
  { type: 'sendPrompt' },
  { type: 'sendPrompt', request: 'r', session: 's', text: '' },
  { type: 'sendPrompt', request: 'r', session: 's', text: ' \n ' },
  { type: 'sendPrompt', request: 'r', session: 's', text: { toString: 'x' } },
  { type: 'sendPrompt', request: 'r', session: 's'.repeat(500), text: 'x' },
  { type: 'sendPrompt', request: 'r', session: 's', text: 'x'.repeat(longestPrompt + 1) },
  { type: 'ready', session: 7 },
  { type: 'ready' },
  { type: 'ready', session: null, message: 7 },
  { type: 'wantEarlier', session: 's' },
  { type: 'wantEarlier', session: 's', first: -1 },
  { type: 'cancelTurn', session: '' },
  { type: 'openLink', url: 7 },
  { type: 'openLink', url: 'x'.repeat(10_000) },
];

test('[H1] what is not exactly an intent is not obeyed', async t => {
  const { say, posted, agent, failures } = await panel(t);
  const before = posted.length;
  for (const message of hostile) {
    assert.equal(parseIntent(message), undefined, JSON.stringify(message)?.slice(0, 100));
    await say(message);
  }
  assert.equal(posted.length, before);
  assert.equal(agent.unseen, 0);
  assert.deepEqual(failures, []);
});

test('[H1] fields that an intent does not have are left behind', () => {
  const intent = parseIntent({ type: 'cancelTurn', session: 's', path: '/etc/passwd', command: 'rm' });
  assert.deepEqual(intent, { type: 'cancelTurn', session: 's' });
});

test('[H1] an intent for another session is not obeyed', async t => {
  const { say, posted, agent, conversation } = await panel(t);
  const before = posted.length;
  await say({ type: 'sendPrompt', request: 'r1', session: 'another', text: 'hello' });
  await say({ type: 'cancelTurn', session: 'another' });
  assert.equal(posted.length, before);
  assert.equal(conversation.transcript.messages.length, 0);
  assert.equal(agent.unseen, 0);
});

test('[H2] the panel has what the host has, numbered without a gap, and text comes once per frame', async t => {
  const { say, posted, agent, conversation, ended } = await panel(t);
  await say({ type: 'sendPrompt', request: 'r1', session: conversation.session, text: 'count' });
  const turn = await agent.nextTurn();
  for (let n = 0; n < 500; n++) turn.update({ type: 'text', text: `${n} ` });
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual(
    posted.map(({ seq }) => seq),
    posted.map((_, at) => at),
  );
  let shown: Transcript | undefined;
  for (const { event } of posted) {
    if (event.type === 'snapshot') shown = event.transcript;
    else if (isOfTranscript(event)) shown = shown && reduce(shown, event);
  }
  assert.deepEqual(shown, conversation.transcript);
  assert.equal(textOf(shown?.messages[1] as never), Array.from({ length: 500 }, (_, n) => `${n} `).join(''));
  assert.ok(posted.filter(({ event }) => event.type === 'textAppended').length < 10);
});

test('[H2] a panel that asks again gets a snapshot that the next events fit', async t => {
  const { say, posted, agent, conversation, ended } = await panel(t);
  await say({ type: 'sendPrompt', request: 'r1', session: conversation.session, text: 'count' });
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'one ' });
  turn.update({ type: 'text', text: 'two ' });
  await say({ type: 'requestSnapshot' });
  turn.update({ type: 'text', text: 'three' });
  turn.end({ reason: 'end_turn' });
  await ended();
  const from = posted.findLastIndex(({ event }) => event.type === 'snapshot');
  let shown: Transcript | undefined;
  for (const { event } of posted.slice(from)) {
    if (event.type === 'snapshot') shown = event.transcript;
    else if (isOfTranscript(event)) shown = shown && reduce(shown, event);
  }
  assert.deepEqual(shown, conversation.transcript);
});

test('[H2] a refused prompt names its request', async t => {
  const { say, posted, conversation } = await panel(t);
  await conversation.setTrashed(true);
  await say({ type: 'sendPrompt', request: 'r2', session: conversation.session, text: 'two' });
  const refused = posted.flatMap(({ event }) => (event.type === 'refused' ? [event.request] : []));
  assert.deepEqual(refused, ['r2']);
});

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const folders: readonly (readonly [given: string, used: string])[] = [
  [
    '/data/workspaceStorage/3e0b8e90-1/throughline.throughline',
    '/data/workspaceStorage/3e0b8e90/throughline.throughline',
  ],
  [
    '/data/workspaceStorage/-3e0b8e90-2/throughline.throughline',
    '/data/workspaceStorage/-3e0b8e90/throughline.throughline',
  ],
  [
    '/data/workspaceStorage/-12345678/throughline.throughline',
    '/data/workspaceStorage/-12345678/throughline.throughline',
  ],
  [`/data/workspaceStorage/${md5}/throughline.throughline`, `/data/workspaceStorage/${md5}/throughline.throughline`],
  [`/data/workspaceStorage/${md5}-1/throughline.throughline`, `/data/workspaceStorage/${md5}/throughline.throughline`],
  [`/data/workspaceStorage/${md5}-12/throughline.throughline`, `/data/workspaceStorage/${md5}/throughline.throughline`],
  [
    '/data/workspaceStorage/my-project-1/throughline.throughline',
    '/data/workspaceStorage/my-project-1/throughline.throughline',
  ],
];

test('[H3] a second window uses the folder of the first', () => {
  for (const [given, used] of folders) assert.equal(firstWindowsFolder(given), used);
});

test('[J12] a session stands in the group of its day', () => {
  const now = new Date(2026, 10, 18, 0, 30).getTime();
  const minutes = 60_000;
  const rows = [
    [now, 'Today', 'now'],
    [now - 29 * minutes, 'Today', '29 min'],
    [now - 31 * minutes, 'Yesterday', '31 min'],
    [now - 25 * 60 * minutes, 'Last 7 days', '1 d'],
    [now - 8 * 24 * 60 * minutes, 'Older', '8 d'],
    [now + 5 * minutes, 'Today', 'now'],
  ] as const;
  for (const [active, group, age] of rows) {
    assert.equal(groupOf(active, now), group);
    assert.equal(relativeTime(active, now), age);
  }
});

test('[H8] a draft is kept on the disk and comes back with the next snapshot', async t => {
  const { say, boot, posted, conversation, drafts, folder } = await panel(t);
  const { session } = conversation;
  await say({ type: 'keepDraft', session, text: 'half a' });
  await say({ type: 'keepDraft', session, text: 'half a sentence' });
  assert.equal(await drafts.read(session), 'half a sentence');
  assert.equal(await draftsIn(folder).read(session), 'half a sentence');
  await boot();
  const last = posted.at(-1)?.event;
  assert.equal(last?.type === 'snapshot' && last.draft, 'half a sentence');
  await say({ type: 'keepDraft', session, text: '' });
  assert.equal(await drafts.read(session), '');
  assert.deepEqual(readdirSync(join(folder, 'drafts')), []);
});
