// A start that many may wait for. Promises: however many join, it is under way once; it is given up when the last of
// them does not wait any more, and whoever comes then begins a new one.

import { waitFor } from './waitFor.ts';

interface Start<Value> {
  readonly value: Promise<Value>;
  readonly abort: AbortController;
  waiting: number;
}

export class SharedStart<Value> {
  private current: Start<Value> | null = null;
  private readonly open: (signal: AbortSignal) => Promise<Value>;

  /** The signal of `open` says that nobody waits any more. */
  constructor(open: (signal: AbortSignal) => Promise<Value>) {
    this.open = open;
  }

  async join(signal: AbortSignal): Promise<Value> {
    const start = (this.current ??= this.begin());
    start.waiting++;
    try {
      return await waitFor(start.value, signal);
    } finally {
      // Whoever goes last puts out the light.
      if (--start.waiting === 0 && this.current === start) void this.giveUp();
    }
  }

  /** Over when what was under way has stopped by itself. */
  async giveUp(): Promise<void> {
    const start = this.current;
    this.current = null;
    start?.abort.abort();
    await start?.value.catch(() => {});
  }

  private begin(): Start<Value> {
    const abort = new AbortController();
    const start: Start<Value> = { value: this.open(abort.signal), abort, waiting: 0 };
    const over = () => {
      if (this.current === start) this.current = null;
    };
    start.value.then(over, over);
    return start;
  }
}
