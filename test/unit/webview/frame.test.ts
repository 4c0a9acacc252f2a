// When what streams is drawn: against a clock and frames that the test moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../../src/webview/frame.ts';

/** A page of which each drawing takes so long; frames come every 16 ms. */
function page(cost: number) {
  let now = 1000;
  let queue: { readonly at: number; readonly then: () => void }[] = [];
  let press = () => {};
  const at = (when: number, then: () => void) => void queue.push({ at: when, then });
  const pace = createPace({
    now: () => now,
    frame: then => at((Math.floor(now / 16) + 1) * 16, then),
    after: (milliseconds, then) => at(now + milliseconds, then),
    painted: then => then(),
    onKey: listener => (press = listener),
  });
  const drawn: number[] = [];
  /** Everything that is due until then. */
  const until = (end: number) => {
    for (;;) {
      const due = queue.toSorted((one, other) => one.at - other.at)[0];
      if (!due || due.at > end) break;
      queue = queue.filter(one => one !== due);
      now = Math.max(now, due.at);
      due.then();
    }
    now = Math.max(now, end);
  };
  const ask = () =>
    pace(() => {
      drawn.push(now);
      now += cost;
    });
  return { drawn, ask, press: () => press(), until };
}

test('[W73] drawing takes a quarter of the time at most, whatever one costs', () => {
  for (const cost of [1, 4, 12, 40, 80]) {
    const { drawn, ask, until } = page(cost);
    for (let time = 1000; time < 11_000; time += 8) {
      // Asked for once until it is drawn, as the store does.
      const before = drawn.length;
      ask();
      for (; drawn.length === before; time += 8) until(time);
    }
    const share = (drawn.length * cost) / 10_000;
    assert.ok(share <= 0.26, `${cost} ms each takes ${share}`);
    assert.ok(drawn.length >= Math.min(500, 10_000 / (4 * cost + 32)), `${cost} ms each, and still ${drawn.length}`);
  }
});

test('[W73] one that costs very much waits a quarter of a second and no longer', () => {
  const { drawn, ask, until } = page(5000);
  ask();
  until(1100);
  ask();
  until(6100);
  assert.equal(drawn.length, 1);
  until(6300);
  assert.equal(drawn.length, 2);
});

test('[W73] the frame of a letter is its own, and what was asked for comes with the next', () => {
  const quiet = page(1);
  quiet.ask();
  quiet.until(1100);
  assert.equal(quiet.drawn.length, 1);
  quiet.press();
  quiet.ask();
  quiet.until(1113);
  assert.equal(quiet.drawn.length, 1);
  quiet.until(1140);
  assert.equal(quiet.drawn.length, 2);
  // A person who types without a stop keeps nothing from being drawn.
  quiet.ask();
  for (let time = 1144; time < 1200; time += 4) {
    quiet.press();
    quiet.until(time);
  }
  assert.equal(quiet.drawn.length, 3);
});
