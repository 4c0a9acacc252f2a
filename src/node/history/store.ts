// The history of one folder in one process: journal first, index after. It runs in the worker and is synchronous, so
// that one request is done before the next begins. Promises: `append` is durable when it returns, and only then
// applied; everything in the index can be made again from the journal; what other processes append, join or erase is
// applied when `intake` is told of their file. Reading is in `intake.ts`, what is asked of the index in `index/`;
// deleting permanently and joining are in `erasing.ts`.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { claimsIn, type AgentSessionClaim } from '../../core/conversation/agentSessionClaims.ts';
import { longestInline, mayNeedBlobs, takeOut } from '../../core/history/blobs.ts';
import { createEncoder, type Encode } from '../../core/history/codec.ts';
import { HybridClock, timeOf } from '../../core/history/clock.ts';
import { Erasure } from '../../core/history/erasure.ts';
import { changedAltogether } from '../../core/history/historyChange.ts';
import { HistoryError, historyErrorIn, historyErrorOf } from '../../core/history/historyError.ts';
import { forgetMessages, forgetSession, schema } from './index/projection.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { BlobRef, SessionId } from '../../model/message.ts';
import type { BlobPlace, Fact, JournalRecord } from '../../model/record.ts';
import { AppendCheck } from './appendCheck.ts';
import { BlobFiles } from './journal/blobFiles.ts';
import { Intake, type Recovery } from './intake.ts';
import type { Place, PlacedRecord } from './journal/recordPlace.ts';
import { isMissing, sessionSegments } from './journal/segmentName.ts';
import { beginningOf, readFrom, readPlaces } from './journal/segmentReader.ts';
import { SegmentWriter } from './journal/segmentWriter.ts';
import type { RecordStore } from './index/recordStore.ts';
import { dropSnapshots, newestSnapshot, writeSnapshot } from './index/snapshot.ts';
import type { MemoryDatabase, OpenDatabase } from './index/sqlite.ts';
import { Tombstones, type Tombstone } from './journal/tombstones.ts';

/** The coarsest time of a file that file systems have, in milliseconds. */
const coarsestTime = 2000;
/** As many descriptors are kept open for writing; a session that goes on after that is opened again. */
const mostOpen = 32;

export class Store implements RecordStore {
  readonly folder: string;
  readonly journal: string;
  readonly recovery: Recovery;
  readonly erasure = new Erasure();
  readonly tombstones: Tombstones;
  readonly blobs: BlobFiles;
  readonly db: MemoryDatabase;
  readonly writer: string;
  readonly encode: Encode = createEncoder(crc32);
  readonly intake: Intake;
  /** The size of the last snapshot. */
  snapshotSize = 0;
  /** Something was erased since the last snapshot: no copy of it may be in the next. */
  private mustClean = false;
  private readonly writers = new Map<SessionId, SegmentWriter>();
  private readonly clock: HybridClock;
  private readonly check: AppendCheck;
  private readonly openDatabase: OpenDatabase;

  constructor(folder: string, writer: string, openDatabase: OpenDatabase, now: () => number) {
    this.folder = folder;
    this.writer = writer;
    this.openDatabase = openDatabase;
    this.clock = new HybridClock(writer, now);
    this.journal = join(folder, 'journal');
    this.tombstones = new Tombstones(folder, writer);
    this.blobs = new BlobFiles(folder, writer);
    try {
      mkdirSync(this.journal, { recursive: true, mode: 0o700 });
      for (const tombstone of this.tombstones.news()) this.learn(tombstone);
      const snapshot = newestSnapshot(folder, openDatabase, this.tombstones.known);
      this.db = snapshot?.db ?? openDatabase();
      if (snapshot) {
        this.clock.see(snapshot.clock);
        this.snapshotSize = snapshot.size;
      } else this.db.exec(schema);
      this.check = new AppendCheck(this.db, this.erasure);
      for (const name of this.tombstones.known) this.db.run('INSERT OR IGNORE INTO erased VALUES(?1)', [name]);
      this.intake = new Intake(this.journal, this.db, this.erasure, this.clock, now);
      this.recovery = this.intake.recover(snapshot !== null);
      // What was erased while the journal was read.
      this.learnErasures();
    } catch (cause) {
      throw historyErrorOf(cause);
    }
  }

  /**
   * Returns what is left to do once the record is acknowledged. `number` stands in the record, so that `hasAppend` finds
   * it when the acknowledgement was lost.
   */
  append(session: SessionId, facts: readonly Fact[], number?: number): () => void {
    // Who comes here with one has taken the wrong history: nothing of it may be written.
    if (isIncognito(session))
      throw new HistoryError('invalid', new Error('An incognito session is never written to the disk.'));
    // Another window may have sent the prompt that waited, or gone on with the agent session, and nothing was read of it.
    const claims = claimsIn(facts);
    if (facts.some(isDequeued) || claims.length > 0) this.intake.catchUpOnOthers(session);
    if (this.intake.foreign.delete(session)) this.check.forget(session);
    this.mustAllow(session, facts, claims);
    let segments = this.writers.get(session);
    if (segments) this.writers.delete(session);
    else segments = new SegmentWriter(this.journal, session, this.writer, this.encode);
    // The last one in the map is the one that was used last.
    this.writers.set(session, segments);
    const appended = this.write(session, segments, facts, number);
    this.check.appended(session, facts);
    const { segment, offset, length } = appended.place;
    return () => {
      this.restOthers();
      this.intake.applyAll([appended], segment, offset + length);
    };
  }

  /**
   * Throws HistoryError. Nothing is said to be missing before everything that is there was read, and after it what is
   * erased: a tombstone is older than the gap that it explains. What can't be read now may be tried again.
   */
  private mustAllow(session: SessionId, facts: readonly Fact[], claims: readonly AgentSessionClaim[]): void {
    try {
      this.check.mayAppend(session, facts, claims);
    } catch (cause) {
      if (!isMissingThere(cause) || this.erasure.hasSession(session)) throw cause;
      const { trouble } = this.intake.reindex(session);
      this.learnErasures();
      try {
        this.check.mayAppend(session, facts, claims);
      } catch (again) {
        throw trouble && isMissingThere(again) ? trouble : again;
      }
    }
  }

  /**
   * Whether one of these writers wrote the append with this number before it ended without an answer. What is found is on
   * the disk.
   */
  hasAppend(session: SessionId, number: number, writers: readonly string[]): boolean {
    const isIt = ({ record }: PlacedRecord) => record.a === number && writers.includes(record.w);
    const all = new Set(sessionSegments(this.journal, session));
    // Iterating a Set also visits entries added during the loop.
    for (const segment of all) {
      try {
        for (let position = 0, more = true; more;) {
          const found = readFrom(this.journal, segment, position, true);
          if (found.records.some(isIt)) return true;
          ({ position, more } = found);
        }
      } catch (cause) {
        if (!isMissing(cause)) throw historyErrorOf(cause);
        // Another window joined it with others meanwhile: the records are in a file that is new.
        for (const other of sessionSegments(this.journal, session)) all.add(other);
      }
    }
    return false;
  }

  recordsAt(session: SessionId, places: () => readonly Place[]): readonly JournalRecord[] {
    let found = readPlaces(this.journal, places());
    if (found.misplaced.size > 0) {
      // It was joined with others: the session is read again, once.
      this.intake.reindex(session);
      found = readPlaces(this.journal, places());
    }
    return found.records;
  }

  beginningOf(session: SessionId): JournalRecord | null {
    return beginningOf(this.journal, session);
  }

  catchUpOn(session: SessionId): boolean {
    return this.intake.catchUpOn(session);
  }

  /** Where the clock is: whatever is written from here on sorts after it. */
  get latestTick(): string {
    return this.clock.latest;
  }

  /** The sessions of which something was written or erased after that tick. A few others may be among them. */
  changedSince(tick: string): readonly SessionId[] {
    const rows = this.db.all(
      `SELECT session FROM piece WHERE h > ?1 UNION SELECT session FROM field WHERE h > ?1
        UNION SELECT id FROM session WHERE created_h > ?1`,
      [tick],
    );
    const erased = this.tombstones.writtenSince((timeOf(tick) ?? 0) - coarsestTime);
    return [...new Set([...rows.map(row => String(row['session'])), ...erased])];
  }

  /** What other windows erased. Gives the sessions that changed by it. */
  learnErasures(): readonly SessionId[] {
    const changed = this.tombstones.news().map(tombstone => {
      this.learn(tombstone);
      this.forget(tombstone);
      return tombstone.session;
    });
    for (const session of changed) this.intake.changes.add(changedAltogether(session));
    return changed;
  }

  /** The next record of the session goes to a new segment. Gives a number that no file of this writer has. */
  nextSegment(session: SessionId): number {
    let segments = this.writers.get(session);
    if (!segments) {
      segments = new SegmentWriter(this.journal, session, this.writer, this.encode);
      this.writers.set(session, segments);
    }
    return segments.next();
  }

  /** The index as a file, so that the next opening reads only what came after. */
  snapshot(): void {
    this.learnErasures();
    if (this.mustClean) this.db.clean();
    this.mustClean = false;
    const bytes = this.db.bytes();
    const name = writeSnapshot(this.folder, this.clock.next(), bytes);
    this.snapshotSize = bytes.length;
    this.intake.forgetUnsnapshot();
    // Another window erased something while this was written: it may be in it.
    if (this.learnErasures().length > 0) rmSync(join(this.folder, name), { force: true });
  }

  close(): void {
    for (const segments of this.writers.values()) segments.rest();
    this.writers.clear();
    this.db.close();
  }

  /** The next tick of the clock, for records that are written elsewhere. */
  tick(): string {
    return this.clock.next();
  }

  /** A database of its own, for another index. */
  newDatabase(bytes?: Uint8Array): MemoryDatabase {
    return this.openDatabase(bytes);
  }

  /** Makes all rows again from the journal alone. */
  rebuild(): void {
    for (const session of this.intake.sessions()) this.intake.reindex(session);
  }

  /** The index forgets what a tombstone names. Its files are for who erases. */
  forget({ name, session, messages }: Tombstone): void {
    if (messages === null) {
      forgetSession(this.db, session);
      this.writers.get(session)?.rest();
      this.writers.delete(session);
      this.intake.forget(session);
    } else forgetMessages(this.db, session, messages, this.erasure);
    this.check.forget(session);
    this.db.run('INSERT OR IGNORE INTO erased VALUES(?1)', [name]);
    dropSnapshots(this.folder);
    this.mustClean = true;
    // Of a branch, whoever meets something that is left of it cleans up: not every window that learns of it.
    if (messages === null) this.intake.unclean.add(session);
    // The snapshots are gone: it is time for one as soon as it is quiet.
    this.snapshotSize = 0;
    this.intake.unsnapshot.records = Math.max(this.intake.unsnapshot.records, 200);
  }

  private learn({ session, messages }: Tombstone): void {
    if (messages === null) this.erasure.addSession(session);
    else for (const message of messages) this.erasure.addMessage(session, message);
  }

  private permit(session: SessionId, facts: readonly Fact[]): void {
    this.learnErasures();
    if (this.erasure.hasSession(session) || facts.some(fact => this.erasure.covers(fact))) {
      throw new HistoryError('erased');
    }
  }

  private write(session: SessionId, segments: SegmentWriter, facts: readonly Fact[], number?: number): PlacedRecord {
    const permit = () => this.permit(session, facts);
    let taken: Taken | null = null;
    try {
      // Looking for long texts costs more than it takes to see that the whole is short.
      if (!mayNeedBlobs(facts)) {
        const short = segments.append(facts, [], this.clock.next(), permit, longestInline, number);
        if (short) return short;
      }
      taken = this.takeOut(session, facts);
      const appended = segments.append(taken.facts, taken.blobs, this.clock.next(), permit, Infinity, number);
      taken.secure();
      // Without a limit there always is one.
      return appended as PlacedRecord;
    } catch (cause) {
      // Otherwise the record may stand whole where it failed, and come back with its disk: then it names these files.
      if (cause instanceof HistoryError && cause.code === 'erased') taken?.undo();
      else this.check.attempted(facts);
      throw cause;
    }
  }

  private takeOut(session: SessionId, facts: readonly Fact[]): Taken {
    const contents: (string | Uint8Array)[] = [];
    const made: BlobRef[] = [];
    const undo = () => made.forEach(ref => this.blobs.remove(session, ref));
    try {
      const taken = takeOut(facts, content => {
        const { ref, isNew } = this.blobs.keep(session, content);
        contents.push(content);
        if (isNew) made.push(ref);
        return ref;
      });
      // Who erased the same content a moment ago may have taken the file that was found to be there.
      return { ...taken, undo, secure: () => contents.forEach(content => this.blobs.keep(session, content)) };
    } catch (cause) {
      undo();
      // What is no trouble of the disk lies in the facts, and would fail again.
      throw isOfSystem(cause) ? historyErrorOf(cause) : new HistoryError('invalid', cause);
    }
  }

  /** The one that has just left the row of the last used; those before it rest already. */
  private restOthers(): void {
    if (this.writers.size > mostOpen) [...this.writers.values()].at(-mostOpen - 1)?.rest();
  }
}

function isMissingThere(cause: unknown): boolean {
  const code = historyErrorIn(cause)?.code;
  return code === 'no-message' || code === 'no-parent' || code === 'no-session';
}

function isDequeued(fact: Fact): boolean {
  // The list of an older version is emptied with the first of it that is sent.
  return fact.type === 'set' && ((fact.name === 'queued' && fact.value === null) || fact.name === 'queue');
}

function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause;
}

interface Taken {
  readonly facts: readonly Fact[];
  readonly blobs: readonly BlobPlace[];
  /** Makes sure, after the record is there, that the files are. */
  readonly secure: () => void;
  /** Removes the files that were made for a record that may not be written. */
  readonly undo: () => void;
}
