// What a window does when its history is first used and every hour from then on, one window of all. Promises: trouble is
// told and the next hour comes all the same; nothing is begun after it was disposed.

import type { Clock } from '../../core/ports.ts';
import type { Alone } from '../../node/history/oneWindow.ts';

const interval = 3_600_000;

export class Hourly {
  private stopWaiting = () => {};
  private isOver = false;
  private readonly clock: Clock;
  private readonly run: () => Promise<unknown>;

  constructor(clock: Clock, alone: Alone, run: () => Promise<void>, onFailure: (cause: unknown) => void) {
    this.clock = clock;
    this.run = () => alone(run).catch(onFailure);
  }

  /** Now, and from then on every hour. */
  async begin(): Promise<void> {
    this.stopWaiting();
    this.isOver = false;
    await this.run();
    this.stopWaiting();
    if (!this.isOver) this.stopWaiting = this.clock.after(interval, () => void this.begin());
  }

  dispose(): void {
    this.isOver = true;
    this.stopWaiting();
  }
}
