// The history of one folder in one process: journal first, index after. It runs in the worker and is synchronous, so
// that one request is done before the next begins. Promises: `append` is durable when it returns, and only then
// applied; everything that the index answers can be made again from the journal; what other processes append is
// applied when `catchUp` is told of their segment, and is on the disk before it is believed.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { assemble } from '../../core/history/assemble.ts';
import { createEncoder } from '../../core/history/codec.ts';
import { HybridClock } from '../../core/history/clock.ts';
import { HistoryError, historyErrorOf } from '../../core/history/historyError.ts';
import { apply, schema, type Applied, type Place, type SqlRow } from '../../core/history/projection.ts';
import { pathTo, type TreeRow } from '../../core/history/tree.ts';
import type { SessionSummary, StoredSession } from '../../core/ports.ts';
import type { Message, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { parseSegmentName, readFrom, readPlaces, type NewRecords } from './segmentReader.ts';
import { SegmentWriter } from './segmentWriter.ts';
import { newestSnapshot, writeSnapshot } from './snapshot.ts';
import type { MemoryDatabase, OpenDatabase } from './sqlite.ts';

/** What opening found. */
export interface Recovery {
  readonly segments: number;
  /** Records that were not in the snapshot. */
  readonly records: number;
  readonly fromSnapshot: boolean;
  readonly newer: number;
  readonly bad: readonly Place[];
  readonly tails: readonly Place[];
}

const sessionColumns = `
  SELECT id, created, agent, agent_name, cwd, active, title, trashed, head,
    (SELECT count(*) FROM message WHERE message.session = session.id) AS messages
  FROM session WHERE created IS NOT NULL`;

export class Store {
  readonly journal: string;
  readonly recovery: Recovery;
  /** What was applied since the last snapshot, and would have to be read again: in records and in bytes. */
  readonly unsnapshot = { records: 0, bytes: 0 };
  /** The size of the last snapshot. */
  snapshotSize = 0;
  private readonly folder: string;
  private readonly writers = new Map<SessionId, SegmentWriter>();
  /** The sessions to which this process has appended: they need not be looked up again. */
  private readonly written = new Set<SessionId>();
  private readonly positions = new Map<string, number>();
  /** While opening: the segments in which the snapshot is as far as the file. */
  private readonly unchanged = new Set<string>();
  private readonly clock: HybridClock;
  private readonly db: MemoryDatabase;
  private readonly writer: string;
  private readonly encode = createEncoder(crc32);

  constructor(folder: string, writer: string, openDatabase: OpenDatabase, now: () => number) {
    this.folder = folder;
    this.writer = writer;
    this.clock = new HybridClock(writer, now);
    this.journal = join(folder, 'journal');
    try {
      mkdirSync(this.journal, { recursive: true, mode: 0o700 });
      const segments = readdirSync(this.journal).filter(name => parseSegmentName(name));
      const snapshot = newestSnapshot(folder, openDatabase);
      const fits = snapshot !== null && this.fits(snapshot.db, new Set(segments));
      if (snapshot && !fits) snapshot.db.close();
      this.db = fits ? snapshot.db : openDatabase();
      if (fits) {
        this.clock.see(snapshot.clock);
        this.snapshotSize = snapshot.size;
      } else this.db.exec(schema);
      this.recovery = this.recover(segments, fits);
      this.unchanged.clear();
    } catch (cause) {
      throw historyErrorOf(cause);
    }
  }

  /** Returns what is left to do once the record is acknowledged. */
  append(session: SessionId, facts: readonly Fact[]): () => void {
    this.check(session, facts);
    let segments = this.writers.get(session);
    if (!segments) this.writers.set(session, (segments = this.segmentsOf(session)));
    const appended = segments.append(facts, this.clock.next());
    this.written.add(session);
    const { segment, offset, length } = appended.place;
    return () => this.applyAll([appended], segment, offset + length);
  }

  /** Reads on in a segment of another process. True where there was something new. */
  catchUp(segment: string): boolean {
    try {
      return this.read(segment, true).records > 0;
    } catch {
      // It went, or may not be read now; whoever told of it will tell again when it changes.
      return false;
    }
  }

  sessions(limit: number, offset: number): readonly SessionSummary[] {
    return this.db.all(`${sessionColumns} ORDER BY active DESC, id LIMIT ?1 OFFSET ?2`, [limit, offset]).map(summaryOf);
  }

  /** `alive` are the writers that gave a sign of life lately. */
  open(session: SessionId, alive: ReadonlySet<string> = new Set()): StoredSession | undefined {
    const row = this.db.all(`${sessionColumns} AND id = ?1`, [session])[0];
    if (!row) return undefined;
    const head = row['head'] === null ? null : String(row['head']);
    const tree = this.db.all('SELECT id, parent, role, created FROM message WHERE session = ?1', [session]);
    const cwd = row['cwd'] ?? null;
    const rows = new Map(tree.map(one => [String(one['id']), one]));
    const ids = pathTo(tree as unknown as TreeRow[], head);
    const messages = this.messages(session, ids);
    const path = ids.map(id => messages.get(id) ?? unreadable(session, rows.get(id)));
    const last = path.at(-1);
    const writing = last && !last.end && this.isWritten(session, last.id, alive) ? last.id : null;
    return { ...summaryOf(row), cwd: cwd === null ? null : String(cwd), head, path, writing };
  }

  /** The segments that have been read. */
  segments(): Iterable<string> {
    return this.positions.keys();
  }

  /** The index as a file, so that the next opening reads only what came after. */
  snapshot(): void {
    const bytes = this.db.bytes();
    writeSnapshot(this.folder, this.clock.next(), bytes);
    this.snapshotSize = bytes.length;
    this.forgetUnsnapshot();
  }

  forgetUnsnapshot(): void {
    Object.assign(this.unsnapshot, { records: 0, bytes: 0 });
  }

  close(): void {
    for (const segments of this.writers.values()) segments.close();
    this.writers.clear();
    this.db.close();
  }

  /** A snapshot is used only while every segment that it knows is still there, as long as it was. */
  private fits(snapshot: MemoryDatabase, segments: ReadonlySet<string>): boolean {
    for (const row of snapshot.all('SELECT segment, position FROM applied', [])) {
      const segment = String(row['segment']);
      const position = Number(row['position']);
      if (!segments.has(segment)) return false;
      const { size } = statSync(join(this.journal, segment));
      if (size < position) return false;
      if (size === position) this.unchanged.add(segment);
      this.positions.set(segment, position);
    }
    return true;
  }

  private recover(segments: readonly string[], fromSnapshot: boolean): Recovery {
    if (!fromSnapshot) {
      this.positions.clear();
      this.unchanged.clear();
    }
    const total = { records: 0, newer: 0, bad: [] as Place[], tails: [] as Place[] };
    for (const segment of segments) {
      if (this.unchanged.has(segment)) continue;
      const found = this.read(segment, false);
      total.records += found.records;
      total.newer += found.newer;
      total.bad.push(...found.bad);
      if (found.tail) total.tails.push(found.tail);
    }
    return { ...total, segments: segments.length, fromSnapshot };
  }

  private read(segment: string, sync: boolean): Omit<NewRecords, 'records'> & { readonly records: number } {
    let records = 0;
    let newer = 0;
    const bad: Place[] = [];
    for (;;) {
      const found = readFrom(this.journal, segment, this.positions.get(segment) ?? 0, sync);
      // A segment that lost its name while it was read has gone elsewhere, and is read from there.
      if (sync) statSync(join(this.journal, segment));
      this.applyAll(found.records, segment, found.position);
      records += found.records.length;
      newer += found.newer;
      bad.push(...found.bad);
      if (!found.more) return { ...found, records, newer, bad };
    }
  }

  private applyAll(records: readonly Applied[], segment: string, position: number): void {
    for (const { record } of records) this.clock.see(record.h);
    if (position !== this.positions.get(segment)) this.apply(records, segment, position);
    this.positions.set(segment, position);
    this.unsnapshot.records += records.length;
    for (const { place } of records) this.unsnapshot.bytes += place.length;
  }

  private segmentsOf(session: SessionId): SegmentWriter {
    return new SegmentWriter(this.journal, session, this.writer, this.encode);
  }

  /** Whether another process that is alive began this message. */
  private isWritten(session: SessionId, message: string, alive: ReadonlySet<string>): boolean {
    const rows = this.db.all('SELECT segment FROM piece WHERE session = ?1 AND message = ?2', [session, message]);
    const writers = rows.map(row => parseSegmentName(String(row['segment']))?.writer);
    return writers.some(writer => writer !== undefined && writer !== this.writer && alive.has(writer));
  }

  private apply(records: readonly Applied[], segment: string, position: number): void {
    try {
      apply(this.db, records, segment, position);
    } catch (cause) {
      // A whole record whose facts no version should have written must not hide the records around it.
      if (records.length === 1) apply(this.db, [], segment, position);
      else if (records.length > 1) for (const one of records) this.apply([one], segment, position);
      else throw cause;
    }
  }

  private messages(session: SessionId, path: readonly string[]): ReadonlyMap<string, Message> {
    const wanted = new Set(path);
    const rows = this.db.all('SELECT message, segment, offset, length FROM piece WHERE session = ?1 ORDER BY h', [
      session,
    ]);
    const places = new Map<string, Place>();
    for (const row of rows) {
      if (!wanted.has(String(row['message']))) continue;
      const place = { segment: String(row['segment']), offset: Number(row['offset']), length: Number(row['length']) };
      places.set(`${place.segment}:${place.offset}`, place);
    }
    return assemble(readPlaces(this.journal, [...places.values()]).flatMap(record => record.facts));
  }

  /** A fact about something that is neither in the index nor earlier in the same record is a mistake of the caller. */
  private check(session: SessionId, facts: readonly Fact[]): void {
    let known =
      this.written.has(session) ||
      this.db.all('SELECT 1 FROM session WHERE id = ?1 AND created IS NOT NULL', [session]).length > 0;
    const fresh = new Set<string>();
    for (const fact of facts) {
      if (fact.type === 'session') known = true;
      if (!known || fact.session !== session) throw new HistoryError('no-session');
      if (fact.type !== 'message') continue;
      const { id, parent } = fact.message;
      if (parent !== null && !fresh.has(parent) && !this.has(session, parent)) throw new HistoryError('no-parent');
      // It would be ignored, and the caller would take it for kept.
      if (fresh.has(id) || this.db.all('SELECT 1 FROM message WHERE id = ?1', [id]).length > 0) {
        throw new HistoryError('exists');
      }
      fresh.add(id);
    }
  }

  private has(session: SessionId, message: string): boolean {
    return this.db.all('SELECT 1 FROM message WHERE id = ?1 AND session = ?2', [message, session]).length > 0;
  }
}

/** A message whose records are gone from the disk: the index still knows that it was there, and where. */
function unreadable(session: SessionId, row: SqlRow | undefined): Message {
  const text = 'This message could not be read: its file is gone from the history folder.';
  return {
    id: String(row?.['id']),
    session,
    parent: row?.['parent'] == null ? null : String(row['parent']),
    role: row?.['role'] === 'user' ? 'user' : 'assistant',
    created: Number(row?.['created']),
    blocks: [{ kind: 'notice', mime: 'text/plain', severity: 'error', text }],
    end: { reason: 'failed', at: Number(row?.['created']) },
  };
}

function summaryOf(row: SqlRow): SessionSummary {
  return {
    id: String(row['id']),
    title: String(row['title']),
    agent: { id: String(row['agent']), name: String(row['agent_name']) },
    created: Number(row['created']),
    active: Number(row['active']),
    messages: Number(row['messages']),
    trashed: row['trashed'] === 1,
  };
}
