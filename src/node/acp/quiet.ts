// Waiting until nobody has said anything for a while: agents go on sending after they said that they are done.

import type { Clock } from '../../core/ports.ts';

export interface Patience {
  /** Milliseconds without a word. */
  readonly quiet: number;
  /** Milliseconds after which it is over in any case. */
  readonly most: number;
}

export class Quiet {
  private words = 0;

  heard(): void {
    this.words++;
  }

  /** Counts from now. What is waited is up to twice `quiet` after the last word. */
  async come(clock: Clock, { quiet, most }: Patience, signal?: AbortSignal): Promise<void> {
    for (let rounds = Math.ceil(most / quiet); rounds > 0 && !signal?.aborted; rounds--) {
      const before = this.words;
      await pause(clock, quiet, signal);
      if (this.words === before) return;
    }
  }
}

/** Over early where the signal says so. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const over = () => {
      forget();
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const forget = clock.after(milliseconds, over);
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over, { once: true });
  });
}

/** When that happened, or after so many milliseconds. */
export async function atMost(clock: Clock, milliseconds: number, happens: Promise<unknown>): Promise<void> {
  const happened = new AbortController();
  await Promise.race([happens, pause(clock, milliseconds, happened.signal)]);
  happened.abort();
}
