// What a panel keeps of branches by itself: the words that are edited, what is on its way in the place of a prompt, and
// where the focus goes. How it looks and what stays where it is, is seen in a real panel (test/e2e/branches.test.ts).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIntent, type Intent } from '../../../src/model/intent.ts';
import { longestPrompt } from '../../../src/model/intentFields.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import {
  branchWords,
  canBranch,
  canMove,
  createBranching,
  promptOf,
} from '../../../src/webview/branching/branching.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { partingOf } from '../../../src/webview/branching/parting.ts';
import { message, place, transcript } from './fixture.ts';

const prompt = message('u', null, 'user', 'hello');
const answer = message('a', 'u', 'assistant', 'hi');
const idle = { ...transcript, turn: null };
const snapshot: HostEvent = { type: 'snapshot', transcript: idle, place, draft: '' };

function open() {
  const posted: Intent[] = [];
  const frames: (() => void)[] = [];
  const post = (intent: Intent) => void posted.push(intent);
  const branching = createBranching(post, then => frames.push(then));
  const outbox = createOutbox(post);
  const hear = (event: HostEvent) => {
    outbox.hear(event);
    branching.hear(event);
  };
  hear(snapshot);
  const frame = () => frames.splice(0).forEach(then => then());
  frame();
  const last = () => {
    const intent = posted.at(-1);
    assert.ok(intent && 'request' in intent);
    return intent;
  };
  return { posted, branching, outbox, hear, frame, last };
}

test('[W29] other words are sent in the place of a prompt, and Escape leaves everything as it was', () => {
  const { posted, branching, outbox, hear, frame, last } = open();
  outbox.draft.value = 'a draft';
  branching.edit(prompt);
  assert.deepEqual(branching.editing.value, { message: 'u', text: 'hello' });
  branching.type('hello there');
  branching.cancel();
  assert.equal(branching.editing.value, null);
  assert.deepEqual(posted, []);

  branching.edit(prompt);
  branching.type('  ');
  branching.send('s');
  assert.deepEqual(posted, [], 'nothing is not sent');
  branching.type('hello again');
  branching.send('s');
  const { request } = last();
  assert.deepEqual(posted, [{ type: 'editPrompt', request, session: 's', message: 'u', text: 'hello again' }]);
  assert.equal(branching.editing.value, null);
  assert.deepEqual(branching.replacing.value, { message: 'u', text: 'hello again', request });
  hear({ type: 'turnChanged', turn: { message: null, cancelling: false } });
  frame();
  assert.equal(branching.replacing.value?.text, 'hello again');
  hear({ type: 'messageAdded', message: message('n', null, 'user', 'hello again'), request });
  assert.notEqual(branching.replacing.value, null, 'until the new one is drawn');
  frame();
  assert.equal(branching.replacing.value, null);
  assert.equal(outbox.draft.value, 'a draft');
});

test('[W29] refused words come back to where they were edited, with the reason', () => {
  const { branching, outbox, hear, frame, last } = open();
  outbox.draft.value = 'a draft';
  branching.edit(prompt);
  branching.type('other words');
  branching.send('s');
  const { request } = last();
  hear({ type: 'turnChanged', turn: null });
  hear({ type: 'refused', request, words: 'the disk is full' });
  frame();
  assert.deepEqual(branching.editing.value, { message: 'u', text: 'other words' });
  assert.deepEqual(branching.trouble.value, { message: 'u', words: 'the disk is full' });
  assert.equal(branching.replacing.value, null);
  assert.equal(outbox.refusal.value, null);
  assert.equal(outbox.draft.value, 'a draft');
  branching.send('s');
  assert.equal(branching.trouble.value, null);

  const again = open();
  again.branching.retry('s', answer, prompt);
  assert.deepEqual(again.branching.replacing.value?.message, 'u', 'the prompt is what is replaced');
  again.hear({ type: 'refused', request: again.last().request, words: 'no' });
  assert.deepEqual(again.branching.trouble.value, { message: 'a', words: 'no' });
  assert.equal(again.branching.editing.value, null, 'nobody had typed anything');
});

test('[W29] what is on its way is forgotten with its turn, a reload of the page and its session', () => {
  const turns: readonly HostEvent[] = [{ type: 'turnChanged', turn: null }, snapshot];
  for (const event of turns) {
    const { branching, hear, frame } = open();
    branching.retry('s', answer, prompt);
    hear({ ...snapshot, transcript: { ...idle, turn: { message: null, cancelling: false } } });
    frame();
    assert.notEqual(branching.replacing.value, null, 'the agent is still being reached');
    hear(event);
    frame();
    assert.equal(branching.replacing.value, null);
  }
  const { branching, hear } = open();
  branching.edit(prompt);
  hear({ ...snapshot, transcript: { ...idle, session: 'other' } });
  assert.equal(branching.editing.value, null);
});

test('[W28] the switcher says which of them it is', () => {
  assert.equal(branchWords(['x', 'y', 'z'], 'y'), '2 of 3');
  assert.equal(branchWords(['x', 'y', 'z'], 'z'), '3 of 3');
});

test('[W30] the button that was pressed takes the focus once, in the branch that is shown then', () => {
  const { posted, branching } = open();
  branching.goTo('s', 'sibling', 'next');
  assert.deepEqual(posted, [{ type: 'goToBranch', session: 's', message: 'sibling' }]);
  assert.equal(branching.takeFocus('another'), null);
  assert.equal(branching.takeFocus('sibling'), 'next');
  assert.equal(branching.takeFocus('sibling'), null);
});

test('[W30] a path parts at the first message that is another one or is gone', () => {
  const rows: readonly (readonly [string, string, number | null])[] = [
    ['', 'ab', null],
    ['ab', 'ab', null],
    ['ab', 'abcd', null],
    ['abcd', 'ab', 2],
    ['abcd', 'abxy', 2],
    ['abcd', 'xy', 0],
    ['abcd', '', 0],
  ];
  for (const [before, after, expected] of rows)
    assert.equal(partingOf({ first: 40, ids: before.split('') }, 40, after.split('')), expected, before);
  // More of the beginning came, or the panel was given the end anew: the rest is where it was.
  const bound: readonly (readonly [string, number, string, number | null])[] = [
    ['cdef', 0, 'abcdef', null],
    ['cdef', 0, 'abcdxf', 4],
    ['abcdef', 4, 'ef', null],
    ['abcdef', 4, 'xf', 0],
    ['abcdef', 4, '', 0],
  ];
  for (const [before, first, after, expected] of bound) {
    const known = { first: before.startsWith('c') ? 2 : 0, ids: before.split('') };
    assert.equal(partingOf(known, first, after.split('')), expected, `${before} ${after}`);
  }
});

test('[W31] what begins a branch waits for the end of the turn, in every window; what shows one, in this window', () => {
  const turn = { message: 'a', cancelling: false };
  const rows: readonly (readonly [Partial<typeof transcript>, boolean, boolean])[] = [
    [{}, true, true],
    [{ turn }, false, false],
    [{ turn: { ...turn, message: null } as unknown as typeof turn }, false, false],
    [{ elsewhere: 'a' }, false, true],
    [{ trashed: true }, false, true],
  ];
  for (const [change, begins, moves] of rows) {
    const state = { ...idle, ...change };
    assert.deepEqual([canBranch(state), canMove(state)], [begins, moves], JSON.stringify(change));
  }
});

test('[W29] what an answer answers is the prompt above it', () => {
  const summary = message('s', 'a', 'summary', 'short');
  const [second, reply] = [message('v', 's', 'user', 'on'), message('b', 'v', 'assistant', '')];
  const path = [prompt, answer, summary, second, reply];
  assert.equal(promptOf(path, 'a'), prompt);
  assert.equal(promptOf(path, 'b'), second);
  assert.equal(promptOf([summary, reply], 'b'), undefined);
});

test('[H1] what begins or shows a branch is taken only if it is exactly that', () => {
  const ids = { request: 'r', session: 's', message: 'm' };
  const right: readonly Intent[] = [
    { type: 'goToBranch', session: 's', message: 'm' },
    { type: 'forkFrom', session: 's', message: 'm' },
    { type: 'editPrompt', ...ids, text: 'words' },
    { type: 'retry', ...ids },
  ];
  for (const intent of right) assert.deepEqual(parseIntent({ ...intent, path: '/etc/passwd' }), intent);
  const wrong: readonly unknown[] = [
    { type: 'goToBranch', session: 's' },
    { type: 'goToBranch', session: 's', message: 'm'.repeat(500) },
    { type: 'forkFrom', session: 's', message: null },
    { type: 'editPrompt', ...ids },
    { type: 'editPrompt', ...ids, text: ' \n' },
    { type: 'editPrompt', ...ids, text: 'x'.repeat(longestPrompt + 1) },
    { type: 'editPrompt', session: 's', message: 'm', text: 'x' },
    { type: 'retry', session: 's', message: 'm' },
    { type: 'retry', ...ids, request: 7 },
  ];
  for (const intent of wrong) assert.equal(parseIntent(intent), undefined, JSON.stringify(intent)?.slice(0, 100));
});
