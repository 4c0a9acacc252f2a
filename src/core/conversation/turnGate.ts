// Keeps turns, and changes of what a conversation shows or is, apart: at most one turn runs, no change is made while it
// does, and no turn begins while a change is under way. Whatever begins the one or the other goes through here.

export interface RunningTurn {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  /** Resolves when the turn is over, however it ended. */
  readonly ended: Promise<void>;
  /** Opens the gate. To be called once `after` may see that nothing runs; `ended` resolves behind it. */
  readonly end: (after: () => void) => void;
}

export class TurnGate {
  private running: RunningTurn | null = null;
  /** The last of the changes under way; each waits for the one before it. */
  private changing: Promise<void> | null = null;

  get turn(): RunningTurn | null {
    return this.running;
  }

  /** Calls `use` when no change is under way, at once where none is. What it begins there is alone. */
  async whenUnchanging<Value>(use: () => Value | Promise<Value>): Promise<Value> {
    while (this.changing) await this.changing;
    return use();
  }

  /** Only where no change is under way. Null where a turn runs. */
  begin(): RunningTurn | null {
    if (this.changing) throw new Error('A turn may not begin while a change is under way.');
    if (this.running) return null;
    const controller = new AbortController();
    let resolve = () => {};
    const ended = new Promise<void>(done => (resolve = done));
    const turn: RunningTurn = {
      signal: controller.signal,
      abort: reason => controller.abort(reason),
      ended,
      end: after => {
        if (this.running === turn) this.running = null;
        try {
          after();
        } finally {
          resolve();
        }
      },
    };
    this.running = turn;
    return turn;
  }

  /** Runs the step after those before it. False where a turn runs: then nothing is done. Rejects as the step does. */
  async change(step: () => Promise<void>): Promise<boolean> {
    if (this.running) return false;
    const before = this.changing;
    const changed = (async () => {
      await before;
      await step();
    })();
    const over = changed.catch(() => {
      // Whoever asked for the change is told; what comes after it finds everything as it was.
    });
    this.changing = over;
    try {
      await changed;
      return true;
    } finally {
      if (this.changing === over) this.changing = null;
    }
  }
}
