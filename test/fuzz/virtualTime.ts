// Time that passes only when it is told to. Timers run one after another in the order in which they fall due, and whoever
// advances waits after each of them until nothing more happens, as the event loop would.

import type { Clock } from '../../src/core/ports.ts';

interface Timer {
  readonly at: number;
  readonly owner: object;
  readonly run: () => void;
}

export class VirtualTime {
  now = 1_800_000_000_000;
  private timers: Timer[] = [];

  /** Of one window: its timers go with it. */
  clockOf(owner: object): Clock {
    return {
      now: () => this.now,
      after: (milliseconds, run) => {
        const timer: Timer = { at: this.now + milliseconds, owner, run };
        this.timers.push(timer);
        return () => void (this.timers = this.timers.filter(other => other !== timer));
      },
    };
  }

  waitingOf(owner: object): number {
    return this.timers.filter(timer => timer.owner === owner).length;
  }

  dropTimersOf(owner: object): void {
    this.timers = this.timers.filter(timer => timer.owner !== owner);
  }

  /** `settle` is awaited after each timer; `onThrown` hears what a timer throws. */
  async advance(milliseconds: number, settle: () => Promise<void>, onThrown: (cause: unknown) => void): Promise<void> {
    const end = this.now + milliseconds;
    for (let next = this.firstUntil(end); next; next = this.firstUntil(end)) {
      const due = next;
      this.timers = this.timers.filter(timer => timer !== due);
      this.now = Math.max(this.now, due.at);
      try {
        due.run();
      } catch (cause) {
        onThrown(cause);
      }
      await settle();
    }
    this.now = end;
  }

  private firstUntil(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer;
    return first;
  }
}
