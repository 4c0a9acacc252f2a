// When the tree looks again after a change. Promises: it looks at most four times a second and once at a time, and what
// changes during a look is looked at in the next.

import type { Clock } from '../../core/ports.ts';

const atMostEvery = 250;

export interface RefreshLoopPorts {
  readonly clock: Clock;
  readonly look: () => Promise<void>;
  readonly onFailure: (cause: unknown) => void;
}

export class RefreshLoop {
  private state: 'idle' | 'waiting' | 'looking' = 'idle';
  /** Something changed during the look. */
  private isStale = false;
  private lastLook = -Infinity;
  private stopWaiting = () => {};
  private readonly ports: RefreshLoopPorts;

  constructor(ports: RefreshLoopPorts) {
    this.ports = ports;
  }

  lookSoon(): void {
    if (this.state === 'looking') this.isStale = true;
    if (this.state !== 'idle') return;
    this.state = 'waiting';
    const { clock } = this.ports;
    this.stopWaiting = clock.after(Math.max(0, this.lastLook + atMostEvery - clock.now()), () => void this.look());
  }

  dispose(): void {
    this.stopWaiting();
  }

  private async look(): Promise<void> {
    const { clock, look, onFailure } = this.ports;
    this.state = 'looking';
    this.lastLook = clock.now();
    await look().catch(onFailure);
    this.state = 'idle';
    const { isStale } = this;
    this.isStale = false;
    if (isStale) this.lookSoon();
  }
}
