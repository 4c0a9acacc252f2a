// Files that were made to take all memory. Each is imported in a process with a small heap, which has to live on.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { ExchangeReader, FileTrouble } from '../../../src/node/history/import/exchangeThread.ts';
import { about, head, importLarge, repeated, tail, withInput, type Pieces } from '../support/largeExchange.ts';

const hungryFile = fileURLToPath(new URL('../support/hungryThread.ts', import.meta.url));
const megabyte = 1024 * 1024;
const size = 39 * megabyte;

function* parts(...pieces: readonly (string | Pieces)[]): Pieces {
  for (const piece of pieces) yield* typeof piece === 'string' ? [piece] : piece;
}

const good = `{${about('444444444444')},"messages":[],"blobs":{}}`;
const inSession = (inside: string | Pieces, id = '222222222222') =>
  parts(head, parts(`{${about(id)},`, inside, '}'), `,${good}`, tail);

function* manyMessages(count: number): Pieces {
  for (let at = 0; at < count; at++)
    yield `${at === 0 ? '' : ','}{"id":"m${at}","parent":null,"role":"user","created":1,"blocks":[]}`;
}

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
    'a block with a list of what is no entry',
    inSession(
      parts(
        '"messages":[{"id":"m","parent":null,"role":"user","created":1,"blocks":[{"kind":"plan","mime":"a/b","entries":[',
        parts('0', ',0'.repeat(499_000)),
        ']}]}],"blobs":{}',
      ),
    ),
    1,
    /message 1 is not/,
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
  [
    'lists in the place of the format',
    parts('{"format":[', repeated('[],', size), `1],"version":1,"sessions":[${good}]}`),
    0,
    /not an export/,
  ],
  [
    'a message that says much of itself',
    inSession(
      parts(
        '"messages":[{"id":"m","parent":null,"role":"summary","created":1,"blocks":[],"leftOut":[',
        repeated('"m",', 2 * megabyte),
        '"m"]}],"blobs":{}',
      ),
    ),
    1,
    /larger than 1 MB/,
  ],
  ['very many messages', inSession(parts('"messages":[', manyMessages(50_001), '],"blobs":{}')), 1, /more than 50,000/],
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

test('[H131] a thread that takes more memory than it may ends alone, and whoever asked it is told', async () => {
  const reader = new ExchangeReader(hungryFile, { readExchange: '', now: 0 });
  await assert.rejects(reader.ask('count'), { message: 'There is not enough memory to read it.' });
  await assert.rejects(reader.ask('count'), FileTrouble);
  await reader.close();
});
