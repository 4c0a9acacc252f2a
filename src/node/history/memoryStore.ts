// The history of incognito sessions: the index that `Store` has over a journal on the disk, over records and blobs that
// are in memory only. It is given no path to write to; what was erased is in no map, row or text of it.

import { createHash } from 'node:crypto';
import { claimsIn } from '../../core/conversation/agentSessionClaims.ts';
import { takeOut } from '../../core/history/blobs.ts';
import { HybridClock } from '../../core/history/clock.ts';
import { Erasure, survivorOf } from '../../core/history/erasure.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import { changeBy, changedAltogether, type HistoryChange } from '../../core/history/historyChange.ts';
import { apply, forgetMessages, forgetSession, schema } from './index/projection.ts';
import type { BlobRef, MessageId, SessionId } from '../../model/message.ts';
import { recordVersion, type Fact, type JournalRecord } from '../../model/record.ts';
import { AppendCheck } from './appendCheck.ts';
import type { RecordStore } from './index/recordStore.ts';
import type { MemoryDatabase } from './index/sqlite.ts';
import type { Place } from './journal/recordPlace.ts';

interface SessionRecords {
  /** By their numbers, the earliest first. */
  readonly records: Map<number, JournalRecord>;
  readonly blobs: Map<string, string | Uint8Array>;
}

export class MemoryStore implements RecordStore {
  readonly writer: string;
  readonly db: MemoryDatabase;
  readonly erasure = new Erasure();
  readonly blobs: RecordStore['blobs'] = {
    read: (session, ref) => bytesOf(this.sessions.get(session)?.blobs.get(ref.sha256)),
    text: (session, ref) => textOf(this.sessions.get(session)?.blobs.get(ref.sha256)),
  };
  private readonly sessions = new Map<SessionId, SessionRecords>();
  private readonly clock: HybridClock;
  private readonly check: AppendCheck;
  private readonly onChange: (change: HistoryChange) => void;
  private count = 0;

  constructor(writer: string, db: MemoryDatabase, onChange: (change: HistoryChange) => void) {
    this.writer = writer;
    this.db = db;
    this.db.exec(schema);
    this.clock = new HybridClock(writer, Date.now);
    this.check = new AppendCheck(db, this.erasure);
    this.onChange = onChange;
  }

  append(session: SessionId, facts: readonly Fact[]): () => void {
    this.check.mayAppend(session, facts, claimsIn(facts));
    const own = this.sessions.get(session) ?? { records: new Map(), blobs: new Map() };
    const n = this.count++;
    try {
      const taken = takeOut(facts, content => keep(own.blobs, content));
      const record: JournalRecord = { v: recordVersion, w: this.writer, n, h: this.clock.next(), ...taken };
      apply(this.db, [{ record, place: { segment: session, offset: n, length: 0 } }], session, n, this.erasure);
      own.records.set(n, record);
    } catch (cause) {
      // Without a disk the trouble lies in the facts, and would come again.
      throw new HistoryError('invalid', cause);
    }
    this.sessions.set(session, own);
    this.check.appended(session, facts);
    return () => this.onChange(changeBy(this.writer, session, facts));
  }

  recordsAt(session: SessionId, places: () => readonly Place[]): readonly JournalRecord[] {
    const records = this.sessions.get(session)?.records;
    return places().flatMap(({ offset }) => records?.get(offset) ?? []);
  }

  beginningOf(session: SessionId): JournalRecord | null {
    const begins = ({ facts }: JournalRecord) => facts.some(({ type }) => type === 'session');
    return [...(this.sessions.get(session)?.records.values() ?? [])].find(begins) ?? null;
  }

  /** No other window writes here. */
  catchUpOn(): boolean {
    return false;
  }

  /** The whole session, or these messages with all that was said of them. */
  erase(session: SessionId, messages: readonly MessageId[] | null): void {
    if (messages === null) {
      this.erasure.addSession(session);
      forgetSession(this.db, session);
      this.sessions.delete(session);
    } else {
      for (const message of messages) this.erasure.addMessage(session, message);
      forgetMessages(this.db, session, messages, this.erasure);
      const own = this.sessions.get(session);
      if (own) keepSurvivors(own, this.erasure);
    }
    this.check.forget(session);
    this.db.clean();
    this.onChange(changedAltogether(session));
  }
}

function keepSurvivors({ records, blobs }: SessionRecords, erasure: Erasure): void {
  const named = new Set<string>();
  for (const [n, record] of records) {
    const survivor = survivorOf(record, erasure);
    if (survivor) records.set(n, survivor);
    else records.delete(n);
    for (const { sha256 } of survivor?.blobs ?? []) named.add(sha256);
  }
  for (const sha256 of blobs.keys()) if (!named.has(sha256)) blobs.delete(sha256);
}

function keep(blobs: SessionRecords['blobs'], content: string | Uint8Array): BlobRef {
  const sha256 = createHash('sha256').update(content).digest('hex');
  // Bytes are the caller's, who may write others into them.
  blobs.set(sha256, typeof content === 'string' ? content : content.slice());
  return { sha256, size: Buffer.byteLength(content) };
}

function bytesOf(content: string | Uint8Array | undefined): Uint8Array<ArrayBuffer> | null {
  return content === undefined ? null : new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
}

function textOf(content: string | Uint8Array | undefined): string | null {
  return typeof content === 'string' ? content : ((content && Buffer.from(content).toString()) ?? null);
}
