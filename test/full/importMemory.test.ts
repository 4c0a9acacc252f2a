// The largest files that an import takes, in several shapes: each is read to its end or refused, within 150 MB more than
// the import of a small file.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { about, head, importLarge, tail, type Pieces } from '../unit/support/largeExchange.ts';

const megabyte = 1024 * 1024;
const most = 256 * megabyte;
/** Of two bytes a character, and of three in UTF-8, so that it takes the most. */
const words = 'Ein Text, 長い文章, texte long. '.repeat(600);

/** As many of them as there is room for, with commas. */
function* filled(length: number, make: (at: number) => string): Pieces {
  for (let at = 0, left = length; ; at++) {
    const piece = `${at === 0 ? '' : ','}${make(at)}`;
    left -= Buffer.byteLength(piece);
    if (left < 0) return;
    yield piece;
  }
}

const text = (of: string) => JSON.stringify({ kind: 'text', mime: 'text/plain', text: of });
const message = (at: number, parent: number | null, blocks: string) =>
  `{"id":"m${at}","parent":${parent === null ? 'null' : `"m${parent}"`},"role":"user","created":1000,"blocks":[${blocks}]}`;
const id = (at: number) => `2222${at.toString().padStart(8, '2').replaceAll('0', 'a').replaceAll('1', 'b')}`;

function* oneSession(length: number): Pieces {
  yield `${head}{${about('222222222222')},"messages":[`;
  yield* filled(length, at => message(at, at === 0 ? null : at - 1, text(words)));
  yield `],"blobs":{}}${tail}`;
}

function* shortMessages(length: number): Pieces {
  yield `${head}{${about('222222222222')},"messages":[`;
  yield* filled(length, at => message(at, at === 0 ? null : at - 1, text('Short, or nearly so. '.repeat(40))));
  yield `],"blobs":{}}${tail}`;
}

function* oneMessage(length: number): Pieces {
  yield `${head}{${about('222222222222')},"messages":[{"id":"m","parent":null,"role":"assistant","created":1,"blocks":[`;
  yield* filled(length, () => text(words));
  yield `]}],"blobs":{}}${tail}`;
}

function* manySessions(length: number): Pieces {
  yield head;
  yield* filled(
    length,
    at => `{${about(id(at))},"messages":[${message(at, null, text(words.repeat(10)))}],"blobs":{}}`,
  );
  yield tail;
}

function* longBlocks(length: number): Pieces {
  yield `${head}{${about('222222222222')},"messages":[`;
  yield* filled(length, at => message(at, null, text(`${at} ${words.repeat(250)}`)));
  yield `],"blobs":{}}${tail}`;
}

function* oneText(length: number): Pieces {
  yield `${head}{${about('222222222222')},"messages":[{"id":"m","parent":null,"role":"assistant","created":1,"blocks":[`;
  yield '{"kind":"text","mime":"text/plain","text":"';
  for (let left = length; left > 2 * megabyte; left -= megabyte) yield 'x'.repeat(megabyte);
  yield `"}]}],"blobs":{}}${tail}`;
}

function* attachments(length: number): Pieces {
  const contents = Array.from({ length: Math.floor(length / (16 * megabyte)) }, (_, at) => {
    const bytes = Buffer.alloc(12 * megabyte - 1000, at);
    return { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, at };
  });
  const images = contents.map(
    ({ sha256, size }) => `{"kind":"image","mime":"image/png","data":{"sha256":"${sha256}","size":${size}}}`,
  );
  yield `${head}{${about('222222222222')},"messages":[${message(0, null, images.join())}],"blobs":{`;
  for (const { sha256, size, at } of contents) {
    yield `${at === 0 ? '' : ','}"${sha256}":"`;
    yield Buffer.alloc(size, at).toString('base64');
    yield '"';
  }
  yield `}}${tail}`;
}

const room = most - 100_000;
const shapes: readonly (readonly [string, Pieces, (result: Awaited<ReturnType<typeof importLarge>>) => void])[] = [
  ['one session of long messages', oneSession(room), ({ messages }) => assert.ok(messages > 5000)],
  ['one session of short messages, more than may be', shortMessages(room), refused(/more than 50,000 messages/)],
  ['one session of short messages', shortMessages(45 * megabyte), ({ messages }) => assert.ok(messages > 40_000)],
  ['one message of many blocks', oneMessage(room), ({ added }) => assert.equal(added, 1)],
  ['many sessions', manySessions(room), ({ added }) => assert.ok(added > 900)],
  ['long blocks', longBlocks(room), ({ messages }) => assert.ok(messages > 30)],
  ['one text', oneText(room), refused(/larger than 8 MB/)],
  ['attachments', attachments(room), ({ added }) => assert.equal(added, 1)],
];

function refused(words: RegExp) {
  return ({ added, unread }: Awaited<ReturnType<typeof importLarge>>) => {
    assert.equal(added, 0);
    assert.match(unread[0]?.words ?? '', words);
  };
}

for (const [name, pieces, check] of shapes) {
  test(`[H131] ${name}: 256 MB are read or refused within 150 MB more`, async t => {
    const result = await importLarge(t, pieces, 512);
    t.diagnostic(`${result.moreMegabytes} MB more in ${result.seconds.toFixed(1)} s; ${result.added} sessions came`);
    check(result);
    assert.ok(result.moreMegabytes <= 150, `${result.moreMegabytes} MB`);
  });
}
