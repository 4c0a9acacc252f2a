// The history of one folder in one process: journal first, index after. It runs in the worker and is synchronous, so
// that one request is done before the next begins. Promises: `append` is durable when it returns, and only then
// applied; everything that the index answers can be made again from the journal.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../../core/history/assemble.ts';
import { HybridClock } from '../../core/history/clock.ts';
import { HistoryError, historyErrorOf } from '../../core/history/historyError.ts';
import { apply, schema, type Place, type SqlDatabase, type SqlRow } from '../../core/history/projection.ts';
import { pathTo, type TreeRow } from '../../core/history/tree.ts';
import type { SessionSummary, StoredSession } from '../../core/ports.ts';
import type { Message, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { readAll, readPlaces, type Recovery } from './segmentReader.ts';
import { SegmentWriter } from './segmentWriter.ts';

const sessionColumns = `
  SELECT id, created, agent, agent_name, cwd, active, title, trashed, head,
    (SELECT count(*) FROM message WHERE message.session = session.id) AS messages
  FROM session WHERE created IS NOT NULL`;

export class Store {
  readonly recovery: Recovery;
  private readonly journal: string;
  private readonly writers = new Map<SessionId, SegmentWriter>();
  private readonly clock: HybridClock;
  private readonly db: SqlDatabase;
  private readonly writer: string;

  constructor(folder: string, writer: string, db: SqlDatabase, now: () => number) {
    this.writer = writer;
    this.db = db;
    this.clock = new HybridClock(writer, now);
    this.journal = join(folder, 'journal');
    try {
      mkdirSync(this.journal, { recursive: true, mode: 0o700 });
      db.exec(schema);
      this.recovery = readAll(this.journal, (record, place) => {
        this.clock.see(record.h);
        apply(db, record, place);
      });
    } catch (cause) {
      throw historyErrorOf(cause);
    }
  }

  /** Returns what is left to do once the record is acknowledged. */
  append(session: SessionId, facts: readonly Fact[]): () => void {
    this.check(session, facts);
    let segments = this.writers.get(session);
    if (!segments) this.writers.set(session, (segments = new SegmentWriter(this.journal, session, this.writer)));
    const { record, place } = segments.append(facts, this.clock.next());
    return () => apply(this.db, record, place);
  }

  sessions(): readonly SessionSummary[] {
    return this.db.all(`${sessionColumns} ORDER BY active DESC, id`, []).map(summaryOf);
  }

  open(session: SessionId): StoredSession | undefined {
    const row = this.db.all(`${sessionColumns} AND id = ?1`, [session])[0];
    if (!row) return undefined;
    const head = row['head'] === null ? null : String(row['head']);
    const tree = this.db.all('SELECT id, parent FROM message WHERE session = ?1', [session]) as unknown as TreeRow[];
    const cwd = row['cwd'] ?? null;
    return {
      ...summaryOf(row),
      cwd: cwd === null ? null : String(cwd),
      head,
      path: this.read(session, pathTo(tree, head)),
    };
  }

  close(): void {
    for (const segments of this.writers.values()) segments.close();
    this.writers.clear();
  }

  private read(session: SessionId, path: readonly string[]): readonly Message[] {
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
    const messages = assemble(readPlaces(this.journal, [...places.values()]).flatMap(record => record.facts));
    return path.flatMap(id => messages.get(id) ?? []);
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
      fresh.add(id);
    }
  }

  private has(session: SessionId, message: string): boolean {
    return this.db.all('SELECT 1 FROM message WHERE id = ?1 AND session = ?2', [message, session]).length > 0;
  }
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
