// Whether work grows with its input and no faster. The sizes run in turn in one thread and only that thread's own processor
// time counts, so neither another process nor a slow machine makes a difference.

import assert from 'node:assert/strict';
import { threadCpuUsage } from 'node:process';

const factor = 8;
/** Linear work takes 8 times as long, quadratic work 64 times. */
const most = 24;
/** The first one also compiles the code. */
const rounds = 5;
/** In microseconds. Below it, what the engine does beside the work decides, and how the system counts. */
const floor = 5000;

/** Fails where work takes much more than 8 times as long on 8 times as many letters. */
export function assertLinear(name: string, size: number, run: (size: number) => void): void {
  // Work that is quadratic fails at the smaller sizes, before it takes minutes.
  for (const large of [size / factor, size]) compare(name, Math.floor(large / factor), Math.floor(large), run);
}

function compare(name: string, small: number, large: number, run: (size: number) => void): void {
  let [least, whole] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    least = Math.min(
      least,
      cost(() => run(small)),
    );
    whole = Math.min(
      whole,
      cost(() => run(large)),
    );
    if (whole <= least * most) return;
  }
  assert.fail(`${name}: ${large} letters take ${(whole / least).toFixed(1)} times as long as ${small}`);
}

function cost(run: () => void): number {
  return Math.max(floor, processorTime(run));
}

/** Of this thread, in microseconds; some systems count it in steps of 4 ms. */
export function processorTime(run: () => void): number {
  const before = threadCpuUsage();
  run();
  const { user, system } = threadCpuUsage(before);
  return user + system;
}
