// The hybrid logical clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HybridClock } from '../../../src/core/history/clock.ts';

test('[J6] ticks sort as text and never go back, whatever the computer says', () => {
  const times = [1000, 1000, 1001, 5, 0, 1_900_000_000_000, 3, 1_900_000_000_000];
  let at = 0;
  const clock = new HybridClock('writer22', () => times[at++] ?? 0);
  const ticks = times.map(() => clock.next());
  assert.deepEqual(ticks.toSorted(), ticks);
  assert.equal(new Set(ticks).size, ticks.length);
});

test('[J6] a tick comes after every tick that was seen', () => {
  const ahead = new HybridClock('zzzzzzzz', () => 2_000_000_000_000);
  const behind = new HybridClock('22222222', () => 1_000_000_000_000);
  const seen = ahead.next();
  behind.see(seen);
  assert.ok(behind.next() > seen);
});

test('[J6] what is no tick changes nothing', () => {
  const clock = new HybridClock('writer22', () => 1000);
  const first = clock.next();
  for (const tick of ['', 'short', '!!!!!!!!!!writer22']) clock.see(tick);
  assert.ok(clock.next().slice(0, 10) > first.slice(0, 10));
  assert.ok(clock.next() < new HybridClock('writer22', () => 1002).next());
});
