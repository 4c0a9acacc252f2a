// What goes wrong around a turn: a store that is gone, full or in the way, folders that nobody may read or that come and
// go, files that never stand still, more files than anybody lists.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mostListed } from '../../../src/node/files/changes/changeList.ts';
import { older, stage, until } from './changesStage.ts';

const text = (size: number) => 'x'.repeat(size);

test('[F5] a store that cannot be written leaves hashes, and says so once', async t => {
  const { begin, run, settled, store, warnings } = await stage(t, { 'a.txt': 'a', 'b.txt': 'b' });
  writeFileSync(store, 'a file in its place');
  await settled();
  const { end } = begin();
  run('echo xx > a.txt; rm b.txt; echo n > n.txt');
  assert.deepEqual(await end(), ['a.txt: 1 bytes > "xx"', 'b.txt: 1 bytes > absent', 'n.txt: absent > "n" +1 -0']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /could not be kept/);
});

test('[F5] a full disk leaves hashes', async t => {
  const { begin, run, settled, store, warnings, at } = await stage(t, { 'b.txt': 'b' });
  await settled();
  const [folder = ''] = readdirSync(store);
  const content = text(90_000);
  const kept = join(store, folder, createHash('sha256').update(content).digest('hex'));
  // A device that is always full stands where it would be written; where there is none, something that is no file.
  const isDevice = existsSync('/dev/full');
  if (isDevice) symlinkSync('/dev/full', kept);
  else mkdirSync(kept);
  writeFileSync(at('a.txt'), content);
  await older([at('a.txt')]);
  await settled();
  const { end } = begin();
  run('echo x > a.txt; echo x > b.txt');
  assert.deepEqual(await end(), ['a.txt: 90000 bytes > "x"', 'b.txt: "b" > "x" +1 -1']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', isDevice ? /the disk is full/ : /the system says EISDIR/);
});

test('[F5] a store that is deleted is made anew of what is still there', async t => {
  const { begin, run, settled, store, watch, warnings } = await stage(t, { 'a.txt': 'a', 'b.txt': 'b' });
  await settled();
  const first = begin();
  await watch.settled();
  rmSync(store, { recursive: true });
  run('echo x > a.txt');
  assert.deepEqual(await first.end(), ['a.txt: 1 bytes > "x"']);
  const second = begin();
  await watch.settled();
  run('echo y > a.txt; echo y > b.txt');
  assert.deepEqual(await second.end(), ['a.txt: "x" > "y" +1 -1', 'b.txt: "b" > "y" +1 -1']);
  assert.deepEqual(warnings, []);
});

test('[F5] the store has a size that it keeps, and drops what nobody needs', async t => {
  const noise = (seed: number) => Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * seed) % 251));
  const { begin, run, settled, store, watch } = await stage(t, { a: noise(3), b: noise(5) }, { mostKept: 7000 });
  await settled();
  const { end } = begin();
  run('head -c 3000 /dev/urandom > c; rm a');
  assert.deepEqual(await end(), ['a: 3000 kept > absent', 'c: absent > 3000 kept']);
  for (let turn = 0; turn < 4; turn++) {
    const { ended } = begin();
    await watch.settled();
    run(`head -c 3000 /dev/urandom > c`);
    const [change] = await ended();
    assert.ok(change?.before.kind === 'file' && change.after.kind === 'file');
    const sizes = readdirSync(store, { recursive: true, encoding: 'utf8' }).map(name => statSync(join(store, name)));
    assert.ok(sizes.filter(one => one.isFile()).reduce((sum, { size }) => sum + size, 0) <= 7000);
  }
  await watch.close();
  assert.deepEqual(readdirSync(store), []);
});

test('[F8] secrets, the own folders and excluded files leave nothing in the store', async t => {
  const files = {
    '.env': 'KEY=secret1',
    'own/history': 'secret2',
    '.gitignore': 'x.log',
    'x.log': 'secret3',
    'a.txt': 'secret4',
  };
  const { at, begin, run, settled, store, watch } = await stage(t, files, { own: ['own'] });
  const { turn, end } = begin();
  await settled();
  turn.told([at('.env'), at('own/history')]);
  turn.wrote({ path: at('.env'), before: 'KEY=secret1', after: 'KEY=secret5' });
  run('echo KEY=secret5 > .env; echo secret6 > own/history; echo secret7 > x.log');
  await watch.settled();
  const kept = readdirSync(store, { recursive: true, encoding: 'utf8' }).map(name => join(store, name));
  const contents = kept.filter(path => statSync(path).isFile()).map(path => readFileSync(path, 'utf8'));
  assert.deepEqual(contents.toSorted(), ['secret4', 'x.log']);
  assert.deepEqual(await end(), ['.env: 11 bytes > 12 bytes written']);
});

test('[F4] a folder that may not be read has not changed', async t => {
  const { at, begin, run, settled, ws, store } = await stage(t, {
    'a.txt': 'a',
    'sub/b.txt': 'b',
    'sub/deep/c.txt': 'c',
  });
  const nobody = 65534;
  const isRoot = process.geteuid?.() === 0;
  mkdirSync(store);
  if (isRoot) for (const path of [ws, join(ws, '..'), store]) chmodSync(path, 0o777);
  // Root may read everything.
  if (isRoot) process.seteuid?.(nobody);
  try {
    await settled();
    const { end } = begin();
    if (isRoot) process.seteuid?.(0);
    chmodSync(at('sub'), 0);
    chmodSync(at('a.txt'), 0);
    if (isRoot) process.seteuid?.(nobody);
    run('echo n > n.txt');
    assert.deepEqual(await end(), ['n.txt: absent > "n" +1 -0']);
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(at('sub'), 0o755);
  }
});

test('[F4] files that never stand still and folders that come and go are listed as they were at some moment', async t => {
  const { at, begin, settled, watch, ws } = await stage(t, { 'a.txt': 'a', 'sub/b.txt': 'b', 'sub/deep/c.txt': 'c' });
  await settled();
  const script = `
    for (;;) {
      for (let n = 0; n < 50; n++) fs.writeFileSync('a.txt', String(n % 10).repeat(n * 1000));
      fs.renameSync('sub', 'moved');
      fs.rmSync('moved', { recursive: true });
      fs.mkdirSync('sub/deep', { recursive: true });
      fs.symlinkSync('..', 'sub/deep/up');
      fs.writeFileSync('sub/b.txt', 'x');
      fs.writeFileSync('started', '');
    }`;
  const child = spawn(process.execPath, ['-e', script], { cwd: ws });
  await until(() => existsSync(at('started')));
  for (let turn = 0; turn < 5; turn++) {
    const { turn: files, ended } = begin();
    files.told([at('sub/b.txt'), at('sub/deep/new'), at('a.txt')]);
    await watch.settled();
    for (const { before, after } of await ended())
      for (const state of [before, after]) {
        if (state.kind !== 'file' || !(state.content instanceof Uint8Array)) continue;
        assert.equal(createHash('sha256').update(state.content).digest('hex'), state.is.sha256);
        assert.equal(state.content.length, state.is.size);
      }
  }
  child.kill();
  await once(child, 'exit');
});

test('[F4] a workspace that is deleted has lost its files', async t => {
  const { begin, settled, ws } = await stage(t, { 'a.txt': 'a', 'sub/b.txt': 'b' });
  await settled();
  const { end } = begin();
  rmSync(ws, { recursive: true });
  assert.deepEqual(await end(), ['a.txt: "a" > absent +0 -1', 'sub/b.txt: "b" > absent +0 -1']);
});

test('[F4] of very many files the first are listed, and the rest is said', async t => {
  const { at, begin, settled, warnings, ws } = await stage(t, { 'a.txt': 'a' });
  await settled();
  const { ended, shown } = begin();
  const script = 'fs.mkdirSync("many"); for (let n = 0; n < 10000; n++) fs.writeFileSync(`many/${n}`, `x${n}`);';
  await once(spawn(process.execPath, ['-e', script], { cwd: ws }), 'exit');
  await until(() => shown.at(-1)?.length === mostListed);
  const changes = await ended();
  assert.equal(changes.length, mostListed);
  assert.ok(changes.every(({ before }) => before.kind === 'absent'));
  assert.ok(
    warnings.some(words => /are not listed/.test(words)),
    warnings.join(),
  );
  assert.ok(existsSync(at('many/9999')));
});

test('[F8] more files than are watched are unknown, and said', async t => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}.txt`, 'a']));
  const { begin, run, settled, warnings } = await stage(t, files, { mostFiles: 5 });
  await settled();
  const { end } = begin();
  run('for n in 0 1 2 3 4 5 6 7; do echo b > $n.txt; done');
  assert.equal((await end()).length, 5);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /5 files/);
});
