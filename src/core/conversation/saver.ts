// Saves the facts of one conversation in order. Each append ends in one of three ways, decided by one table: saved, refused
// (the same facts would be refused again: they are dropped and reported, and the next ones go on) or retry (the trouble may
// pass: the facts stay first in line and are tried again with the next facts, on a timer, and when the window closes).
// A failure is never thrown at a running turn.

import type { SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { HistoryError, historyErrorIn, type HistoryErrorCode } from '../history/historyError.ts';
import type { SessionHistory } from '../history/history.ts';
import type { Clock } from '../ports.ts';

export type SaveOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly error: HistoryError }
  | { readonly kind: 'retry'; readonly error: HistoryError };

/** Whether the same append may succeed later. */
const afterFailure: { readonly [code in HistoryErrorCode]: 'retry' | 'refused' } = {
  'disk-full': 'retry',
  'no-permission': 'retry',
  'read-only': 'retry',
  gone: 'retry',
  io: 'retry',
  busy: 'retry',
  closed: 'retry',
  restarting: 'retry',
  'no-session': 'refused',
  'no-parent': 'refused',
  'no-message': 'refused',
  'no-blob': 'refused',
  exists: 'refused',
  'has-children': 'refused',
  erased: 'refused',
  trashed: 'refused',
  'too-large': 'refused',
  invalid: 'refused',
  crashed: 'refused',
  internal: 'refused',
  'export-too-large': 'refused',
  'export-too-long': 'refused',
};

const firstRetry = 1000;
const longestRetry = 30_000;

export interface SaverPorts {
  readonly history: Pick<SessionHistory, 'append'>;
  readonly session: SessionId;
  readonly clock: Clock;
  /** Saving began to fail, fails in another way, or works again (null). */
  readonly onDidChange: (failure: HistoryError | null) => void;
  /** These facts will never be saved. */
  readonly onRefused: (facts: readonly Fact[], error: HistoryError) => void;
}

interface Entry {
  readonly facts: readonly Fact[];
  /** All of the facts or none of them, now or never: the caller reports the failure. */
  readonly nowOrNever: boolean;
  outcome: SaveOutcome | null;
}

export class Saver {
  private readonly waiting: Entry[] = [];
  private running: Promise<void> = Promise.resolve();
  private failure: HistoryError | null = null;
  private retryDelay = firstRetry;
  private stopTimer = () => {};
  private isClosed = false;
  private readonly ports: SaverPorts;

  constructor(ports: SaverPorts) {
    this.ports = ports;
  }

  /** Resolves after the first attempt: what has to be retried is kept here. */
  save(facts: readonly Fact[]): Promise<SaveOutcome> {
    return this.add({ facts, nowOrNever: false, outcome: null });
  }

  /** Saves the facts after all that waits before them, or keeps none of them and says why. */
  saveOrDrop(facts: readonly Fact[]): Promise<SaveOutcome> {
    return this.add({ facts, nowOrNever: true, outcome: null });
  }

  /** Tries what waits a last time. Nothing is retried on a timer from here on. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.flush();
  }

  private async add(entry: Entry): Promise<SaveOutcome> {
    this.waiting.push(entry);
    await this.flush();
    // Without an outcome it waits behind what failed.
    return entry.outcome ?? { kind: 'retry', error: this.failure ?? new HistoryError('io') };
  }

  private flush(): Promise<void> {
    const flushed = this.running.then(() => this.appendAll());
    // What a listener throws goes to whoever saved, and ends no later attempt.
    this.running = flushed.catch(() => {});
    return flushed;
  }

  private async appendAll(): Promise<void> {
    this.stopTimer();
    for (let entry = this.waiting[0]; entry; entry = this.waiting[0]) {
      const outcome = await this.append(entry.facts);
      if (outcome.kind === 'retry') return this.retryLater(outcome);
      this.waiting.shift();
      entry.outcome = outcome;
      if (outcome.kind === 'refused' && !entry.nowOrNever) this.refused(entry.facts, outcome.error);
    }
    this.retryDelay = firstRetry;
    this.tell(null);
  }

  private async append(facts: readonly Fact[]): Promise<SaveOutcome> {
    try {
      await this.ports.history.append(this.ports.session, facts);
      return { kind: 'saved' };
    } catch (cause) {
      // Anything else that is thrown is a bug, which the same facts would meet again.
      const error = historyErrorIn(cause) ?? new HistoryError('invalid', cause);
      return { kind: afterFailure[error.code], error };
    }
  }

  /** A record is refused whole; one at a time, the facts that are in order are saved. */
  private refused(facts: readonly Fact[], error: HistoryError): void {
    if (facts.length <= 1) return this.ports.onRefused(facts, error);
    const alone = facts.map((fact): Entry => ({ facts: [fact], nowOrNever: false, outcome: null }));
    this.waiting.unshift(...alone);
  }

  private retryLater(outcome: SaveOutcome & { readonly kind: 'retry' }): void {
    const kept = this.waiting.filter(entry => !entry.nowOrNever);
    for (const entry of this.waiting) if (entry.nowOrNever) entry.outcome = outcome;
    this.waiting.splice(0, this.waiting.length, ...kept);
    this.tell(outcome.error);
    if (kept.length === 0 || this.isClosed) return;
    this.stopTimer = this.ports.clock.after(this.retryDelay, () => {
      this.retryDelay = Math.min(this.retryDelay * 2, longestRetry);
      void this.flush();
    });
  }

  private tell(failure: HistoryError | null): void {
    const changed = failure?.code !== this.failure?.code;
    this.failure = failure;
    if (changed) this.ports.onDidChange(failure);
  }
}
