// Modal questions one after the other. VS Code would show them on top of each other, and a person who answers several at
// once doesn't read them.

export class QuestionQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Whether one is open or waits for its turn. */
  get isAsking(): boolean {
    return this.waiting > 0;
  }

  /** Runs `ask` when everything before it was answered. */
  async next<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.waiting++;
    const asked = this.last.then(ask);
    this.last = asked.catch(() => {});
    try {
      return await asked;
    } finally {
      this.waiting--;
    }
  }
}
