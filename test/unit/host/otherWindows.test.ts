// Another window on the same history: it is known of from what it writes on, and no more when it is gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OtherWindows } from '../../../src/host/otherWindows.ts';
import { FixedClock } from '../support/clock.ts';
import { sessionFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

test('[H117] another window is known of while it lives, and each change is told once', async t => {
  const folder = temporaryFolder(t);
  const [mine, theirs] = [await openTestHistory(folder), await openTestHistory(folder)];
  const clock = new FixedClock();
  const told: boolean[] = [];
  let looked = () => {};
  const history = {
    writer: mine.writer,
    alive: () => mine.alive().finally(() => setImmediate(() => looked())),
  };
  const windows = new OtherWindows({
    history: () => Promise.resolve(history),
    clock,
    onChange: isThere => void told.push(isThere),
  });
  const look = async () => {
    const done = new Promise<void>(resolve => (looked = resolve));
    clock.advance(15_000);
    await done;
  };
  const begin = (of: typeof mine) => {
    const session = ids.session();
    return of.append(session, [sessionFact(session)]);
  };
  await windows.begin();
  await begin(mine);
  await look();
  assert.deepEqual(told, [], 'its own sign is none of another window');
  await begin(theirs);
  // Its sign comes with its first record, and not before that is acknowledged.
  while (!(await mine.alive()).has(theirs.writer)) await new Promise(resolve => setTimeout(resolve, 10));
  await look();
  await look();
  assert.deepEqual([told, windows.isThere], [[true], true]);
  await theirs.close();
  await look();
  assert.deepEqual(told, [true, false]);
  windows.dispose();
  assert.equal(clock.waiting, 0);
});
