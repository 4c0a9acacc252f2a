// What SegmentWriter asks of the disk before a record counts as saved, on real files: the calls of node:fs are watched,
// and in the middle of one somebody else changes the file.

import assert from 'node:assert/strict';
import fs, { appendFileSync, copyFileSync, fstatSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';
import { createEncoder } from '../../../src/core/history/codec.ts';
import { readFrom } from '../../../src/node/history/journal/segmentReader.ts';
import { SegmentWriter } from '../../../src/node/history/journal/segmentWriter.ts';
import { sessionFact, userFact } from '../support/facts.ts';

const onPosix = { skip: process.platform === 'win32' ? 'Windows knows no sync of a folder' : false };
const session = 'abcdefgh2345';

function stage(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const writer = new SegmentWriter(folder, session, 'w', createEncoder(crc32));
  t.after(() => writer.rest());
  const append = (text: string) => {
    const facts = [sessionFact(session), userFact(session, text, null, text)];
    const appended = writer.append(facts, [], `${text} tick`, () => {}, Infinity);
    assert.ok(appended);
    return appended.place;
  };
  const read = (segment: string) =>
    readFrom(folder, segment, 0, false).records.map(({ record }) => record.h.split(' ')[0]);
  return { folder, append, read };
}

/** `seen` is called with each call and the inode of its file, before the call is made. */
function watch(t: TestContext, seen: (name: string, inode: number) => void): void {
  const { writeSync, fdatasyncSync, fsyncSync } = fs;
  const watched = <Rest extends readonly unknown[], Result>(
    name: string,
    call: (fd: number, ...rest: Rest) => Result,
  ) => {
    return (fd: number, ...rest: Rest): Result => {
      seen(name, fstatSync(fd).ino);
      return call(fd, ...rest);
    };
  };
  Object.assign(fs, {
    writeSync: watched('write', writeSync as (fd: number, ...rest: readonly unknown[]) => number),
    fdatasyncSync: watched('sync', fdatasyncSync),
    fsyncSync: watched('sync', fsyncSync),
  });
  syncBuiltinESMExports();
  t.after(() => {
    Object.assign(fs, { writeSync, fdatasyncSync, fsyncSync });
    syncBuiltinESMExports();
  });
}

test('[J7] a record is synced after it was written, and the name of a new file before', onPosix, t => {
  const { folder, append } = stage(t);
  let calls: (readonly [name: string, inode: number])[] = [];
  watch(t, (name, inode) => calls.push([name, inode]));
  const { segment } = append('first');
  const inode = statSync(join(folder, segment)).ino;
  assert.deepEqual(calls, [
    ['sync', statSync(folder).ino],
    ['write', inode],
    ['sync', inode],
  ]);
  calls = [];
  append('second');
  assert.equal(calls[0]?.[0], 'write');
  assert.deepEqual(calls.at(-1), ['sync', inode]);
});

const harms: readonly (readonly [what: string, harm: (file: string) => void])[] = [
  [
    'whose name another file took',
    file => {
      renameSync(file, `${file}.taken`);
      copyFileSync(`${file}.taken`, file);
    },
  ],
  ['that somebody else wrote to', file => appendFileSync(file, 'x')],
];

for (const [what, harm] of harms) {
  test(`[J10] a record that went into a file ${what} meanwhile is written to the next one`, onPosix, t => {
    const { folder, append, read } = stage(t);
    const first = append('first');
    let isHarmed = false;
    watch(t, name => {
      if (name !== 'sync' || isHarmed) return;
      isHarmed = true;
      harm(join(folder, first.segment));
    });
    const second = append('second');
    assert.ok(isHarmed);
    assert.notEqual(second.segment, first.segment);
    assert.deepEqual(read(second.segment), ['second']);
  });
}
