// The smallest piece that makes one text another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeBetween, withBreaks } from '../../../src/host/files/textChange.ts';
import { randomFrom } from '../support/random.ts';

const rows: readonly [before: string, after: string, replaced: string | null, by: string][] = [
  ['abc', 'abc', null, ''],
  ['', 'abc', '', 'abc'],
  ['abc', '', 'abc', ''],
  ['one two three', 'one 2 three', 'two', '2'],
  ['aaa', 'aa', 'a', ''],
  ['a\nb\n', 'a\nb\nc\n', '', 'c\n'],
  // The `\n` is the same in both, and goes with what is before it.
  ['a\r\nb', 'a\nb', '\r\n', '\n'],
  ['a\r\n', 'a\r\r\n', '', '\r'],
  // Two faces that share one half.
  ['x😀y', 'x😁y', '😀', '😁'],
  ['x😀y', 'xy', '😀', ''],
  ['😀', '😀😀', '', '😀'],
];

test('[H9] a write changes one piece, no larger than it has to be', () => {
  for (const [before, after, replaced, by] of rows) {
    const change = changeBetween(before, after);
    const name = JSON.stringify([before, after]);
    if (replaced === null) assert.equal(change, null, name);
    else assert.deepEqual([before.slice(change?.start, change?.end), change?.text], [replaced, by], name);
  }
});

test('[H9] whatever the texts are, the change makes one the other and cuts no character and no line break', () => {
  const random = randomFrom(7);
  const below = (most: number) => Math.floor(random() * most);
  const pieces = ['a', 'b', '\r\n', '\n', '\r', '😀', '😁', 'é'];
  const some = () => Array.from({ length: below(8) }, () => pieces[below(pieces.length)]).join('');
  for (let n = 0; n < 5000; n++) {
    const [head, tail] = [some(), some()];
    const before = head + some() + tail;
    const after = head + some() + tail;
    const change = changeBetween(before, after);
    if (!change) {
      assert.equal(before, after);
      continue;
    }
    const { start, end, text } = change;
    assert.equal(before.slice(0, start) + text + before.slice(end), after);
    for (const piece of [before.slice(0, start), before.slice(end), text])
      assert.doesNotMatch(piece, /\p{Surrogate}/u, JSON.stringify([before, after]));
    for (const at of [start, end]) assert.notEqual(before.slice(at - 1, at + 1), '\r\n');
  }
});

test('[H9] a text gets the line breaks of the document', () => {
  assert.equal(withBreaks('a\nb\r\nc\rd', '\r\n'), 'a\r\nb\r\nc\r\nd');
  assert.equal(withBreaks('a\nb\r\nc\rd', '\n'), 'a\nb\nc\nd');
});
