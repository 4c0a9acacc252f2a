// The list that opens in the composer while a command or a file is typed, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../../../src/model/attachment.ts';
import type { Intent } from '../../../src/model/intent.ts';
import { createCompleter } from '../../../src/webview/composing/completer.ts';

const file = (id: string): Attachment => ({ id, kind: 'file', name: `${id}.go`, folder: 'src' });

function completer() {
  const posted: Intent[] = [];
  const taken: string[] = [];
  const made = createCompleter({
    session: () => 's',
    commands: () => [{ name: 'review', description: '', hint: null }],
    agent: () => 'Coder',
    post: intent => posted.push(intent),
    attach: ({ id }) => taken.push(id),
    write: ({ text }) => taken.push(text),
  });
  const names = () => made.list.value?.choices.map(({ name }) => name) ?? null;
  const asked = () => {
    const last = posted.at(-1);
    return last?.type === 'complete' ? last.request : '';
  };
  const type = (text: string) => made.see(text, text.length);
  return { ...made, posted, taken, names, asked, type };
}

test('[W40] an answer to an earlier question is not shown', () => {
  const { type, asked, hear, names, posted, key, taken } = completer();
  type('@r');
  const first = asked();
  type('@re');
  hear({ type: 'completions', request: first, items: [file('stale')] });
  assert.equal(names(), null);
  hear({ type: 'completions', request: asked(), items: [file('a'), file('b')] });
  assert.deepEqual(names(), ['a.go', 'b.go']);
  assert.equal(posted.length, 2);
  assert.ok(key('ArrowDown'));
  assert.ok(key('Tab'));
  assert.deepEqual(taken, ['@b.go ', 'b']);
  assert.equal(names(), null);
  type('@re');
  const late = asked();
  type('gone');
  hear({ type: 'completions', request: late, items: [file('a')] });
  assert.equal(names(), null, 'the word is not there any more');
});

test('[W40] the list follows each letter at once, and whoever went down it stays there', () => {
  const { type, asked, hear, names, key, taken, posted } = completer();
  const offered = (...all: readonly string[]) =>
    hear({ type: 'completions', request: asked(), items: all.map(name => file(name)) });
  type('@r');
  offered('red', 'retry', 'rust');
  type('@re');
  assert.deepEqual(names(), ['red.go', 'retry.go'], 'before the host has answered');
  assert.ok(key('ArrowDown'));
  offered('ready', 'red', 'retry');
  assert.ok(key('Enter'));
  assert.deepEqual(taken, ['@retry.go ', 'retry'], 'all that was typed is replaced');
  type('@o');
  offered('order');
  type('@ox');
  assert.equal(names(), null);
  offered('ox');
  type('@o');
  assert.deepEqual(names(), ['ox.go']);
  type('/');
  type('@');
  assert.equal(names(), null, 'commands are no files');
  offered('a');
  assert.deepEqual(names(), ['a.go']);
  const lists = posted.map(intent => (intent.type === 'complete' ? intent.list : ''));
  assert.deepEqual(lists, [lists[0], lists[0], lists[2], lists[2], lists[2], lists[5]]);
  assert.equal(new Set(lists).size, 3, 'a list is named as long as it is open');
});

test('[W40] what is taken stands in the sentence as what it is', () => {
  const rows = [
    ['file', 'retry.go', '@retry.go '],
    ['selection', 'main.go:1-3', '@main.go:1-3 '],
    ['problem', 'Problem in a.go:5', 'Problem in a.go:5 '],
    ['session', 'How does it wait?', '“How does it wait?” '],
  ] as const;
  for (const [kind, name, expected] of rows) {
    const { type, asked, hear, key, taken } = completer();
    type('@x');
    hear({ type: 'completions', request: asked(), items: [{ id: 'i', kind, name, folder: '' }] });
    assert.ok(key('Enter'));
    assert.deepEqual(taken, [expected, 'i']);
  }
});

test('[W40] Escape closes the list until another word is begun, and without a list a key is the box’s', () => {
  const { type, names, key, taken, posted } = completer();
  assert.equal(key('ArrowUp'), false);
  type('/');
  assert.equal(names()?.length, 8);
  assert.ok(key('Escape'));
  type('/r');
  assert.equal(names(), null);
  assert.equal(key('Enter'), false);
  type('');
  type('/rev');
  assert.deepEqual(names(), ['/review']);
  assert.ok(key('Enter'));
  assert.deepEqual(taken, ['/review ']);
  type('');
  type('/review');
  assert.equal(key('Enter'), false, 'nothing is left to complete');
  assert.deepEqual([taken, names()], [['/review '], null]);
  type('');
  type('/hist');
  assert.ok(key('Enter'));
  assert.deepEqual(posted, [{ type: 'resumeSession' }], 'ours is done, and never written out');
});
