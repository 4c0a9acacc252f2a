// Words that wait in the queue, and words on their way to an agent that is being reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queued } from '../../../src/model/agentState.ts';
import type { Intent } from '../../../src/model/intent.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { createPreparer, type About } from '../../../src/webview/composing/preparer.ts';
import { message, place, transcript } from './fixture.ts';

const idle = { ...transcript, turn: null };
const reaching: HostEvent = { type: 'turnChanged', turn: { message: null, cancelling: false } };
const over: HostEvent = { type: 'turnChanged', turn: null };

function snapshot(of = transcript, draft = ''): HostEvent {
  return { type: 'snapshot', transcript: of, place, draft };
}

function open(first: HostEvent = snapshot()) {
  const posted: Intent[] = [];
  const outbox = createOutbox(intent => posted.push(intent));
  outbox.hear(first);
  const send = (words: string) => {
    outbox.draft.value = words;
    outbox.send('s');
    const last = posted.at(-1);
    assert.ok(last?.type === 'sendPrompt');
    return last.request;
  };
  const queue = (...entries: readonly Queued[]) => outbox.hear({ type: 'queueChanged', queue: entries });
  const arrive = (text: string, request: string) =>
    outbox.hear({ type: 'messageAdded', message: message('n', 'a', 'user', text), request });
  return { posted, outbox, send, queue, arrive };
}

test('[W18] a prompt that the queue took has arrived', () => {
  const { outbox, send, queue } = open();
  const [first, second] = [send('one'), send('two')];
  assert.equal(outbox.kept.value, 'one\n\ntwo');
  queue({ id: first, text: 'one' });
  assert.equal(outbox.kept.value, 'two');
  outbox.hear({ type: 'refused', request: first, words: 'late' });
  assert.equal(outbox.refusal.value, null, 'it is not this panel’s any more');
  outbox.hear({ type: 'refused', request: second, words: 'no' });
  assert.equal(outbox.draft.value, 'two');
});

test('[W18] a snapshot with the queue brings the same news', () => {
  const { outbox, send } = open();
  const request = send('one');
  outbox.hear(snapshot({ ...transcript, queue: [{ id: request, text: 'one' }] }));
  assert.equal(outbox.kept.value, '');
  const reloaded = open(snapshot({ ...transcript, queue: [{ id: 'q', text: 'one' }] }, 'one'));
  assert.equal(reloaded.outbox.draft.value, '', 'it came into the queue while the page was away');
});

test('[W18] what leaves the queue for a turn is on its way until it is in the conversation', () => {
  const { outbox, queue, arrive } = open();
  queue({ id: 'q', text: 'next' }, { id: 'r', text: 'later' });
  assert.equal(outbox.underway.value, null);
  outbox.hear(over);
  queue({ id: 'r', text: 'later' });
  outbox.hear(reaching);
  assert.equal(outbox.underway.value, 'next');
  arrive('next', 'q');
  assert.equal(outbox.underway.value, null);
});

test('[W18] what is taken back, or goes back, is not on its way', () => {
  const { posted, outbox, send, queue } = open();
  queue({ id: 'q', text: 'next' });
  outbox.hear(over);
  queue();
  outbox.hear(reaching);
  outbox.hear(over);
  queue({ id: 'q', text: 'next' });
  assert.equal(outbox.underway.value, null);
  outbox.withdraw('s', 'q');
  assert.deepEqual(posted.at(-1), { type: 'changeQueued', session: 's', id: 'q', text: null });
  queue();
  send('another');
  outbox.hear(reaching);
  assert.equal(outbox.underway.value, 'another');
});

test('[W18] edited words go before those in the composer, and are not there twice when they went out after all', () => {
  const { posted, outbox, queue, arrive } = open();
  const queued = { id: 'q', text: 'next' };
  queue(queued);
  outbox.draft.value = 'half a thought';
  outbox.edit('s', queued);
  assert.equal(outbox.draft.value, 'next\n\nhalf a thought');
  assert.deepEqual(posted.at(-1), { type: 'changeQueued', session: 's', id: 'q', text: null });
  arrive('next', 'q');
  assert.equal(outbox.draft.value, 'half a thought');
  const later = open();
  later.outbox.edit('s', queued);
  later.outbox.draft.value = 'next and more';
  later.arrive('next', 'q');
  assert.equal(later.outbox.draft.value, 'next and more', 'what was typed since stays');
});

test('[W18] a page that boots while the agent is reached does not keep words that then arrive', () => {
  const { outbox, arrive } = open(
    snapshot({ ...transcript, turn: { message: null, cancelling: false } }, 'on my way '),
  );
  assert.equal(outbox.draft.value, 'on my way ');
  arrive('on my way', 'of the page before');
  assert.equal(outbox.draft.value, '');
});

test('[W18] the host is told once that the person is about to write', () => {
  let count = 0;
  const { see } = createPreparer(() => count++);
  const about = (change: Partial<About> = {}): About => ({ ...idle, last: 'a', ...change });
  const rows: readonly (readonly [boolean, About | undefined, number])[] = [
    [true, undefined, 0],
    [false, about(), 0],
    [true, about(), 1],
    [true, about(), 1],
    [true, about({ turn: { message: null, cancelling: false } }), 1],
    [true, about({ elsewhere: 'a' }), 1],
    [true, about({ trashed: true }), 1],
    [true, about({ last: 'b' }), 2],
    [true, about({ last: 'b', agent: { id: 'other', name: 'Other' } }), 3],
    [false, about(), 3],
    [true, about(), 4],
  ];
  for (const [at, [focused, shown, expected]] of rows.entries()) {
    see(focused, shown);
    assert.equal(count, expected, `row ${at}`);
  }
});
