// Another window on the same history: it is known of from when it opens, and no more when it is gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OtherWindows } from '../../../src/host/otherWindows.ts';
import { FixedClock } from '../support/clock.ts';
import { sessionFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

test('[H117] another window is known of while it lives, and each change is told once', async t => {
  const folder = temporaryFolder(t);
  const mine = await openTestHistory(folder);
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
  await windows.begin();
  const session = ids.session();
  await mine.append(session, [sessionFact(session)]);
  await look();
  assert.deepEqual(told, [], 'its own sign is none of another window');
  const theirs = await openTestHistory(folder);
  await theirs.sessions();
  await look();
  await look();
  assert.deepEqual([told, windows.isThere], [[true], true]);
  await theirs.close();
  await look();
  assert.deepEqual(told, [true, false]);
  windows.dispose();
  assert.equal(clock.waiting, 0);
});
