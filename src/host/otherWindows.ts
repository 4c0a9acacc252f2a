// Whether another window has this history open now. It looks every 15 seconds once it began, and tells only changes.

import type { History } from '../core/history/history.ts';
import type { Clock } from '../core/ports.ts';

export interface OtherWindowsPorts {
  readonly history: () => Promise<Pick<History, 'alive' | 'writer'>>;
  readonly clock: Clock;
  readonly onChange: (isThere: boolean) => void;
}

const lookEvery = 15_000;

export class OtherWindows {
  /** As of the last look. */
  isThere = false;
  private stopWaiting = () => {};
  private isOver = false;
  private readonly ports: OtherWindowsPorts;

  constructor(ports: OtherWindowsPorts) {
    this.ports = ports;
  }

  /** Now, and from then on. */
  async begin(): Promise<void> {
    const { history, clock, onChange } = this.ports;
    const { alive, writer } = await history();
    // A sign that cannot be read is none.
    const others = [...(await alive().catch(() => new Set<string>()))].filter(one => one !== writer);
    if (this.isOver) return;
    const isThere = others.length > 0;
    if (isThere !== this.isThere) onChange((this.isThere = isThere));
    this.stopWaiting = clock.after(lookEvery, () => void this.begin());
  }

  dispose(): void {
    this.isOver = true;
    this.stopWaiting();
  }
}
