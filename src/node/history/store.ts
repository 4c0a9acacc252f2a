// The history of one folder in one process: journal first, index after. It runs in the worker and is synchronous, so
// that one request is done before the next begins. Promises: `append` is durable when it returns, and only then
// applied; everything that the index answers can be made again from the journal; what other processes append is
// applied when `catchUp` is told of their segment, and is on the disk before it is believed.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../../core/history/assemble.ts';
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
  /** Records applied since the last snapshot: what opening would have to read again. */
  unsnapshot = 0;
  private readonly folder: string;
  private readonly writers = new Map<SessionId, SegmentWriter>();
  private readonly positions = new Map<string, number>();
  private readonly clock: HybridClock;
  private readonly db: MemoryDatabase;
  private readonly writer: string;

  constructor(folder: string, writer: string, openDatabase: OpenDatabase, now: () => number) {
    this.folder = folder;
    this.writer = writer;
    this.clock = new HybridClock(writer, now);
    this.journal = join(folder, 'journal');
    try {
      mkdirSync(this.journal, { recursive: true, mode: 0o700 });
      const segments = readdirSync(this.journal).filter(name => parseSegmentName(name));
      const snapshot = newestSnapshot(folder, openDatabase);
      const fits = snapshot !== null && this.fits(snapshot, new Set(segments));
      if (snapshot && !fits) snapshot.close();
      this.db = fits ? snapshot : openDatabase();
      if (!fits) this.db.exec(schema);
      this.recovery = this.recover(segments, fits);
    } catch (cause) {
      throw historyErrorOf(cause);
    }
  }

  /** Returns what is left to do once the record is acknowledged. */
  append(session: SessionId, facts: readonly Fact[]): () => void {
    this.check(session, facts);
    let segments = this.writers.get(session);
    if (!segments) this.writers.set(session, (segments = new SegmentWriter(this.journal, session, this.writer)));
    const appended = segments.append(facts, this.clock.next());
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

  open(session: SessionId): StoredSession | undefined {
    const row = this.db.all(`${sessionColumns} AND id = ?1`, [session])[0];
    if (!row) return undefined;
    const head = row['head'] === null ? null : String(row['head']);
    const tree = this.db.all('SELECT id, parent, role, created FROM message WHERE session = ?1', [session]);
    const cwd = row['cwd'] ?? null;
    const rows = new Map(tree.map(one => [String(one['id']), one]));
    const ids = pathTo(tree as unknown as TreeRow[], head);
    const messages = this.messages(session, ids);
    const path = ids.map(id => messages.get(id) ?? unreadable(session, rows.get(id)));
    return { ...summaryOf(row), cwd: cwd === null ? null : String(cwd), head, path };
  }

  /** The segments that have been read. */
  segments(): Iterable<string> {
    return this.positions.keys();
  }

  /** The index as a file, so that the next opening reads only what came after. */
  snapshot(): void {
    writeSnapshot(this.folder, this.clock.next(), this.db.bytes());
    this.unsnapshot = 0;
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
      if (!segments.has(segment) || statSync(join(this.journal, segment)).size < position) return false;
      this.positions.set(segment, position);
    }
    const last = snapshot.all('SELECT max(h) AS h FROM piece', [])[0]?.['h'];
    if (typeof last === 'string') this.clock.see(last);
    return true;
  }

  private recover(segments: readonly string[], fromSnapshot: boolean): Recovery {
    if (!fromSnapshot) this.positions.clear();
    const total = { records: 0, newer: 0, bad: [] as Place[], tails: [] as Place[] };
    for (const segment of segments) {
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
    this.unsnapshot += records.length;
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
    let known = this.db.all('SELECT 1 FROM session WHERE id = ?1 AND created IS NOT NULL', [session]).length > 0;
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
