// One window's way to the history. It is answered at once or when a move says so, in the order in which it asked; an append
// can fail, also after it was written, as `src/node/history/workerSupervisor.ts` allows; what others append is there when
// it was delivered. What may be appended is checked against what the window itself has read, as on the real disk.

import { claimsIn } from '../../src/core/conversation/agentSessionClaims.ts';
import { changeBy, changedAltogether, joinChanges, type HistoryChange } from '../../src/core/history/historyChange.ts';
import { HistoryError, type HistoryErrorCode } from '../../src/core/history/historyError.ts';
import type { SessionHistory } from '../../src/core/history/history.ts';
import type { Message, MessageId } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { noBranches } from '../../src/model/transcript.ts';
import type { FakeDisk } from './fakeDisk.ts';
import { Records, type StoredRecord } from './records.ts';

/** What goes wrong with appends, and how it ends: `whole` keeps reads from being answered as well. */
export const failures = [
  { code: 'disk-full', whole: false, mayBeWritten: false },
  { code: 'io', whole: false, mayBeWritten: true },
  { code: 'gone', whole: true, mayBeWritten: false },
  { code: 'restarting', whole: true, mayBeWritten: true },
  { code: 'no-permission', whole: false, mayBeWritten: false },
  { code: 'crashed', whole: false, mayBeWritten: true },
] as const satisfies readonly { readonly code: HistoryErrorCode; whole: boolean; mayBeWritten: boolean }[];

export interface Failure {
  readonly kind: (typeof failures)[number];
  /** The append is written all the same, and its answer is lost. */
  readonly isWritten: boolean;
}

export class DiskOfWindow {
  readonly writer: string;
  readonly inbox: StoredRecord[] = [];
  /** Nothing is answered until a move releases it. */
  isSlow = false;
  /** What others write is not read yet. */
  isBehind = false;
  failure: Failure | null = null;
  /** The session's files are out of sight for a while. */
  isHidden = false;
  isLeft = false;
  /** The window is gone, and nothing is answered any more. */
  isDead = false;
  silentSince = Infinity;
  stalledUntil = 0;
  /** Facts that were refused by name, or dropped for ever. */
  readonly refused: Fact[] = [];
  readonly history: SessionHistory;
  private readonly disk: FakeDisk;
  private readonly records: Records;
  private readonly waiting: (() => void)[] = [];
  private readonly listeners = new Set<(change: HistoryChange) => void>();
  /** As `AppendCheck.attempted` and the supervisor's `attempts`: what may be written though it was not acknowledged. */
  private readonly failed = new Set<MessageId>();
  private readonly written = new WeakSet<readonly Fact[]>();

  constructor(disk: FakeDisk, writer: string) {
    this.disk = disk;
    this.writer = writer;
    this.records = new Records(disk.session, disk.erased);
    for (const record of disk.log) this.records.take(record);
    disk.ways.push(this);
    this.history = this.historyOf();
  }

  get isIdle(): boolean {
    return this.waiting.length === 0;
  }

  /** What is written now is written. */
  get isWell(): boolean {
    return !this.isSlow && !this.failure && this.isIdle;
  }

  /** Answers the next question; false where none waits. */
  release(): boolean {
    const next = this.waiting.shift();
    next?.();
    return next !== undefined;
  }

  heal(): void {
    this.isSlow = this.isBehind = this.isHidden = false;
    this.failure = null;
    this.stalledUntil = Math.min(this.stalledUntil, this.disk.time.now);
    while (this.release());
  }

  die(): void {
    this.isDead = true;
    this.silentSince = Math.min(this.silentSince, this.disk.time.now);
    this.waiting.length = 0;
    this.listeners.clear();
  }

  /** Reads what others wrote; false where there was nothing. */
  deliver(): boolean {
    const records = this.inbox.splice(0);
    for (const record of records) this.records.take(record);
    if (records.length > 0) this.tell(records.map(record => this.changeOf(record)).reduce(joinChanges));
    return records.length > 0;
  }

  take(record: StoredRecord): void {
    this.records.take(record);
    queueMicrotask(() => this.tell(this.changeOf(record)));
  }

  forgetErased(): void {
    this.records.forgetErased();
    this.tell();
  }

  /** Without a change, so much happened that a reader must look at everything. */
  tell(change = changedAltogether(this.disk.session)): void {
    for (const listener of this.listeners) listener(change);
  }

  private changeOf({ writer, facts }: StoredRecord): HistoryChange {
    return changeBy(writer, this.disk.session, facts);
  }

  private ask<Value>(work: () => Value): Promise<Value> {
    if (this.isDead) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(work());
        } catch (cause) {
          reject(cause);
        }
      };
      if (this.isSlow || this.waiting.length > 0) this.waiting.push(run);
      else run();
    });
  }

  private read<Value>(work: (records: Records) => Value, unseen: () => Value): Promise<Value> {
    return this.ask(() => {
      if (this.failure?.kind.whole) throw new HistoryError(this.failure.kind.code);
      return this.isHidden || !this.records.isThere ? unseen() : work(this.records);
    });
  }

  private append(facts: readonly Fact[]): void {
    const { failure } = this;
    if (this.written.has(facts)) {
      if (!failure) return;
      throw new HistoryError(failure.kind.code);
    }
    // As the store does before a prompt that waited becomes a message, and before an agent session is claimed.
    const isDequeued = facts.some(fact => fact.type === 'set' && fact.name === 'queued' && fact.value === null);
    if (isDequeued || claimsIn(facts).length > 0) this.deliver();
    const refusal = this.records.refusalOf(facts, this.failed);
    if (failure) this.fail(failure, facts, refusal !== null);
    if (refusal !== null) {
      if (facts.length === 1) this.refused.push(...facts);
      throw new HistoryError(refusal);
    }
    this.disk.write(this, facts);
  }

  private fail({ kind, isWritten }: Failure, facts: readonly Fact[], isRefused: boolean): never {
    // A worker that crashed is another one with the next attempt.
    if (kind.code === 'crashed') {
      this.failure = null;
      if (facts.length === 1) this.refused.push(...facts);
    }
    if (isWritten && kind.mayBeWritten && !isRefused) {
      this.disk.write(this, facts);
      if (kind.code === 'restarting') this.written.add(facts);
      else if (kind.code === 'io')
        for (const fact of facts) if (fact.type === 'message') this.failed.add(fact.message.id);
    }
    throw new HistoryError(kind.code);
  }

  private setTrashed(on: boolean, message?: MessageId): Promise<void> {
    const { session } = this.disk;
    const of = message === undefined ? {} : { of: message, from: message };
    return this.ask(() => this.append([{ type: 'set', session, name: 'trashed', value: on, ...of }]));
  }

  private historyOf(): SessionHistory {
    const never = () => Promise.reject(new HistoryError('invalid'));
    return {
      writer: this.writer,
      alive: () => this.ask(() => this.disk.alive(this)),
      append: (_session, facts) => this.ask(() => this.append(facts)),
      sessions: () =>
        this.read(
          records => [records.summary()],
          () => [],
        ),
      open: (_session, at) =>
        this.read(
          records => {
            if (at !== undefined && !records.has(at)) throw new HistoryError('no-message');
            return records.open(at ?? null, this.disk.alive(this), this.writer);
          },
          () => undefined,
        ),
      fields: () =>
        this.read(
          records => records.storedFields(this.disk.alive(this), this.writer),
          () => undefined,
        ),
      // The session itself is never erased here.
      erased: () => this.ask(() => new Set()),
      branches: (_session, head) =>
        this.read(
          records => records.branches(head),
          () => (head === null ? noBranches : undefined),
        ),
      messages: ids =>
        this.read(
          records => ids.map(id => records.message(id) ?? missing()),
          () => ids.map(missing),
        ),
      audit: never,
      blob: (_session, { sha256 }) =>
        this.ask(() => {
          const bytes = this.disk.blobs.get(sha256);
          if (!bytes) throw new HistoryError('no-blob');
          return bytes.slice();
        }),
      tree: () =>
        this.read(
          records => records.nodes(),
          () => [],
        ),
      trash: (_session, branch) => this.setTrashed(true, branch?.message),
      restore: (_session, message) => this.setTrashed(false, message),
      erase: never,
      onDidAppend: listener => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
  }
}

function missing(): Message {
  throw new HistoryError('no-message');
}
