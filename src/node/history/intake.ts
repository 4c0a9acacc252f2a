// Takes records from the journal's files into the index: all of them when a history is opened, what is new when somebody
// tells of a file, and a session again when its files are not what they were. Promises: each record is applied with the
// position behind it, in one transaction; a foreign record is on the disk before it is believed; a file that cannot be
// read now takes nothing away from what is known of it. What is new is in `changes` until somebody takes it.

import { accessSync, constants, statSync } from 'node:fs';
import type { HybridClock } from '../../core/history/clock.ts';
import type { Erasure } from '../../core/history/erasure.ts';
import { historyErrorOf, type HistoryError } from '../../core/history/historyError.ts';
import { ChangeLog, changeBy, changedAltogether } from '../../core/history/historyChange.ts';
import { apply, forgetSession } from './index/projection.ts';
import type { SessionId } from '../../model/message.ts';
import { systemCodeOf } from '../atomicWrite.ts';
import { ownerOf } from '../ids.ts';
import { JournalListing } from './journal/journalListing.ts';
import type { Place, PlacedRecord } from './journal/recordPlace.ts';
import { isMissing, parseSegmentName, segmentsIn, sessionSegments, withFile } from './journal/segmentName.ts';
import { readFrom, type NewRecords } from './journal/segmentReader.ts';
import type { MemoryDatabase } from './index/sqlite.ts';

/** What opening found. */
export interface Recovery {
  readonly segments: number;
  /** Records that were not in the snapshot. */
  readonly records: number;
  readonly fromSnapshot: boolean;
  readonly newer: number;
  readonly bad: readonly Place[];
  readonly tails: readonly Place[];
  /** Segments that are there and could not be read. */
  readonly unreadable: readonly string[];
}

export interface Reindexed {
  /** The rows were made again. */
  readonly changed: boolean;
  /** Why something may be missing that is in the journal. */
  readonly trouble: HistoryError | null;
}

/** As often is a session listed again whose files go while they are read. */
const mostTries = 5;

export class Intake {
  /** What was applied since the last snapshot, and would have to be read again: in records and in bytes. */
  readonly unsnapshot = { records: 0, bytes: 0 };
  readonly changes = new ChangeLog();
  /** Sessions in whose files something erased was met: an eraser was killed, or a window wrote meanwhile. */
  readonly unclean = new Set<SessionId>();
  /** Sessions of which something was applied that another process wrote, for whoever remembers what this one wrote. */
  readonly foreign = new Set<SessionId>();
  private readonly positions = new Map<string, number>();
  /** While opening: the segments in which the snapshot is as far as the file. */
  private readonly unchanged = new Set<string>();
  private readonly journal: string;
  private readonly db: MemoryDatabase;
  private readonly erasure: Erasure;
  private readonly clock: HybridClock;
  private readonly listing: JournalListing;

  constructor(journal: string, db: MemoryDatabase, erasure: Erasure, clock: HybridClock, now: () => number) {
    this.journal = journal;
    this.listing = new JournalListing(journal, now);
    this.db = db;
    this.erasure = erasure;
    this.clock = clock;
  }

  /** Reads what is there, beyond what the snapshot knows. */
  recover(fromSnapshot: boolean): Recovery {
    const segments = segmentsIn(this.journal);
    if (fromSnapshot) this.fit(new Set(segments));
    const total = { records: 0, newer: 0, bad: [] as Place[], tails: [] as Place[], unreadable: [] as string[] };
    const all = new Set(segments);
    // A set is walked into what is added to it meanwhile.
    for (const segment of all) {
      if (this.unchanged.has(segment)) continue;
      const session = parseSegmentName(segment)?.session ?? '';
      if (this.erasure.hasSession(session)) {
        this.unclean.add(session);
        continue;
      }
      let found: ReturnType<Intake['read']>;
      try {
        found = this.read(segment, false);
      } catch (cause) {
        // Gone since the folder was listed: what it held is in another, which is new. One that cannot be read must not
        // hide the others.
        if (!isMissing(cause)) total.unreadable.push(segment);
        else for (const other of segmentsIn(this.journal)) all.add(other);
        continue;
      }
      total.records += found.records;
      total.newer += found.newer;
      total.bad.push(...found.bad);
      if (found.tail) total.tails.push(found.tail);
    }
    this.unchanged.clear();
    // Whoever opens the history has seen nothing of it yet.
    this.changes.take();
    this.foreign.clear();
    return { ...total, segments: segments.length, fromSnapshot };
  }

  /** Reads on in a segment of another process. True where there was something new. */
  catchUp(segment: string): boolean {
    try {
      return this.read(segment, true).records > 0;
    } catch {
      return this.isGone(segment) && this.positions.has(segment) && this.reindexOf(segment);
    }
  }

  /** Reads on in all files of a session. True where there was something new. */
  catchUpOn(session: SessionId): boolean {
    const segments = this.readable(session);
    return Array.isArray(segments) && segments.filter(segment => this.catchUp(segment)).length > 0;
  }

  /**
   * The same without the files that only this process writes: what is in them is known, and a sync costs. Where the folder
   * can't be read, what is known stays, and whoever writes is told.
   */
  catchUpOnOthers(session: SessionId): void {
    try {
      for (const segment of this.listing.ofSession(session)) if (!this.isOwn(segment)) this.catchUp(segment);
    } catch (cause) {
      if (systemCodeOf(cause) === '') throw cause;
    }
  }

  /** Only this process ever wrote to it. */
  private isOwn(segment: string): boolean {
    const { writer, joined } = parseSegmentName(segment) ?? {};
    return writer === this.clock.writer && !joined;
  }

  /** Makes the rows of a session again from all its files; where those cannot be read now, the rows stay. */
  reindex(session: SessionId): Reindexed {
    for (let tries = 1; ; tries++) {
      const segments = this.readable(session);
      if (!Array.isArray(segments)) return { changed: false, trouble: segments };
      forgetSession(this.db, session);
      this.forget(session);
      // Where one went while it was about to be read, what it held is in another, which came after the list was made.
      const gone = this.readAll(segments);
      if (!gone || tries === mostTries) return { changed: true, trouble: gone };
    }
  }

  /** Its files are not read any more, or from their beginning. */
  forget(session: SessionId): void {
    for (const segment of this.positions.keys()) {
      if (parseSegmentName(segment)?.session === session) this.positions.delete(segment);
    }
  }

  /** The segments that have been read. */
  segments(): Iterable<string> {
    return this.positions.keys();
  }

  forgetUnsnapshot(): void {
    Object.assign(this.unsnapshot, { records: 0, bytes: 0 });
  }

  /**
   * Sessions of which a file is gone, or shorter than the snapshot knows it, are made again. The files of those of which
   * a branch was erased are read, too: whoever wrote the snapshot may have been killed before they were cleaned.
   */
  private fit(segments: ReadonlySet<string>): void {
    const erased = this.db.all(`SELECT name FROM erased WHERE name LIKE '%~%'`, []);
    const again = new Set<string>(erased.map(({ name }) => String(name).split('~')[0] ?? ''));
    const changed = new Set<string>();
    const rows = this.db.all('SELECT segment, position FROM applied', []);
    for (const row of rows) {
      const segment = String(row['segment']);
      const position = Number(row['position']);
      const size = segments.has(segment) ? this.sizeOf(segment) : -1;
      if (size === position) this.unchanged.add(segment);
      this.positions.set(segment, position);
      if (size < position) changed.add(parseSegmentName(segment)?.session ?? '');
    }
    for (const session of changed) {
      forgetSession(this.db, session);
      again.add(session);
    }
    if (again.size === 0) return;
    for (const segment of this.positions.keys()) {
      if (!again.has(parseSegmentName(segment)?.session ?? '')) continue;
      this.positions.delete(segment);
      this.unchanged.delete(segment);
    }
  }

  /** The error where one is gone. */
  private readAll(segments: readonly string[]): HistoryError | null {
    let gone: HistoryError | null = null;
    for (const segment of segments) {
      try {
        this.read(segment, true);
      } catch (cause) {
        // Another trouble than that it went is its own: the others are still worth having.
        if (isMissing(cause)) gone = historyErrorOf(cause);
      }
    }
    return gone;
  }

  private read(segment: string, sync: boolean): Omit<NewRecords, 'records'> & { readonly records: number } {
    let records = 0;
    let newer = 0;
    const bad: Place[] = [];
    for (;;) {
      const found = readFrom(this.journal, segment, this.positions.get(segment) ?? 0, sync);
      // A segment that lost its name while it was read has gone elsewhere, and is read from there.
      if (sync) withFile(this.journal, segment, statSync);
      this.applyAll(found.records, segment, found.position);
      records += found.records.length;
      newer += found.newer;
      bad.push(...found.bad, ...found.unfit);
      if (!found.more) return { ...found, records, newer, bad };
    }
  }

  /** These have just been written or read; `position` is behind the last of them. */
  applyAll(records: readonly PlacedRecord[], segment: string, position: number): void {
    for (const { record } of records) this.clock.see(record.h);
    if (records.length > 0 && !this.isOwn(segment)) this.foreign.add(parseSegmentName(segment)?.session ?? '');
    if (records.length > 0) this.note(records, segment);
    if (position !== this.positions.get(segment)) this.apply(records, segment, position);
    this.positions.set(segment, position);
    this.unsnapshot.records += records.length;
    for (const { place } of records) this.unsnapshot.bytes += place.length;
    for (const { record } of records) {
      const erased = record.facts.find(fact => this.erasure.covers(fact));
      if (erased) this.unclean.add(erased.session);
    }
  }

  private note(records: readonly PlacedRecord[], segment: string): void {
    const { session, joined } = parseSegmentName(segment) ?? {};
    if (session === undefined) return;
    // Records that are copied are mostly no news, and which of them are would have to be looked up.
    if (joined) this.changes.add(changedAltogether(session));
    else for (const { record } of records) this.changes.add(changeBy(ownerOf(record.w), session, record.facts));
  }

  private apply(records: readonly PlacedRecord[], segment: string, position: number): void {
    try {
      apply(this.db, records, segment, position, this.erasure);
    } catch (cause) {
      // A whole record whose facts no version should have written must not hide the records around it.
      if (records.length === 1) apply(this.db, [], segment, position, this.erasure);
      else if (records.length > 1) for (const one of records) this.apply([one], segment, position);
      else throw cause;
    }
  }

  private sizeOf(segment: string): number {
    try {
      return withFile(this.journal, segment, file => statSync(file).size);
    } catch {
      return -1;
    }
  }

  private isGone(segment: string): boolean {
    return this.sizeOf(segment) < 0;
  }

  /** A segment that was read is gone: it was joined with others, or erased, or taken away. */
  private reindexOf(segment: string): boolean {
    const session = parseSegmentName(segment)?.session;
    if (session === undefined || !this.reindex(session).changed) return false;
    this.changes.add(changedAltogether(session));
    return true;
  }

  /** The segments of a session, or the error where one of them cannot be read for another reason than that it went. */
  private readable(session: SessionId): string[] | HistoryError {
    try {
      return sessionSegments(this.journal, session).filter(segment => {
        try {
          withFile(this.journal, segment, file => accessSync(file, constants.R_OK));
          return true;
        } catch (cause) {
          if (isMissing(cause)) return false;
          throw cause;
        }
      });
    } catch (cause) {
      // The folder is away or closed to us: what is known of it stays until it is back.
      return historyErrorOf(cause);
    }
  }

  /** Every session that has a file, or had one. */
  sessions(): ReadonlySet<SessionId> {
    const names = [...segmentsIn(this.journal), ...this.positions.keys()];
    return new Set(names.flatMap(name => parseSegmentName(name)?.session ?? []));
  }
}
