// Puts the facts of one conversation into history, in order. Promises: what could not be saved stays here and is tried
// again, in order, with the next facts; `onDidChange` tells when saving begins to fail and when it works again; a
// failure is never thrown at a running turn. What is kept here dies with the window, which is why it is said aloud.

import type { SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { HistoryError, historyErrorOf } from '../history/historyError.ts';
import type { SessionHistory } from '../history/history.ts';

export class Saver {
  private readonly waiting: (readonly Fact[])[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private failure: HistoryError | null = null;
  private readonly history: SessionHistory;
  private readonly session: SessionId;
  private readonly onDidChange: (failure: HistoryError | null) => void;

  constructor(history: SessionHistory, session: SessionId, onDidChange: (failure: HistoryError | null) => void) {
    this.history = history;
    this.session = session;
    this.onDidChange = onDidChange;
  }

  /** Resolves when the facts are durable (null) or are kept here because of a failure. */
  save(facts: readonly Fact[]): Promise<HistoryError | null> {
    this.waiting.push(facts);
    return this.flush();
  }

  /** Saves the facts with all that waits before them, or keeps none of them and says why. */
  async saveOrDrop(facts: readonly Fact[]): Promise<HistoryError | null> {
    const failure = await this.save(facts);
    if (failure) this.waiting.splice(this.waiting.indexOf(facts), 1);
    return failure;
  }

  /** All that was given so far is durable, or is kept here because of a failure. */
  async idle(): Promise<void> {
    await this.queue;
  }

  private flush(): Promise<HistoryError | null> {
    const done = this.queue.then(async () => {
      try {
        for (let facts = this.waiting[0]; facts; facts = this.waiting[0]) {
          await this.history.append(this.session, facts);
          this.waiting.shift();
        }
        this.tell(null);
      } catch (cause) {
        this.tell(historyErrorOf(cause));
      }
      return this.failure;
    });
    this.queue = done;
    return done;
  }

  private tell(failure: HistoryError | null): void {
    const changed = failure?.code !== this.failure?.code;
    this.failure = failure;
    if (changed) this.onDidChange(failure);
  }
}
