// A clock that a test moves by hand: nothing is waited for, and the same test always sees the same times.

import type { Clock } from '../../../src/core/ports.ts';

export class FixedClock implements Clock {
  private time = 1_800_000_000_000;
  private due: { readonly at: number; readonly run: () => void }[] = [];

  /** How many are waiting for their time. */
  get waiting(): number {
    return this.due.length;
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.time + milliseconds, run };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter(other => other !== entry);
    };
  }

  /** Runs what falls due on the way, in order. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const next = this.due.filter(entry => entry.at <= end).toSorted((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.due = this.due.filter(entry => entry !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
}
