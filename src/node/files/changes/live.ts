// Shows the changes of a turn while it runs: soon after one is seen, not more often than a person can read, and only when
// the list is another.

import type { WatchedTurn } from '../../../core/changes.ts';
import type { Clock } from '../../../core/ports.ts';
import type { FileChange } from '../../../model/changes.ts';

const everyMs = 300;

export class Live {
  private readonly clock: Clock;
  private readonly make: () => Promise<readonly FileChange[]>;
  private readonly onChange: WatchedTurn['onChange'];
  private shown: readonly FileChange[] = [];
  private shownAt = -Infinity;
  private cancel: (() => void) | null = null;
  private isMaking = false;
  private isStale = false;
  private isOver = false;

  constructor(clock: Clock, make: () => Promise<readonly FileChange[]>, onChange: WatchedTurn['onChange']) {
    this.clock = clock;
    this.make = make;
    this.onChange = onChange;
  }

  touch(): void {
    this.isStale = true;
    if (this.isOver || this.isMaking || this.cancel) return;
    this.cancel = this.clock.after(Math.max(0, this.shownAt + everyMs - this.clock.now()), () => {
      this.cancel = null;
      void this.show();
    });
  }

  stop(): void {
    this.isOver = true;
    this.cancel?.();
    this.cancel = null;
  }

  private async show(): Promise<void> {
    this.isMaking = true;
    this.isStale = false;
    const changes = await this.make().catch(() => this.shown);
    this.isMaking = false;
    if (this.isOver) return;
    const isSame = changes.length === this.shown.length && changes.every((one, at) => one === this.shown[at]);
    if (!isSame) {
      this.shown = changes;
      this.shownAt = this.clock.now();
      this.onChange(changes);
    }
    if (this.isStale) this.touch();
  }
}
