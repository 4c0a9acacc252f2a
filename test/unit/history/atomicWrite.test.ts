// Files that appear under their name whole or not at all.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeNew, writeAtomic, writeAtomicSync } from '../../../src/node/atomicWrite.ts';
import { temporaryFolder } from '../support/history.ts';

test('an atomic write replaces the file, which only its owner may read, and leaves nothing beside it', async t => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'a');
  await writeAtomic(file, 'before');
  await writeAtomic(file, ['af', 'ter']);
  assert.equal(readFileSync(file, 'utf8'), 'after');
  writeAtomicSync(file, `${file}.w1.unfinished`, [Buffer.from('af'), Buffer.from('ter 2')]);
  assert.equal(readFileSync(file, 'utf8'), 'after 2');
  await writeAtomic(join(folder, 'b'), new Uint8Array([1]));
  if (process.platform !== 'win32')
    for (const name of ['a', 'b']) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(readdirSync(folder), ['a', 'b']);
});

test('an atomic write that is stopped or fails leaves the file as it was and nothing beside it', async t => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'a');
  await writeAtomic(file, 'before');
  function* broken(): Generator<string> {
    yield 'half';
    throw new Error('broken');
  }
  await assert.rejects(writeAtomic(file, broken()), { message: 'broken' });
  const stop = new AbortController();
  function* stopped(): Generator<string> {
    yield 'half';
    stop.abort();
  }
  await assert.rejects(writeAtomic(file, stopped(), stop.signal), { name: 'AbortError' });
  function* brokenBytes(): Generator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('broken');
  }
  assert.throws(() => writeAtomicSync(file, `${file}.w1.unfinished`, brokenBytes()), { message: 'broken' });
  mkdirSync(join(folder, 'b', 'c'), { recursive: true });
  await assert.rejects(writeAtomic(join(folder, 'b'), 'a folder has that name'));
  assert.deepEqual(readdirSync(folder), ['a', 'b']);
  assert.equal(readFileSync(file, 'utf8'), 'before');
});

test('a new file takes no name that is taken', async t => {
  const folder = temporaryFolder(t);
  const [file, temporary] = [join(folder, 'a'), join(folder, 'a.unfinished')];
  writeFileSync(temporary, 'new');
  assert.equal(await placeNew(temporary, file), true);
  rmSync(temporary);
  writeFileSync(temporary, 'newer');
  assert.equal(await placeNew(temporary, file), false);
  assert.equal(readFileSync(file, 'utf8'), 'new');
});
