// What one window of a history does at a time, while a question stands for hours: no second window does the same, and no
// window takes away the lock of another.

import assert from 'node:assert/strict';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { withWindowLock } from '../../../src/node/history/windowLock.ts';
import { temporaryFolder } from '../support/history.ts';

const hour = 3_600_000;

function age(lock: string): void {
  const before = new Date(Date.now() - hour);
  utimesSync(lock, before, before);
}

/** Resolves when the lock is held; `release` ends what runs in it. */
async function hold(lock: string): Promise<{ readonly release: () => Promise<void> }> {
  let end = () => {};
  const ended = new Promise<void>(resolve => (end = resolve));
  let over: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    over = withWindowLock(lock, () => (resolve(), ended)).then(isRun => isRun || reject(new Error('not run')));
  });
  return { release: async () => (end(), void (await over)) };
}

const isFree = (lock: string) => withWindowLock(lock, () => Promise.resolve());
const lockOf = (t: TestContext) => join(temporaryFolder(t), 'history', 'retention.lock');

test('[H111] a lock is held by one window at a time, and is free after it, also when that failed', async t => {
  const lock = lockOf(t);
  const first = await hold(lock);
  assert.equal(await isFree(lock), false);
  await first.release();
  await assert.rejects(
    withWindowLock(lock, () => Promise.reject(new Error('disk'))),
    /disk/,
  );
  assert.equal(await isFree(lock), true);
});

test('[H111] a lock whose question stands for hours is not taken over', async t => {
  const lock = lockOf(t);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const first = await hold(lock);
  age(lock);
  t.mock.timers.tick(60_000);
  for (const end = Date.now() + 10_000; Date.now() - statSync(lock).mtimeMs > hour / 2;) {
    assert.ok(Date.now() < end, 'the window touches its lock');
    await new Promise(setImmediate);
  }
  assert.equal(await isFree(lock), false);
  await first.release();
});

test('[H111] a window that slept does not remove or touch the lock of the window that took over', async t => {
  const lock = lockOf(t);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slept = await hold(lock);
  age(lock);
  const second = await hold(lock);
  await slept.release();
  assert.equal(await isFree(lock), false, 'the second window still has it');
  await second.release();
  assert.equal(await isFree(lock), true);
});

for (const [what, text, isTaken] of [
  ['of a process that is gone', '999999999', true],
  ['of a process that runs', String(process.pid), false],
  ['without a process', '', false],
] as const)
  test(`[H111] a lock ${what} is ${isTaken ? '' : 'not '}taken over at once, and any that is not touched for an hour`, async t => {
    const lock = join(temporaryFolder(t), 'retention.lock');
    writeFileSync(lock, text);
    assert.equal(await isFree(lock), isTaken);
    writeFileSync(lock, text);
    age(lock);
    assert.equal(await isFree(lock), true);
  });
