// One question to the person that holds a prompt back, with its answer. A new one takes the place of the old, which is
// then unanswered; so is one that nobody needs any more.

import type { Held, HeldChoice } from '../../model/agentState.ts';

export class Question {
  private close: (choice: HeldChoice | null) => void = () => {};
  private readonly show: (held: Held | null) => void;

  constructor(show: (held: Held | null) => void) {
    this.show = show;
  }

  /** Null where the signal came first. */
  ask(held: Held, signal: AbortSignal): Promise<HeldChoice | null> {
    this.close(null);
    if (signal.aborted) return Promise.resolve(null);
    return new Promise(resolve => {
      const onAbort = () => this.close(null);
      this.close = choice => {
        this.close = () => {};
        signal.removeEventListener('abort', onAbort);
        this.show(null);
        resolve(choice);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.show(held);
    });
  }

  answer(choice: HeldChoice): void {
    this.close(choice);
  }
}
