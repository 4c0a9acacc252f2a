// Events come in swarms: what they name is collected for a moment and looked at together. Promises: one swarm is looked at
// at a time; a name counts as pending until somebody has looked.

import { join } from 'node:path';
import type { Clock } from '../../../core/ports.ts';

const swarmMs = 60;

type Names = Map<string, Set<string>>;

export class Swarm {
  private readonly clock: Clock;
  /** The names are those in a folder. */
  private readonly look: (folders: ReadonlyMap<string, ReadonlySet<string>>, isOver: () => boolean) => Promise<void>;
  private pending: Names = new Map();
  private beingLookedAt: Names = new Map();
  private cancel: (() => void) | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(clock: Clock, look: Swarm['look']) {
    this.clock = clock;
    this.look = look;
  }

  get isEmpty(): boolean {
    return this.pending.size === 0;
  }

  add(folder: string, name: string): void {
    this.pending.set(folder, (this.pending.get(folder) ?? new Set()).add(name));
    this.cancel ??= this.clock.after(swarmMs, () => {
      this.cancel = null;
      void this.lookNow(() => false);
    });
  }

  /** All that nobody has looked at yet. */
  paths(): ReadonlySet<string> {
    const all = [...this.pending, ...this.beingLookedAt];
    return new Set(all.flatMap(([folder, names]) => [...names].map(name => join(folder, name))));
  }

  lookNow(isOver: () => boolean): Promise<void> {
    this.looking = this.looking.then(async () => {
      this.beingLookedAt = this.pending;
      this.pending = new Map();
      await this.look(this.beingLookedAt, isOver).catch(() => {
        // What could not be looked at is looked at by the next walk.
      });
      this.beingLookedAt = new Map();
    });
    return this.looking;
  }

  clear(): void {
    this.cancel?.();
    this.cancel = null;
    this.pending.clear();
  }
}
