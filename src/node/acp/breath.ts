// Room for everybody else on the event loop while much is read. Reading what is there already takes microtasks only, so
// that a flood of messages would hold up every timer, file and window of the extension host until it is over.

const longest = 8;

/** Asks again and again "is it time?"; yes after eight milliseconds, and then `breathe` lets everything else run. */
export class Breath {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since > longest;
  }

  async breathe(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}

/** Everything that has arrived by now is dealt with when this resolves. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
