// A long conversation comes to a panel from its end, portion by portion, and is the host's own at every step.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { firstGiven, firstOfPortion, given, messagesPerPage, textAtOnce } from '../../../src/model/portions.ts';
import type { Message } from '../../../src/model/message.ts';
import { letGo, reduce, type Transcript } from '../../../src/model/transcript.ts';
import type { HostMessage } from '../../../src/model/wire.ts';
import { converse, settled, stage } from '../conversation/stage.ts';
import { heldWebview, openTestChannel, quietPorts } from '../support/quietPanel.ts';

const count = 333;

/** A stored session of so many messages. */
async function stored(t: TestContext, length = count) {
  const scene = await stage(t);
  const session = 'long';
  const agent = scene.agent.ref;
  const messages = Array.from({ length }, (_, at) => ({
    id: `m${at}`,
    parent: at === 0 ? null : `m${at - 1}`,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    created: at,
    blocks: [{ kind: 'text' as const, mime: 'text/markdown', text: `message ${at}` }],
    end: { reason: 'end_turn' as const, at },
    ...(at % 2 === 0 ? {} : { agent }),
  }));
  await scene.history.append(session, [
    { type: 'session', session, created: 0, agent },
    { type: 'set', session, name: 'title', value: 'A long one' },
    ...messages.map(message => ({ type: 'message' as const, session, message })),
    { type: 'set', session, name: 'head', value: `m${length - 1}` },
  ]);
  const whole = await scene.history.open(session);
  assert.ok(whole);
  return {
    ...scene,
    session,
    whole,
    conversation: converse(scene.history, scene.agent, scene.clock, { stored: whole }),
  };
}

/** A panel of it, and what it shows after all that was posted so far. */
async function panel(t: TestContext, wanted?: string) {
  const scene = await stored(t);
  const { session, conversation } = scene;
  const posted: HostMessage[] = [];
  const { webview, say } = heldWebview(message => posted.push(message));
  const failures: unknown[] = [];
  const ports = quietPorts(conversation, scene.history, { failure: (_, cause) => failures.push(cause) });
  const channel = openTestChannel(scene.folder, webview, ports);
  const shown = (): Transcript | undefined => {
    let transcript: Transcript | undefined;
    for (const { event } of posted) {
      if (event.type === 'snapshot') ({ transcript } = event);
      else if (event.type === 'earlierRead' || event.type === 'pathChanged')
        transcript = transcript && reduce(transcript, event);
    }
    return transcript;
  };
  const settled = () => new Promise(resolve => setImmediate(resolve));
  say({ type: 'ready', session, ...(wanted !== undefined && { message: wanted }) });
  while (posted.length === 0) await settled();
  return {
    conversation,
    channel,
    posted,
    shown,
    failures,
    settled,
    say,
    ask: (first: number) => say({ type: 'wantEarlier', session, first }),
  };
}

function isEndOf(shown: Transcript | undefined, whole: Transcript): number {
  assert.ok(shown);
  const first = shown.earlier ?? 0;
  assert.deepEqual(shown.messages, whole.messages.slice(first));
  assert.equal(first % messagesPerPage, 0);
  return first;
}

test('[W72] a panel is given the end, and more each time that it asks, until it has all', async t => {
  const { conversation, posted, shown, settled, ask, failures } = await panel(t);
  const whole = conversation.transcript;
  let first = isEndOf(shown(), whole);
  assert.ok(first > count - 80);
  for (let asked = 0; first > 0; asked++) {
    assert.ok(asked < 20);
    const before = posted.length;
    ask(first);
    // Asked twice, and for what it had before the last snapshot: answered once.
    ask(first);
    ask(first + messagesPerPage);
    await settled();
    assert.equal(posted.length, before + 1);
    const now = isEndOf(shown(), whole);
    assert.ok(now < first);
    first = now;
  }
  assert.deepEqual(shown(), whole);
  ask(0);
  await settled();
  assert.deepEqual(failures, []);
});

test('[W72] what the panel let go of is given again, and what it did not have counts no more', async t => {
  const { conversation, posted, settled, ask, say, shown } = await panel(t);
  const whole = conversation.transcript;
  const end = isEndOf(shown(), whole);
  for (let first = end; first > 0; first = isEndOf(shown(), whole)) {
    ask(first);
    await settled();
  }
  const had = shown();
  assert.ok(had);
  say({ type: 'letGo', session: 'long', first: 200 });
  let now: Transcript | undefined = letGo(had, 200);
  assert.equal(isEndOf(now, whole), 200);
  const before = posted.length;
  ask(200);
  await settled();
  for (const { event } of posted.slice(before)) if (event.type === 'earlierRead') now = now && reduce(now, event);
  assert.equal(isEndOf(now, whole), 100);
  // A portion that does not fit what is there is not taken.
  const odd = { type: 'earlierRead', first: 40, messages: whole.messages.slice(40, 60) } as const;
  assert.equal(reduce(letGo(had, 200), odd), undefined);
  // What never was is not let go of: the end stays.
  say({ type: 'letGo', session: 'long', first: 10_000 });
  ask(end);
  await settled();
  assert.equal(posted.at(-1)?.event.type, 'earlierRead');
});

test('[W72] a message that was looked at, or is gone to, is given with what is above it', async t => {
  const { conversation, channel, posted, shown } = await panel(t, 'm120');
  assert.ok(isEndOf(shown(), conversation.transcript) <= 100);
  channel.focus({ message: 'm7' });
  assert.equal(isEndOf(shown(), conversation.transcript), 0);
  assert.equal(posted.at(-1)?.event.type, 'focus');
  assert.ok(
    posted.every(({ event }) => event.type !== 'earlierRead' || event.messages.length <= 100),
    'in portions',
  );
});

test('[W72] another path is given as far as the one before', async t => {
  const { conversation, shown, settled, ask } = await panel(t);
  const before = isEndOf(shown(), conversation.transcript);
  ask(before);
  await settled();
  const first = isEndOf(shown(), conversation.transcript);
  await conversation.setHead('m300');
  assert.equal(isEndOf(shown(), conversation.transcript), first);
  await conversation.setHead('m9');
  assert.equal(isEndOf(shown(), conversation.transcript), 0);
  assert.equal(conversation.transcript.messages.length, 10);
});

test('[W75] of a text of 50 MB a panel has the beginning, and all of it bit by bit; a copy is all of it', async t => {
  const scene = await stage(t);
  const { history, agent } = scene;
  const session = 'huge';
  // A letter of two characters where the first portion would end.
  const text = `${'x'.repeat(textAtOnce - 1)}\u{1f600}${'A paragraph of words.\n\n'.repeat(2_300_000)}end`;
  const blocks = [{ kind: 'text', mime: 'text/markdown', text } as const];
  await history.append(session, [
    { type: 'session', session, created: 0, agent: agent.ref },
    {
      type: 'message',
      session,
      message: {
        id: 'a',
        parent: null,
        role: 'assistant',
        created: 1,
        agent: agent.ref,
        blocks,
        end: { reason: 'end_turn', at: 2 },
      },
    },
    { type: 'set', session, name: 'head', value: 'a' },
  ]);
  const stored = await history.open(session);
  assert.ok(stored);
  const conversation = converse(history, agent, scene.clock, { stored });
  const posted: HostMessage[] = [];
  const copied: string[] = [];
  const { webview, say } = heldWebview(message => posted.push(message));
  const ports = quietPorts(conversation, history, { failure: assert.fail, copyText: one => void copied.push(one) });
  openTestChannel(scene.folder, webview, ports);
  say({ type: 'ready', session });
  while (posted.length === 0) await new Promise(resolve => setImmediate(resolve));
  const first = posted[0]?.event;
  assert.ok(first?.type === 'snapshot');
  let shown: Transcript = first.transcript;
  const blockOf = () => {
    const block = shown.messages[0]?.blocks[0];
    assert.ok(block?.kind === 'text');
    return block;
  };
  assert.equal(blockOf().text, text.slice(0, textAtOnce - 1));
  for (let asked = 0; blockOf().left !== undefined; asked++) {
    assert.ok(asked < 300);
    const { text: before, left } = blockOf();
    assert.equal(before.length + (left ?? 0), text.length);
    say({ type: 'wantText', session, message: 'a', block: 0, offset: before.length });
    await new Promise(resolve => setImmediate(resolve));
    const event = posted.at(-1)?.event;
    assert.ok(event?.type === 'textAppended' && event.text.length <= textAtOnce);
    const grown = reduce(shown, event);
    assert.ok(grown);
    shown = grown;
  }
  assert.ok(blockOf().text === text);
  const before = posted.length;
  for (const [block, offset] of [
    [0, text.length],
    [7, 0],
  ])
    say({ type: 'wantText', session, message: 'a', block, offset });
  say({ type: 'copyMessage', session, message: 'a' });
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(posted.length, before);
  assert.ok(copied.length === 1 && copied[0] === text);
});

test('[W75] what is shorter, or still being written, is given whole', () => {
  const block = (length: number) => ({ kind: 'text' as const, mime: 'text/markdown', text: 'x'.repeat(length) });
  const message = (length: number, isOver: boolean): Message => ({
    id: 'a',
    session: 's',
    parent: null,
    role: 'assistant',
    created: 0,
    blocks: [block(10), block(length)],
    ...(isOver && { end: { reason: 'end_turn', at: 1 } }),
  });
  const short = [message(2 * textAtOnce, true), message(8 * textAtOnce, false)];
  assert.equal(given(short), short);
  const [whole, begun] = given([...short.slice(0, 1), message(2 * textAtOnce + 1, true)]);
  assert.equal(whole, short[0]);
  assert.deepEqual(
    begun?.blocks.map(one => (one.kind === 'text' ? [one.text.length, one.left] : [])),
    [
      [10, undefined],
      [textAtOnce, textAtOnce + 1],
    ],
  );
});

test('[W74] the end of a long session is what the whole has there, and of any other there is none', async t => {
  const { history, session, whole } = await stored(t);
  const end = await history.openEnd(session);
  assert.ok(end && end.earlier > 0);
  assert.deepEqual(end.path, whole.path.slice(end.earlier));
  assert.equal(end.earlier, firstGiven(count));
  const { path: _path, branches: _branches, ...fields } = whole;
  const { path: _end, earlier: _earlier, ...fieldsOfEnd } = end;
  assert.deepEqual(fieldsOfEnd, fields);
  // An older head gives the end of its own path.
  await history.append(session, [{ type: 'set', session, name: 'head', value: 'm200' }]);
  assert.equal((await history.openEnd(session))?.path.at(-1)?.id, 'm200');
  await history.trash(session, { message: 'm150', subtree: true });
  assert.equal((await history.openEnd(session))?.path.at(-1)?.id, 'm149', 'its head is in the trash');
  assert.equal(await history.openEnd('nobody'), null);
});

test('[W74] a short session is opened whole', async t => {
  const { history, session } = await stored(t, 20);
  assert.equal(await history.openEnd(session), null);
});

test('[W74] what is asked of a session of which only the end is shown is done once all of it is there', async t => {
  const { history, session, folder, agent, clock } = await stored(t);
  const posted: HostMessage[] = [];
  const { webview, say } = heldWebview(message => posted.push(message));
  const failures: unknown[] = [];
  const end = (await history.openEnd(session)) ?? assert.fail();
  const conversation = converse(history, agent, clock, { stored: end });
  const other = await stage(t);
  const ports = quietPorts(other.conversation, history, { failure: (_, cause) => failures.push(cause) });
  const channel = openTestChannel(folder, webview, ports);
  await channel.show(conversation);
  assert.ok(conversation.isReleased);
  const [snapshot] = posted;
  assert.ok(snapshot?.event.type === 'snapshot');
  const begun = snapshot.event.transcript;
  assert.equal(begun.continuity.kind, 'checking');
  assert.deepEqual([begun.earlier, begun.messages.length], [end.earlier, end.path.length]);
  say({ type: 'sendPrompt', request: 'r', session, text: 'early' });
  const turn = await agent.nextTurn();
  assert.equal(conversation.transcript.messages.length, count + 2);
  assert.match(JSON.stringify(turn.prompt), /early/);
  assert.equal(turn.prompt.path.length, count);
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  await conversation.leave();
  // The panel has what the host has, and what was seen is not drawn again.
  let shown = begun;
  for (const { event } of posted) {
    if (event.type === 'pathChanged' || event.type === 'messageAdded' || event.type === 'messageEnded')
      shown = reduce(shown, event) ?? assert.fail(event.type);
  }
  assert.equal(shown.earlier, begun.earlier);
  assert.equal(shown.messages[0], begun.messages[0]);
  assert.equal(shown.messages.length, begun.messages.length + 2);
  assert.deepEqual(failures, []);
});

test('[W74] the message that was looked at is shown with what comes after it, wherever it stands', async t => {
  const { history, session, folder, agent, clock } = await stored(t);
  const posted: HostMessage[] = [];
  const { webview } = heldWebview(message => posted.push(message));
  const end = (await history.openEnd(session)) ?? assert.fail();
  const conversation = converse(history, agent, clock, { stored: end });
  const channel = openTestChannel(folder, webview, quietPorts(conversation, history, { failure: assert.fail }));
  await channel.show(conversation, 'm30');
  const [snapshot] = posted;
  assert.ok(snapshot?.event.type === 'snapshot');
  assert.ok(snapshot.event.transcript.messages.some(({ id }) => id === 'm30'));
});

test('[W72] what is given begins at a page, whatever the length', () => {
  const rows: readonly (readonly [count: number, wanted: number | undefined, first: number])[] = [
    [0, undefined, 0],
    [1, undefined, 0],
    [59, undefined, 0],
    [60, undefined, 20],
    [10_000, undefined, 9960],
    [10_000, 9999, 9960],
    [10_000, 5001, 4980],
    [10_000, 3, 0],
    [10_000, -1, 9960],
  ];
  for (const [length, wanted, first] of rows) assert.equal(firstGiven(length, wanted), first, `${length} ${wanted}`);
  assert.deepEqual([9960, 100, 40, 0].map(firstOfPortion), [9860, 0, 0, 0]);
});
