// Files that were made to take all memory. Each is imported in a process with a small heap, which has to live on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, head, importLarge, repeated, tail, withInput, type Pieces } from '../support/largeExchange.ts';

const megabyte = 1024 * 1024;
const size = 39 * megabyte;

function* parts(...pieces: readonly (string | Pieces)[]): Pieces {
  for (const piece of pieces) yield* typeof piece === 'string' ? [piece] : piece;
}

const good = `{${about('444444444444')},"messages":[],"blobs":{}}`;
const inSession = (inside: string | Pieces, id = '222222222222') =>
  parts(head, parts(`{${about(id)},`, inside, '}'), `,${good}`, tail);

/** With how many sessions that come, and what is said of the others. */
const bombs: readonly (readonly [string, Pieces, number, RegExp])[] = [
  ['lists in the place of everything', parts('[', repeated('[],', size), '1]'), 0, /not an export/],
  ['lists in the place of sessions', parts(head, repeated('[],', size), good, tail), 0, /more than 100,000 sessions/],
  [
    'lists in an unknown field of the file',
    parts('{"x":[', repeated('[],', size), '1],', head.slice(1), good, tail),
    1,
    /^$/,
  ],
  [
    'lists in a block',
    parts(head, withInput('222222222222', parts('[', repeated('[],', 7 * megabyte), '1]')), `,${good}`, tail),
    1,
    /too many values/,
  ],
  [
    'a larger block',
    parts(head, withInput('222222222222', parts('[', repeated('[],', size), '1]')), `,${good}`, tail),
    1,
    /larger than 8 MB/,
  ],
  [
    'objects in a block',
    parts(head, withInput('222222222222', parts('[', repeated('{"a":{}},', 7 * megabyte), '1]')), `,${good}`, tail),
    1,
    /too many values/,
  ],
  [
    'a deep block',
    parts(
      head,
      withInput('222222222222', parts(repeated('[', 3 * megabyte), '1', repeated(']', 3 * megabyte))),
      `,${good}`,
      tail,
    ),
    1,
    /nested too deeply/,
  ],
  [
    'lists in the place of messages',
    inSession(parts('"messages":[', repeated('[],', size), '1],"blobs":{}')),
    1,
    /message 1 is not/,
  ],
  [
    'lists in the place of fields',
    parts(
      head,
      '{"id":"222222222222","created":1,"agent":{"id":"a","name":"A"},"messages":[],"blobs":{},"fields":[',
      repeated('[],', size),
      '1]}',
      `,${good}`,
      tail,
    ),
    1,
    /Too much was set/,
  ],
  ['a long id', inSession(parts('"id":"', repeated('é€', size), '","messages":[],"blobs":{}')), 1, /larger than 1 MB/],
  [
    'a long key',
    inSession(parts('"', repeated('k', size), '":1,"messages":[],"blobs":{}')),
    1,
    /not written as an export/,
  ],
  [
    'a large attachment',
    inSession(parts('"messages":[],"blobs":{"', 'a'.repeat(64), '":"', repeated('A', 65 * megabyte), '"}')),
    1,
    /larger than 48 MB/,
  ],
  ['a string that never ends', parts(head, '{"id":"', repeated('x', size)), 0, /not JSON/],
];

test('[H131] a file that takes all memory where it is parsed whole is refused in words, and the process lives on', async t => {
  for (const [name, pieces, added, words] of bombs) {
    await t.test(name, async one => {
      const result = await importLarge(one, pieces, 100);
      assert.deepEqual([result.added, result.sessions], [added, added + 1]);
      if (words.source === '^$') assert.deepEqual(result.unread, []);
      else assert.match(result.unread.map(({ words: said }) => said).join('; '), words);
    });
  }
});
