// Adoption by copy: what arrives, what stays as it was, and what is left where it was interrupted or the source lives
// on. Real files; that a history with such files opens is for others.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { HistoryError, type HistoryErrorCode } from '../../../src/core/history/historyError.ts';
import { adopt, type AdoptOptions, type Adopted } from '../../../src/node/history/home/adopt.ts';
import { copyBytes } from '../../../src/node/history/home/fileBytes.ts';
import { temporaryFolder } from '../support/history.ts';

type Tree = { readonly [path: string]: string };

function write(folder: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function read(folder: string): Tree {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter(name => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
}

const copied: Tree = {
  'blobs/s1/aa': 'blob a',
  'blobs/s1/deep/bb': 'blob b',
  'blobs/s2/cc': 'c'.repeat(3_000_000),
  'drafts/s1': 'typed and not sent',
  'erased/s9': '',
  'erased/s1~m1': 'm2\n',
  'journal/s1~w1.0.seg': 'one\n',
  'journal/s1~w1.1.seg': '',
  'journal/s1~w2.0.joined': 'two\nthree\n',
  'journal/s2~w1.0.seg': 'four\nfi',
};
const claimedToo: Tree = { 'journal/s3~w1.0.seg.claimed': 'six\n', 'journal/s3~w1.1.joined.claimed': 'seven\n' };
const unclaimed: Tree = { 'journal/s3~w1.0.seg': 'six\n', 'journal/s3~w1.1.joined': 'seven\n' };
const notCopied: Tree = {
  'blobs/s1/aa.w1.unfinished': 'half',
  'drafts/s1.w1': 'half',
  'index-1.db': 'cache',
  'journal/s1~w3.0.seg.unfinished': 'half',
  'search-1.db': 'cache',
  'workspace.json': '{}',
  'writers/w1': '',
};
const everything: Tree = { ...copied, ...claimedToo, ...notCopied };

/** Two folders, filled. */
function folders(t: TestContext, from: Tree, to: Tree = {}): { readonly from: string; readonly to: string } {
  const root = temporaryFolder(t);
  const both = { from: join(root, 'from'), to: join(root, 'to') };
  mkdirSync(both.from);
  write(both.from, from);
  write(both.to, to);
  return both;
}

let writers = 0;
function run({ from, to }: { from: string; to: string }, options: Partial<AdoptOptions> = {}): Promise<Adopted> {
  return adopt(from, to, { newWriter: () => `new${writers++}`, ...options });
}

function failsWith(code: HistoryErrorCode): (cause: unknown) => boolean {
  return cause => cause instanceof HistoryError && cause.code === code;
}

test('[J24] what belongs to the history arrives whole, is counted, and the source stays as it is', async t => {
  const both = folders(t, everything, { 'journal/s5~w9.0.seg': 'mine', 'workspace.json': '{"mine":1}' });
  const adopted = await run(both);
  assert.deepEqual(read(both.from), everything);
  const mine = { 'journal/s5~w9.0.seg': 'mine', 'workspace.json': '{"mine":1}' };
  assert.deepEqual(read(both.to), { ...copied, ...unclaimed, ...mine });
  const bytes = Object.values({ ...copied, ...unclaimed }).reduce((sum, text) => sum + text.length, 0);
  assert.deepEqual(adopted, {
    sessionsBefore: 1,
    sessionsFrom: 3,
    sessionsAfter: 4,
    files: 12,
    bytes,
    skipped: 0,
    left: [],
    cancelled: false,
  });
});

test('[J24] a second adoption finds everything there, and copies what came since', async t => {
  const both = folders(t, everything);
  await run(both);
  const first = read(both.to);
  const again = await run(both);
  assert.deepEqual(read(both.to), first);
  assert.deepEqual([again.files, again.bytes, again.skipped, again.sessionsBefore], [0, 0, 12, 3]);
  write(both.from, { 'journal/s7~w1.0.seg': 'new' });
  assert.deepEqual([(await run(both)).files, read(both.to)], [1, { ...first, 'journal/s7~w1.0.seg': 'new' }]);
});

test('[J24] what is there under the same name stays, and a segment of another content comes as a joined file', async t => {
  const rows: readonly [what: string, from: Tree, to: Tree, joined: readonly string[], left?: readonly string[]][] = [
    ['another content', { 'journal/s~w.0.seg': 'mine' }, { 'journal/s~w.0.seg': 'yours' }, ['mine']],
    ['another of the same size', { 'journal/s~w.0.seg': 'one' }, { 'journal/s~w.0.seg': 'two' }, ['one']],
    ['the source has grown', { 'journal/s~w.0.seg': 'one two' }, { 'journal/s~w.0.seg': 'one' }, ['one two']],
    ['the target has grown', { 'journal/s~w.0.seg': 'one' }, { 'journal/s~w.0.seg': 'one two' }, []],
    ['it is being rewritten here', { 'journal/s~w.0.seg': 'one' }, { 'journal/s~w.0.seg.claimed': 'one' }, []],
    [
      'it came as joined before',
      { 'journal/s~w.0.seg': 'one' },
      { 'journal/s~w.0.seg': 'two', 'journal/s~x.0.joined': 'one' },
      [],
    ],
    ['a joined one', { 'journal/s~w.0.joined': 'one' }, { 'journal/s~w.0.joined': 'two' }, ['one']],
    ['both are claimed', { 'journal/s~w.0.seg.claimed': 'one' }, { 'journal/s~w.0.seg': 'two' }, ['one']],
    [
      'many of a session',
      { 'journal/s~w.0.seg': '1', 'journal/s~w.1.seg': '2', 'journal/r~w.0.seg': '3' },
      { 'journal/s~w.0.seg': '4', 'journal/s~w.1.seg': '5', 'journal/r~w.0.seg': '6' },
      ['1', '2', '3'],
    ],
    ['a draft', { 'drafts/s': 'one' }, { 'drafts/s': 'one two' }, [], ['drafts/s']],
    ['a blob', { 'blobs/s/aa': 'one' }, { 'blobs/s/aa': 'on' }, [], ['blobs/s/aa']],
    ['names of another version', { 'journal/s.pack': '1', 'blobs/x': '2' }, {}, [], ['blobs/x', 'journal/s.pack']],
  ];
  for (const [what, from, to, joined, left = []] of rows) {
    const both = folders(t, from, to);
    const adopted = await run(both);
    const after = read(both.to);
    for (const [name, text] of Object.entries(to)) assert.equal(after[name], text, what);
    const added = Object.entries(after).filter(([name]) => !(name in to));
    assert.deepEqual(added.map(([, text]) => text).toSorted(), joined, what);
    for (const [name] of added) assert.match(name, /^journal\/[sr]~new\d+\.\d+\.joined$/, what);
    assert.deepEqual(adopted.left, left, what);
    assert.equal(adopted.files, joined.length, what);
    await run(both);
    assert.deepEqual(read(both.to), after, `${what}, twice`);
  }
});

test('[J24] what is erased on either side does not come back, and nothing goes that the target has', async t => {
  const of = (session: string): Tree => ({
    [`blobs/${session}/aa`]: 'secret',
    [`drafts/${session}`]: 'secret',
    [`journal/${session}~w1.0.seg`]: 'secret',
  });
  const rows: readonly [what: string, from: Tree, to: Tree, after: Tree, left?: readonly string[]][] = [
    ['in the source', { ...of('s1'), 'erased/s1': '' }, {}, { 'erased/s1': '' }],
    ['in the target', of('s1'), { 'erased/s1': '' }, { 'erased/s1': '' }],
    ['a branch', { ...of('s1'), 'erased/s1~m': 'n\n' }, {}, { ...of('s1'), 'erased/s1~m': 'n\n' }],
    ['both know', { 'erased/s1~m': 'n\n' }, { 'erased/s1~m': '' }, { 'erased/s1~m': '' }],
    ['the target went on with it', { 'erased/s1': '' }, of('s1'), of('s1'), ['erased/s1']],
    ['and with a branch', { 'erased/s1~m': '' }, of('s1'), of('s1'), ['erased/s1~m']],
  ];
  for (const [what, from, to, after, left = []] of rows) {
    const both = folders(t, from, to);
    const adopted = await run(both);
    assert.deepEqual(read(both.to), after, what);
    assert.deepEqual(adopted.left, left, what);
    assert.equal(adopted.sessionsAfter, 'journal/s1~w1.0.seg' in after ? 1 : 0, what);
    assert.ok(adopted.sessionsFrom <= adopted.sessionsAfter, what);
  }
});

test('[J24] tombstones arrive before all else, and blobs before the records that name them', async t => {
  const both = folders(t, everything);
  const parts: string[] = [];
  let files = 0;
  await run(both, {
    onProgress: progress => {
      const names = Object.keys(read(both.to));
      assert.equal(names.length, progress.done);
      assert.ok(progress.done <= progress.files);
      ({ files } = progress);
      const part = ['drafts', 'journal', 'blobs', 'erased'].find(one => names.some(name => name.startsWith(one)));
      parts.push(part ?? '');
    },
  });
  const expected = { erased: 2, blobs: 3, journal: 6, drafts: 1 };
  assert.deepEqual(
    parts,
    Object.entries(expected).flatMap(([part, count]) => Array<string>(count).fill(part)),
  );
  assert.equal(files, 12);
});

test('[J24] it stops between any two files, leaves nothing half, and goes on from there', async t => {
  for (let stopAfter = 0; stopAfter <= 12; stopAfter++) {
    const both = folders(t, everything);
    const stop = new AbortController();
    if (stopAfter === 0) stop.abort();
    const onProgress = ({ done }: { done: number }) => done === stopAfter && stop.abort();
    const adopted = await run(both, { signal: stop.signal, onProgress });
    assert.equal(adopted.cancelled, stopAfter < 12, `after ${stopAfter}`);
    const arrived = read(both.to);
    assert.equal(Object.keys(arrived).length, stopAfter);
    for (const [name, text] of Object.entries(arrived)) assert.equal(text, { ...copied, ...unclaimed }[name], name);
    const rest = await run(both);
    assert.deepEqual([rest.files, rest.skipped, rest.cancelled], [12 - stopAfter, stopAfter, false]);
    assert.deepEqual(read(both.to), { ...copied, ...unclaimed });
  }
});

test('[J24] a source that lives on while it is copied loses nothing', async t => {
  const at = (from: string, name: string) => join(from, 'journal', name);
  const rows: readonly [what: string, change: (from: string) => void, added: Tree, missing: readonly string[]][] = [
    [
      'a segment grows',
      from => appendFileSync(at(from, 's2~w1.0.seg'), 've\n'),
      { 'journal/s2~w1.0.seg': 'four\nfive\n' },
      [],
    ],
    ['one is claimed', from => renameSync(at(from, 's2~w1.0.seg'), at(from, 's2~w1.0.seg.claimed')), {}, []],
    [
      'two are joined',
      from => {
        write(from, { 'journal/s1~w7.0.joined': 'one\ntwo\nthree\n' });
        rmSync(at(from, 's1~w1.0.seg'));
        rmSync(at(from, 's1~w2.0.joined'));
      },
      { 'journal/s1~w7.0.joined': 'one\ntwo\nthree\n' },
      ['journal/s1~w1.0.seg', 'journal/s1~w2.0.joined'],
    ],
    ['a session begins', from => write(from, { 'journal/s8~w1.0.seg': 'new' }), { 'journal/s8~w1.0.seg': 'new' }, []],
    ['one is erased, but not yet removed', from => write(from, { 'erased/s2': '' }), { 'erased/s2': '' }, []],
    [
      'one is erased',
      from => {
        write(from, { 'erased/s2': '' });
        rmSync(at(from, 's2~w1.0.seg'));
      },
      { 'erased/s2': '' },
      ['journal/s2~w1.0.seg'],
    ],
  ];
  for (const [what, change, added, missing] of rows) {
    const both = folders(t, everything);
    // Its blobs are being copied, its journal was listed.
    const onProgress = ({ done }: { done: number }) => done === 3 && change(both.from);
    const adopted = await run(both, { onProgress });
    const expected = { ...copied, ...unclaimed, ...added };
    const names = Object.keys(expected).filter(name => !missing.includes(name));
    assert.deepEqual(
      read(both.to),
      Object.fromEntries(names.toSorted().map(name => [name, expected[name] ?? ''])),
      what,
    );
    assert.equal(adopted.sessionsFrom, adopted.sessionsAfter, what);
    assert.equal(adopted.skipped, 0, what);
  }
});

test('[J24] what is lost or cut after it was copied is a failure and not a success', async t => {
  for (const harm of [
    (to: string) => rmSync(join(to, 'blobs/s1/aa')),
    (to: string) => writeFileSync(join(to, 'blobs/s1/aa'), 'bl'),
    (to: string) => rmSync(join(to, 'journal/s2~w1.0.seg')),
    (to: string) => writeFileSync(join(to, 'journal/s1~w1.0.seg'), 'o'),
  ]) {
    const both = folders(t, everything);
    const onProgress = ({ done }: { done: number }) => done === 11 && harm(both.to);
    await assert.rejects(run(both, { onProgress }), failsWith('io'));
  }
});

test('[J24] a file that becomes shorter while it is copied is an error, and one that grows is copied as it was', async t => {
  const folder = temporaryFolder(t);
  write(folder, { source: 'x'.repeat(2_500_000) });
  const source = await open(join(folder, 'source'));
  for (const [length, arrives] of [
    [2_500_001, null],
    [2_500_000, 2_500_000],
    [2_100_000, 2_100_000],
    [0, 0],
  ] as const) {
    const target = await open(join(folder, 'target'), 'w');
    if (arrives === null) await assert.rejects(copyBytes(source, target, length));
    else await copyBytes(source, target, length);
    await target.close();
    if (arrives !== null) assert.equal(statSync(join(folder, 'target')).size, arrives);
  }
  await source.close();
});

test('[J24] two adoptions at once leave everything once or as a joined file, and nothing half', async t => {
  for (let n = 0; n < 10; n++) {
    const both = folders(t, everything);
    await Promise.all([run(both), run(both), run(both)]);
    const after = read(both.to);
    for (const [name, text] of Object.entries({ ...copied, ...unclaimed })) assert.equal(after[name], text, name);
    const known = new Set(Object.values(copied).concat(Object.values(unclaimed)));
    for (const [name, text] of Object.entries(after)) assert.ok(known.has(text), name);
    assert.equal((await run(both)).files, 0);
  }
});

test('[J24] a folder that cannot be read or written to fails by name, and what was copied is used later', async t => {
  const both = folders(t, everything);
  await assert.rejects(run({ from: join(both.from, 'nowhere'), to: both.to }), failsWith('gone'));

  // As somebody who may not write, also where tests run as root.
  const isRoot = process.geteuid?.() === 0;
  for (const folder of [both.to, dirname(both.to), both.from]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o555);
  }
  if (isRoot) process.seteuid?.(65534);
  try {
    await assert.rejects(run(both), failsWith('no-permission'));
  } finally {
    if (isRoot) process.seteuid?.(0);
    for (const folder of [both.to, dirname(both.to), both.from]) chmodSync(folder, 0o700);
  }
  assert.deepEqual(read(both.to), {});

  write(both.to, { journal: 'a file where the folder should be' });
  await assert.rejects(run(both), (cause: unknown) => cause instanceof HistoryError);
  rmSync(join(both.to, 'journal'));
  assert.deepEqual(read(both.to), {});
  await run(both);
  assert.deepEqual(read(both.to), { ...copied, ...unclaimed });
  assert.deepEqual(read(both.from), everything);
});

test('[J24] a disk without room fails by name, leaves nothing half, and the rest comes later', async t => {
  if (process.platform === 'win32') return t.skip('there is no limit to set');
  const both = folders(t, everything);
  const module = new URL('../../../src/node/history/home/adopt.ts', import.meta.url).href;
  const script = `
    import { adopt } from ${JSON.stringify(module)};
    const [, from, to] = process.argv;
    await adopt(from, to, { newWriter: () => 'w' }).catch(cause => console.log(cause.code));`;
  const node = [process.execPath, '--input-type=module', '-e', script, both.from, both.to];
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -f 2048; exec "$0" "$@"', ...node]);
  assert.equal(stdout, 'disk-full\n');
  const arrived = read(both.to);
  assert.deepEqual(Object.keys(arrived), ['blobs/s1/aa', 'blobs/s1/deep/bb', 'erased/s1~m1', 'erased/s9']);
  await run(both);
  assert.deepEqual(read(both.to), { ...copied, ...unclaimed });
});

test('[J24] a history that adopts itself, or something empty, stays as it is', async t => {
  const both = folders(t, everything);
  const adopted = await run({ from: both.from, to: join(both.from, '..', 'from') });
  assert.deepEqual([adopted.files, adopted.sessionsBefore, adopted.sessionsAfter], [0, 3, 3]);
  assert.deepEqual(read(both.from), everything);
  const empty = folders(t, {}, { 'journal/s1~w1.0.seg': 'mine' });
  assert.deepEqual([(await run(empty)).sessionsAfter, read(empty.to)], [1, { 'journal/s1~w1.0.seg': 'mine' }]);
});
