// The webview's side of the wire: order, gaps, and words that must not be lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, ToolCallBlock } from '../../../src/model/message.ts';
import { noBranches, reduce } from '../../../src/model/transcript.ts';
import type { Intent } from '../../../src/model/intent.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import { createDraftKeeper } from '../../../src/webview/composing/draftKeeper.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { createStore } from '../../../src/webview/store.ts';
import { parseSavedState } from '../../../src/webview/vscodeApi.ts';
import { message, place, transcript } from './fixture.ts';

const snapshot: HostEvent = { type: 'snapshot', transcript, place, draft: '' };

function open() {
  const posted: Intent[] = [];
  const draws: (() => void)[] = [];
  const store = createStore({ post: intent => posted.push(intent), later: draw => draws.push(draw), session: 's' });
  const outbox = createOutbox(intent => posted.push(intent));
  store.onEvent(outbox.hear);
  const frame = () => draws.splice(0).forEach(draw => draw());
  const receive = (seq: number, event: HostEvent) => store.receive({ v: 1, seq, event });
  return { posted, store, outbox, frame, receive, draws };
}

function grow(offset: number, text: string): HostEvent {
  return { type: 'textAppended', message: 'a', at: 0, offset, text };
}

function textShown(store: ReturnType<typeof open>['store']): string {
  const block = store.transcript.value?.messages.at(-1)?.blocks[0];
  return block?.kind === 'text' ? block.text : '';
}

test('[W1] it asks with the session that it showed before', () => {
  const { posted, store } = open();
  store.start();
  assert.deepEqual(posted, [{ type: 'ready', session: 's' }]);
});

test('[W1] a gap asks for one snapshot, and nothing is applied until it comes', () => {
  const { posted, store, frame, receive } = open();
  receive(7, snapshot);
  receive(8, grow(0, 'one'));
  receive(10, grow(3, 'LOST'));
  receive(11, grow(7, 'LOST'));
  receive(9, grow(3, 'LATE'));
  frame();
  assert.equal(textShown(store), 'one');
  assert.deepEqual(posted, [{ type: 'requestSnapshot' }]);
  receive(40, snapshot);
  receive(41, grow(0, 'two'));
  frame();
  assert.equal(textShown(store), 'two');
  assert.equal(posted.length, 1);
});

test('[W1] an event that does not fit asks for one snapshot', () => {
  const { posted, store, frame, receive } = open();
  receive(0, snapshot);
  receive(1, grow(5, 'x'));
  receive(2, { type: 'titleChanged', title: 'new' });
  frame();
  assert.deepEqual(posted, [{ type: 'requestSnapshot' }]);
  assert.equal(store.transcript.value?.title, 'T');
});

test('[W1] what is not a message of this version is not believed', () => {
  const { posted, store, frame } = open();
  for (const data of [null, 1, 'x', {}, { v: 1 }, { v: 1, seq: 'x', event: snapshot }, { v: 1, seq: 1, event: null }])
    store.receive(data);
  assert.equal(store.link.value, 'waiting');
  store.receive({ v: 2, seq: 0, event: snapshot });
  frame();
  assert.equal(store.link.value, 'otherVersion');
  assert.equal(store.transcript.value, undefined);
  assert.equal(posted.length, 0);
});

test('[W10] many events are drawn once, and what did not change is the same', () => {
  const { store, frame, receive, draws } = open();
  receive(0, snapshot);
  frame();
  const first = store.transcript.value?.messages[0];
  const turns: unknown[] = [];
  store.part('turn').subscribe(turn => turns.push(turn));
  for (let at = 0; at < 100; at++) receive(at + 1, grow(at, 'x'));
  assert.equal(draws.length, 1);
  frame();
  assert.equal(textShown(store).length, 100);
  assert.equal(store.transcript.value?.messages[0], first);
  assert.equal(turns.length, 1);
});

test('[W11] refused words come back, also across a gap', () => {
  const { posted, outbox, receive } = open();
  receive(0, snapshot);
  outbox.draft.value = 'my words';
  outbox.send('s');
  assert.equal(outbox.draft.value, '');
  assert.equal(outbox.kept.value, 'my words');
  const sent = posted.find(intent => intent.type === 'sendPrompt');
  assert.ok(sent?.type === 'sendPrompt');
  receive(9, { type: 'refused', request: sent.request, words: 'disk full' });
  assert.equal(outbox.draft.value, 'my words');
  assert.deepEqual(outbox.refusal.value, { words: 'disk full', text: null });
});

test('[W11] refused words wait beside the composer when other words are in it', () => {
  const { posted, outbox, receive } = open();
  receive(0, snapshot);
  outbox.draft.value = 'first';
  outbox.send('s');
  outbox.draft.value = 'second';
  const sent = posted.find(intent => intent.type === 'sendPrompt');
  assert.ok(sent?.type === 'sendPrompt');
  receive(1, { type: 'refused', request: sent.request, words: 'no' });
  assert.equal(outbox.draft.value, 'second');
  assert.deepEqual(outbox.refusal.value, { words: 'no', text: 'first' });
  outbox.restore();
  assert.equal(outbox.draft.value, 'first\n\nsecond');
});

test('[W11] sent words are kept for a reload until they are in the conversation', () => {
  const { posted, outbox, receive } = open();
  receive(0, { type: 'snapshot', transcript: { ...transcript, messages: [], turn: null }, place, draft: '' });
  outbox.draft.value = 'words';
  outbox.send('s');
  assert.equal(outbox.kept.value, 'words');
  const request = posted.flatMap(intent => (intent.type === 'sendPrompt' ? [intent.request] : []))[0] ?? '';
  receive(1, { type: 'messageAdded', message: message('n', null, 'user', 'words'), request: 'of another panel' });
  assert.equal(outbox.kept.value, 'words', 'the same words of another panel are not these');
  receive(2, { type: 'messageAdded', message: message('n2', 'n', 'user', 'words'), request });
  assert.equal(outbox.kept.value, '');
  const reloaded = open();
  reloaded.receive(0, { ...snapshot, draft: 'hello' });
  assert.equal(reloaded.outbox.draft.value, '', 'they arrived while the page was away');
  const later = open();
  later.receive(0, { ...snapshot, draft: 'not sent yet' });
  assert.equal(later.outbox.draft.value, 'not sent yet');
});

test('[W12] what was saved is checked before it is believed', () => {
  const empty = { session: null, scroll: null };
  const rows: readonly (readonly [unknown, unknown])[] = [
    [undefined, empty],
    ['x', empty],
    [{ session: 1, scroll: 'end' }, empty],
    [
      { session: 's', scroll: { message: 'm', offset: 3 } },
      { session: 's', scroll: { message: 'm', offset: 3 } },
    ],
    [
      { session: 's', scroll: { message: 'm' } },
      { session: 's', scroll: null },
    ],
  ];
  for (const [saved, expected] of rows) assert.deepEqual(parseSavedState(saved), expected);
});

test('[W17] each session has its own draft, kept as it is typed and when it is left', () => {
  const { posted, outbox, store, receive } = open();
  const waiting: (() => void)[] = [];
  const keeper = createDraftKeeper(
    intent => posted.push(intent),
    run => waiting.push(run),
  );
  store.onEvent(keeper.hear);
  const type = (words: string) => {
    outbox.draft.value = words;
    keeper.typed(outbox.kept.value);
  };
  const kept = () =>
    posted.flatMap(intent => (intent.type === 'keepDraft' ? [`${intent.session}: ${intent.text}`] : []));
  receive(0, { ...snapshot, draft: 'from before' });
  assert.equal(outbox.draft.value, 'from before');
  keeper.typed(outbox.kept.value);
  assert.deepEqual(kept(), [], 'the host has it already');
  type('from before, an');
  type('from before, and more');
  assert.equal(waiting.length, 1);
  waiting.shift()?.();
  assert.deepEqual(kept(), ['s: from before, and more']);
  type('almost gone');
  receive(1, {
    type: 'snapshot',
    transcript: { ...transcript, session: 'other', messages: [], turn: null },
    place,
    draft: 'other words',
  });
  assert.deepEqual(kept().at(-1), 's: almost gone');
  assert.equal(outbox.draft.value, 'other words');
  keeper.typed(outbox.kept.value);
  waiting.shift()?.();
  assert.equal(kept().length, 2);
});

test('[W10] questions, decisions and changes come in as events', () => {
  const { posted, store, frame, receive } = open();
  receive(0, snapshot);
  frame();
  const permissions = store.transcript.value?.permissions;
  const elicitation = { id: 'e', message: 'Where to?', asks: { kind: 'form', fields: [] } } as const;
  const decided = [{ message: 'a', path: '/x', decision: 'kept' }] as const;
  const side = { kind: 'unknown' } as const;
  const changes = {
    kind: 'changes',
    mime: 'application/json',
    files: [{ path: '/x', before: side, after: side, seen: 'disk' }],
  } as const;
  receive(1, { type: 'elicitationsChanged', elicitations: [elicitation] });
  receive(2, { type: 'decidedChanged', decided });
  receive(3, { type: 'blockSet', message: 'a', at: 1, block: changes });
  frame();
  assert.deepEqual(store.part('elicitations').value, [elicitation]);
  assert.deepEqual(store.part('decided').value, decided);
  assert.equal(store.transcript.value?.messages.at(-1)?.blocks[1], changes);
  assert.equal(store.transcript.value?.permissions, permissions, 'what did not change is the same');
  assert.deepEqual(posted, []);
});

test('[W87] who reads every transcript is given what no drawing shows, from now on and until it ends', () => {
  const { store, frame, receive } = open();
  const read: (string | null)[] = [];
  receive(0, snapshot);
  const end = store.onTranscript(({ turn }) => void read.push(turn ? turn.message : null));
  receive(1, { type: 'turnChanged', turn: { message: 'a', cancelling: false } });
  receive(2, { type: 'turnChanged', turn: null });
  frame();
  assert.equal(store.transcript.value?.turn, null);
  const known = transcript.turn?.message ?? null;
  assert.deepEqual(read, [known, 'a', null]);
  end();
  receive(3, { type: 'turnChanged', turn: { message: 'a', cancelling: false } });
  assert.equal(read.length, 3);
});

test('[W10] of a path that is told again each message keeps its identity where nothing in it is other than before', () => {
  const call: ToolCallBlock = {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'c',
    title: 'Run',
    tool: 'execute',
    status: 'completed',
    output: [{ type: 'text', text: 'out' }],
    locations: [],
  };
  const before: Message = {
    ...message('m', null, 'user', ''),
    blocks: [{ kind: 'text', mime: 'text/plain', text: 'one' }, call],
  };
  const told = (after: Message) => {
    const shown = { ...transcript, messages: [before] };
    const event = { type: 'pathChanged', messages: [after], branches: noBranches, elsewhere: null } as const;
    return reduce(shown, event)?.messages[0];
  };
  assert.equal(told(structuredClone(before)), before);
  const others: readonly Message[] = [
    { ...before, role: 'summary' },
    { ...before, label: 'subagent:a:1' },
    { ...before, blocks: before.blocks.slice(0, 1) },
    { ...before, blocks: [...before.blocks, call] },
    { ...before, blocks: before.blocks.toReversed() },
    { ...before, blocks: [{ kind: 'text', mime: 'text/plain', text: 'on' }, call] },
    { ...before, blocks: [...before.blocks.slice(0, 1), { ...call, output: [{ type: 'text', text: 'ou' }] }] },
    { ...before, blocks: [...before.blocks.slice(0, 1), { ...call, output: [] }] },
  ];
  for (const other of others) assert.equal(told(other), other);
});
