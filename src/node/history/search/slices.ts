// Long work in a thread that has other work: it goes on in slices, and what came meanwhile is done between them.

import { setImmediate } from 'node:timers/promises';

/** An append that comes in the middle of a slice waits so long, and for the step that the slice ends with. */
const longest = 12;

export class Slices {
  private since = performance.now();

  /** To be called after each step. True where others had their turn, and everything may have changed. */
  async rest(): Promise<boolean> {
    if (performance.now() - this.since < longest) return false;
    await setImmediate();
    this.since = performance.now();
    return true;
  }
}
