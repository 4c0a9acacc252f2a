// What is kept of an agent's updates while the id of their session isn't known yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenSessions } from '../../../src/node/acp/openSessions.ts';

function caughtUp(sessions: OpenSessions, id: string): readonly unknown[] {
  const taken: unknown[] = [];
  sessions.catchUp({ id, take: update => void taken.push(update) });
  return taken;
}

test('[A20] updates that come before their session is known are kept in order, up to a bound, while one is expected', () => {
  const sessions = new OpenSessions();
  sessions.update('early', 'nobody waits');
  assert.deepEqual(caughtUp(sessions, 'early'), []);
  const came = sessions.expectOne();
  for (let n = 0; n < 5000; n++) sessions.update('talks', n);
  for (let n = 0; n < 100; n++) sessions.update(`session ${n}`, n);
  assert.deepEqual(
    caughtUp(sessions, 'talks'),
    Array.from({ length: 1000 }, (_, n) => n),
  );
  assert.deepEqual(caughtUp(sessions, 'talks'), [], 'each is given once');
  const kept = Array.from({ length: 100 }, (_, n) => caughtUp(sessions, `session ${n}`).length);
  assert.equal(
    kept.reduce((sum, count) => sum + count, 0),
    15,
  );
  sessions.update('late', 1);
  came();
  assert.deepEqual(caughtUp(sessions, 'late'), [], 'the answer came');
});
