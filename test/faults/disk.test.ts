// Disks that fill up, that may not be written, that go away; and segments that are damaged while they are in use. What was acknowledged is there, what is refused has a code and words, and saving goes on when it works again.

import '../vscode/leashed.ts';
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../unit/support/history.ts';
import { ids, journalOf, readJournal, segmentsOf, tablesOf } from './engine.ts';
import { assertRefused, mayRunAs, numbersTo, smallDisk, startPuppet, type Puppet } from './puppets.ts';

const posix = { timeout: 30_000, skip: process.platform === 'win32' ? 'limits and mounts are for POSIX' : false };
/** Files may have 64 KB at most; bash counts in KB and sh in half of that, and both have `ulimit`. */
const limited = ['sh', '-c', 'ulimit -f 128; exec "$0" "$@"'];

async function openPuppet(t: TestContext, folder: string, before: readonly string[] = []): Promise<Puppet> {
  const puppet = startPuppet(t, folder, before);
  assert.deepEqual(await puppet.tell({ order: 'open' }), {});
  return puppet;
}

/** What a new process finds. */
async function readAgain(t: TestContext, folder: string, session: string): Promise<readonly number[]> {
  return (await openPuppet(t, folder)).read(session);
}

test('[J10] a segment that takes no more is left, and the record goes to the next', posix, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const puppet = await openPuppet(t, folder, limited);
  for (let number = 0; number < 30; number++) assert.deepEqual(await puppet.append(session, number, 9_000), {});
  assert.ok(segmentsOf(folder).length > 3, `${segmentsOf(folder).length} segments`);
  assert.deepEqual(await puppet.read(session), numbersTo(30));
  assert.deepEqual(await readAgain(t, folder, session), numbersTo(30));
});

test('[J11] a record that the disk does not take is refused with words, and the next one is saved', posix, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const puppet = await openPuppet(t, folder, limited);
  for (let number = 0; number < 5; number++) assert.deepEqual(await puppet.append(session, number), {});
  assertRefused(await puppet.append(session, 5, 300_000), 'disk-full', 'io');
  assert.deepEqual(await puppet.read(session), numbersTo(5));
  for (let number = 5; number < 10; number++) assert.deepEqual(await puppet.append(session, number), {});
  assert.deepEqual(await puppet.read(session), numbersTo(10));
  assert.deepEqual(await readAgain(t, folder, session), numbersTo(10));
});

test('[J11] a disk that is full says so, and saving goes on when there is room again', posix, async t => {
  const folder = temporaryFolder(t);
  const before = smallDisk(folder, '2m');
  if (!before) return t.skip('no disk may be mounted here');
  const session = ids.session();
  const puppet = await openPuppet(t, folder, before);
  for (let number = 0; number < 10; number++) assert.deepEqual(await puppet.append(session, number), {});
  await puppet.tell({ order: 'fill' });
  // What is left of the last page of the segment may still take a small record, and is then used up.
  for (let tries = 0; tries < 12; tries++) assertRefused(await puppet.append(session, 10, 20_000), 'disk-full');
  assert.deepEqual(await puppet.read(session), numbersTo(10));
  await puppet.tell({ order: 'free' });
  for (let number = 10; number < 20; number++) assert.deepEqual(await puppet.append(session, number, 20_000), {});
  assert.deepEqual(await puppet.read(session), numbersTo(20));
  await puppet.tell({ order: 'close' });
  await puppet.tell({ order: 'open' });
  assert.deepEqual(await puppet.read(session), numbersTo(20));
});

test('[J20] a full disk is not filled further with files that hold nothing', posix, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const puppet = await openPuppet(t, folder, limited);
  assert.deepEqual(await puppet.append(session, 0), {});
  for (let tries = 0; tries < 20; tries++) assertRefused(await puppet.append(session, 1, 300_000), 'disk-full', 'io');
  assert.ok(segmentsOf(folder).length <= 3, `${segmentsOf(folder).length} segments after 20 refusals`);
});

test('[J11] a disk that fills up while files are joined or a branch is erased hides nothing', posix, async t => {
  const folder = temporaryFolder(t);
  const before = smallDisk(folder, '4m');
  if (!before) return t.skip('no disk may be mounted here');
  const session = ids.session();
  const puppet = await openPuppet(t, folder, before);
  for (let number = 0; number < 30; number++) {
    assert.deepEqual(await puppet.append(session, number, 20_000), {});
    if (number % 10 !== 9) continue;
    await puppet.tell({ order: 'close' });
    await puppet.tell({ order: 'open' });
  }
  // Nothing is asked for that there is no room for: the head cannot be put above what goes.
  await puppet.tell({ order: 'fill' });
  assertRefused(await puppet.tell({ order: 'erase', session, number: 20 }), 'disk-full');
  assert.deepEqual(await puppet.read(session), numbersTo(30));
  await puppet.tell({ order: 'fill', leave: 200_000 });
  assertRefused(await puppet.tell({ order: 'join', session }), 'disk-full');
  assert.deepEqual(await puppet.read(session), numbersTo(30));
  assertRefused(await puppet.tell({ order: 'erase', session, number: 20 }), 'disk-full');
  assert.deepEqual(await puppet.read(session), numbersTo(20));
  await puppet.tell({ order: 'close' });
  await puppet.tell({ order: 'open' });
  assert.deepEqual(await puppet.read(session), numbersTo(20));
  await puppet.tell({ order: 'free' });
  // Who opens it when there is room finishes it.
  await puppet.tell({ order: 'close' });
  await puppet.tell({ order: 'open' });
  assert.deepEqual(await puppet.read(session), numbersTo(20));
  assert.deepEqual(await puppet.tell({ order: 'find', number: 25 }), { numbers: [0] });
});

test('[J31] on a full disk a session can be erased, and that makes room', posix, async t => {
  const folder = temporaryFolder(t);
  const before = smallDisk(folder, '2m');
  if (!before) return t.skip('no disk may be mounted here');
  const [session, other] = [ids.session(), ids.session()];
  const puppet = await openPuppet(t, folder, before);
  for (let number = 0; number < 10; number++) await puppet.append(session, number, 20_000);
  await puppet.append(other, 0);
  await puppet.tell({ order: 'fill' });
  assertRefused(await puppet.append(other, 1, 50_000), 'disk-full');
  assert.deepEqual(await puppet.tell({ order: 'erase', session, number: null }), { numbers: [10] });
  assert.deepEqual(await puppet.append(other, 1, 50_000), {});
  assert.deepEqual(await puppet.read(session), []);
});

test('[J11] a history on a read-only disk is read, and says why it does not save', posix, async t => {
  const folder = temporaryFolder(t);
  const before = smallDisk(folder, '2m');
  if (!before) return t.skip('no disk may be mounted here');
  const session = ids.session();
  const puppet = await openPuppet(t, folder, before);
  for (let number = 0; number < 5; number++) await puppet.append(session, number);
  // Open for writing: a disk becomes read-only under a process only after an error, by force.
  await puppet.tell({ order: 'close' });
  assert.deepEqual(await puppet.tell({ order: 'mount', options: 'remount,ro' }), {});
  assert.deepEqual(await puppet.tell({ order: 'open' }), {});
  assert.deepEqual(await puppet.read(session), numbersTo(5));
  assertRefused(await puppet.append(session, 5), 'read-only');
  assert.deepEqual(await puppet.tell({ order: 'mount', options: 'remount,rw' }), {});
  assert.deepEqual(await puppet.append(session, 5), {});
  assert.deepEqual(await puppet.read(session), numbersTo(6));
});

test('[J11] a folder that may not be written is read, and says why it does not save', posix, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  // To root every folder is open, so a root makes the process somebody else.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  for (const one of [folder, journalOf(folder)]) {
    mkdirSync(one, { recursive: true });
    chmodSync(one, 0o777);
  }
  chmodSync(join(folder, '..'), 0o755);
  if (!mayRunAs(folder, other)) return t.skip('nobody else may run this here');
  const puppet = startPuppet(t, folder, [], { ...other, cwd: '/' });
  assert.deepEqual(await puppet.tell({ order: 'open' }), {});
  assert.deepEqual(await puppet.append(session, 0), {});
  await puppet.tell({ order: 'close' });
  for (const one of [journalOf(folder), folder]) chmodSync(one, 0o555);
  try {
    assert.deepEqual(await puppet.tell({ order: 'open' }), {});
    assert.deepEqual(await puppet.read(session), numbersTo(1));
    assertRefused(await puppet.append(session, 1), 'no-permission');
  } finally {
    for (const one of [folder, journalOf(folder)]) chmodSync(one, 0o777);
  }
  assert.deepEqual(await puppet.append(session, 1), {});
  assert.deepEqual(await puppet.read(session), numbersTo(2));
});

test('[J11] a history that vanishes and comes back goes on, in every session', posix, async t => {
  const root = temporaryFolder(t);
  const folder = join(root, 'history');
  const sessions = [ids.session(), ids.session(), ids.session()];
  const puppet = await openPuppet(t, folder);
  for (const session of sessions) for (let number = 0; number < 4; number++) await puppet.append(session, number);
  for (let away = 0; away < 3; away++) {
    renameSync(folder, join(root, 'away'));
    for (const session of sessions) assertRefused(await puppet.append(session, 4 + away), 'gone');
    renameSync(join(root, 'away'), folder);
    for (const session of sessions) assert.deepEqual(await puppet.append(session, 4 + away), {});
  }
  for (const session of sessions) {
    assert.deepEqual(await puppet.read(session), numbersTo(7));
    assert.deepEqual(await readAgain(t, folder, session), numbersTo(7));
  }
});

test('[J9] a record that stands in two segments, as after a folder was away, is one', posix, async t => {
  const root = temporaryFolder(t);
  const folder = join(root, 'history');
  const session = ids.session();
  const puppet = await openPuppet(t, folder);
  assert.deepEqual(await puppet.append(session, 0), {});
  // The segment is written to where nobody finds it, so the record goes to the next one; then both are there.
  const [segment = ''] = segmentsOf(folder);
  renameSync(join(journalOf(folder), segment), join(root, segment));
  assert.deepEqual(await puppet.append(session, 1), {});
  renameSync(join(root, segment), join(journalOf(folder), segment));
  const { records } = readJournal(folder);
  assert.equal(records.length, 3);
  assert.deepEqual(await tablesOf(records.toReversed()), await tablesOf(records));
  assert.deepEqual(await readAgain(t, folder, session), numbersTo(2));
});
