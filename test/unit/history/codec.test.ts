// Bytes of the journal: what is written comes back, and what is damaged is named and passed over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { createEncoder, read, type Piece } from '../../../src/core/history/codec.ts';
import type { JournalRecord } from '../../../src/model/record.ts';
import { record, userFact } from '../support/facts.ts';

/** The bytes to keep: an encoder gives out its own buffer. */
function encode(one: JournalRecord): Uint8Array {
  return Uint8Array.from(createEncoder(crc32)(one));
}

function journal(...records: readonly JournalRecord[]): Uint8Array {
  return Buffer.concat(records.map(one => encode(one)));
}

function kinds(bytes: Uint8Array, writer = 'writer22'): readonly Piece['kind'][] {
  return [...read(bytes, crc32, 0, writer)].map(piece => piece.kind);
}

function records(bytes: Uint8Array): readonly JournalRecord[] {
  return [...read(bytes, crc32, 0, 'writer22')].flatMap(piece => (piece.kind === 'record' ? [piece.record] : []));
}

const texts: readonly string[] = [
  '',
  'plain words',
  'lines\nof\r\ntext\n',
  'quotes " and \\ back \\n slashes',
  'control \u0000 \u0007 \u001b[31m characters',
  'separators \u2028 and \u2029',
  'a lone surrogate \ud800 and a pair 🜁',
  '漢字 العربية ελληνικά',
  'x'.repeat(300_000),
];

const three = [1, 2, 3].map(n => record(n, [userFact('session2', `message${n}`, null, `text ${n}`)]));

test('[J1] a record is given back as it was written', async group => {
  for (const [at, text] of texts.entries()) {
    await group.test(`text ${at}`, () => {
      const written = record(7, [userFact('session2', 'message2', null, text)]);
      assert.deepEqual(records(journal(written)), [written]);
    });
  }
});

test('[J1] a record says where it lies, and is found there again', () => {
  const bytes = journal(...three);
  for (const piece of read(bytes, crc32, 100)) {
    const copy = bytes.subarray(piece.offset - 100, piece.offset - 100 + piece.length);
    assert.deepEqual([...read(copy, crc32, piece.offset)], [piece]);
  }
});

test('[J2] a record cut at any byte is the end of its segment', () => {
  const whole = journal(...three.slice(0, 2));
  const last = encode(three[2] as JournalRecord);
  for (let length = 0; length < last.length; length++) {
    const bytes = Buffer.concat([whole, last.subarray(0, length)]);
    assert.deepEqual(records(bytes), three.slice(0, 2));
    assert.deepEqual(kinds(bytes), length === 0 ? ['record', 'record'] : ['record', 'record', 'tail']);
  }
});

test('[J3] one flipped bit costs one record, whichever it is', () => {
  const bytes = journal(...three);
  const second = encode(three[0] as JournalRecord).length;
  const third = second + encode(three[1] as JournalRecord).length;
  for (let at = second; at < third; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      const found = records(damaged);
      assert.deepEqual(found[0], three[0], `byte ${at}, bit ${bit}`);
      // The line feed between two records joins them when it is hit: then both are lost, and nothing wrong is read.
      if (at < third - 1) assert.deepEqual(found.at(-1), three[2], `byte ${at}, bit ${bit}`);
      assert.ok(found.every(one => three.some(original => JSON.stringify(original) === JSON.stringify(one))));
      assert.ok(kinds(damaged).includes('bad'));
    }
  }
});

test('[J34] room behind the last record is nothing, and a record that is written into it is the end until it is whole', () => {
  const whole = journal(...three.slice(0, 2));
  const last = encode(three[2] as JournalRecord);
  const room = Buffer.alloc(300, ' ');
  assert.deepEqual(kinds(Buffer.concat([whole, room])), ['record', 'record']);
  for (let from = 0; from <= last.length; from++) {
    // What came first of it may be its end: a reader saw the room that was there before.
    const filled = Buffer.concat([Buffer.alloc(from, ' '), last.subarray(from), room]);
    const found = [...read(Buffer.concat([whole, filled]), crc32)].map(({ kind }) => kind);
    const expected = from === 0 ? ['record'] : from === last.length ? [] : ['tail'];
    assert.deepEqual(found, ['record', 'record', ...expected], `from ${from}`);
    const begun = Buffer.concat([whole, last.subarray(0, from), room]);
    const sofar = from === 0 ? [] : from === last.length ? ['record'] : ['tail'];
    assert.deepEqual(kinds(begun), ['record', 'record', ...sofar], `up to ${from}`);
  }
});

test('[J3] what began in room and is followed by a record is bad', () => {
  const [first, second, third] = three.map(one => Uint8Array.from(encode(one)));
  assert.ok(first && second && third);
  const lost = Buffer.concat([Buffer.alloc(30, ' '), second.subarray(30)]);
  const bytes = Buffer.concat([first, lost, third, Buffer.alloc(100, ' ')]);
  assert.deepEqual(kinds(bytes), ['record', 'bad', 'record']);
  assert.deepEqual(records(bytes), [three[0], three[2]]);
});

const garbage: readonly { readonly what: string; readonly bytes: Uint8Array }[] = [
  { what: 'zeros', bytes: new Uint8Array(4096) },
  { what: 'zeros and a line end', bytes: Buffer.concat([new Uint8Array(512), Buffer.from('\n')]) },
  { what: 'words', bytes: Buffer.from('not a record at all\nnor this\n') },
  { what: 'a header without a body', bytes: Buffer.from('00000000 00000004 {}\n') },
  { what: 'JSON that is no record', bytes: Buffer.from('00000000 00000002 {}\n') },
  { what: 'broken UTF-8', bytes: Buffer.from([0xff, 0xfe, 0x0a]) },
];

test('[J3] garbage between records is reported and passed over', async group => {
  for (const { what, bytes } of garbage) {
    await group.test(what, () => {
      const ended = bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
      const all = Buffer.concat([journal(...three.slice(0, 2)), ended, journal(...three.slice(2))]);
      assert.deepEqual(records(all), three);
      assert.ok(kinds(all).includes('bad'));
    });
  }
});

test('[J4] a record of another writer is not accepted in a segment', () => {
  const stale = record(2, [userFact('session2', 'message9', null, 'old')], 'writer33');
  const bytes = journal(three[0] as JournalRecord, stale, three[1] as JournalRecord);
  assert.deepEqual(kinds(bytes), ['record', 'bad', 'record']);
});

test('[J4] a checksum of another writer or number does not pass', () => {
  const line = Buffer.from(encode(three[0] as JournalRecord));
  for (const [from, to] of [
    ['"n":1', '"n":2'],
    ['writer22', 'writer33'],
  ] as const) {
    assert.deepEqual(kinds(Buffer.from(line.toString().replace(from, to)), 'writer33'), ['bad']);
  }
});

test('[J5] a record of a newer version is passed over', () => {
  const newer = { ...record(2, []), v: 99, facts: undefined as unknown as [], shape: 'not known yet' };
  const bytes = journal(three[0] as JournalRecord, newer, three[1] as JournalRecord);
  assert.deepEqual(kinds(bytes), ['record', 'newer', 'record']);
});

test('[J1] one encoder for many records, short after long and long after short', () => {
  const encodeNext = createEncoder(crc32);
  const sizes = [10, 200_000, 5, 6_000_000, 70_000, 0, 1_500_000];
  for (const [n, size] of sizes.entries()) {
    const one = record(n, [userFact('session2', `message${n}`, null, 'ä€🜁'.repeat(size / 3))]);
    assert.deepEqual(records(encodeNext(one)), [one]);
  }
});
