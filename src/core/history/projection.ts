// The index: what is queried, in SQL, made from records and from nothing else. Promises: applying the same records in
// any order, any number of times, gives the same rows; a title, a flag or a head is the one with the latest clock.
// The text of messages stays in the journal: `piece` says where, and the reader fetches it from there.

import type { Fact, JournalRecord } from '../../model/record.ts';

/** What the projection asks of a database; sql.js stands behind it in `node/`. */
export interface SqlDatabase {
  exec(sql: string): void;
  run(sql: string, values: readonly SqlValue[]): void;
  all(sql: string, values: readonly SqlValue[]): readonly SqlRow[];
}
export type SqlValue = string | number | null;
export type SqlRow = { readonly [column: string]: SqlValue };

export interface Place {
  readonly segment: string;
  readonly offset: number;
  readonly length: number;
}

/** To be counted up with every change of the schema or of what is put into it: older snapshots are then not used. */
export const indexVersion = 2;

export const schema = `
CREATE TABLE session(
  id TEXT PRIMARY KEY, created INT, created_h TEXT NOT NULL DEFAULT '', active INT NOT NULL DEFAULT 0,
  agent TEXT, agent_name TEXT, cwd TEXT,
  title TEXT NOT NULL DEFAULT '', title_h TEXT NOT NULL DEFAULT '',
  trashed INT NOT NULL DEFAULT 0, trashed_h TEXT NOT NULL DEFAULT '',
  head TEXT, head_h TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE message(
  id TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT, role TEXT NOT NULL, created INT NOT NULL
) WITHOUT ROWID;
CREATE INDEX message_session ON message(session);
CREATE TABLE piece(
  session TEXT NOT NULL, message TEXT NOT NULL, h TEXT NOT NULL, segment TEXT NOT NULL, offset INT NOT NULL, length INT NOT NULL,
  PRIMARY KEY(session, message, h)
) WITHOUT ROWID;
CREATE TABLE applied(segment TEXT PRIMARY KEY, position INT NOT NULL) WITHOUT ROWID;
`;

export interface Applied {
  readonly record: JournalRecord;
  readonly place: Place;
}

/** The rows of these records and the reader's new position in their segment stand together or not at all. */
export function apply(db: SqlDatabase, records: readonly Applied[], segment: string, position: number): void {
  db.exec('BEGIN');
  try {
    for (const { record, place } of records) for (const fact of record.facts) applyFact(db, fact, record.h, place);
    db.run(
      `INSERT INTO applied VALUES(?1, ?2)
        ON CONFLICT(segment) DO UPDATE SET position = max(position, excluded.position)`,
      [segment, position],
    );
    db.exec('COMMIT');
  } catch (cause) {
    db.exec('ROLLBACK');
    throw cause;
  }
}

function applyFact(db: SqlDatabase, fact: Fact, h: string, place: Place): void {
  if (typeof fact.session !== 'string') return;
  db.run('INSERT OR IGNORE INTO session(id) VALUES(?1)', [fact.session]);
  switch (fact.type) {
    case 'session':
      // Two windows may create the same session; the first by the clock is the one.
      db.run(
        `UPDATE session SET created = ?2, agent = ?3, agent_name = ?4, cwd = ?5, created_h = ?6
          WHERE id = ?1 AND (created_h = '' OR created_h > ?6)`,
        [fact.session, fact.created, fact.agent.id, fact.agent.name, fact.cwd ?? null, h],
      );
      db.run('UPDATE session SET active = max(active, ?2) WHERE id = ?1', [fact.session, fact.created]);
      break;
    case 'title':
      db.run('UPDATE session SET title = ?2, title_h = ?3 WHERE id = ?1 AND title_h < ?3', [
        fact.session,
        fact.title,
        h,
      ]);
      break;
    case 'flag':
      db.run('UPDATE session SET trashed = ?2, trashed_h = ?3 WHERE id = ?1 AND trashed_h < ?3', [
        fact.session,
        fact.on ? 1 : 0,
        h,
      ]);
      break;
    case 'head':
      db.run('UPDATE session SET head = ?2, head_h = ?3 WHERE id = ?1 AND head_h < ?3', [fact.session, fact.head, h]);
      break;
    case 'message': {
      const { id, parent, role, created } = fact.message;
      db.run('INSERT OR IGNORE INTO message VALUES(?1, ?2, ?3, ?4, ?5)', [id, fact.session, parent, role, created]);
      db.run('UPDATE session SET active = max(active, ?2) WHERE id = ?1', [fact.session, created]);
      addPiece(db, fact.session, id, h, place);
      break;
    }
    case 'end':
      db.run('UPDATE session SET active = max(active, ?2) WHERE id = ?1', [fact.session, fact.end.at]);
      addPiece(db, fact.session, fact.message, h, place);
      break;
    case 'block':
    case 'text':
      addPiece(db, fact.session, fact.message, h, place);
      break;
    default:
      // A fact of a later version stays in the journal; this version has no row for it.
      fact satisfies never;
  }
}

function addPiece(
  db: SqlDatabase,
  session: string,
  message: string,
  h: string,
  { segment, offset, length }: Place,
): void {
  // A record that was appended again to the next segment stands in two: the first place by name is the one.
  db.run(
    `INSERT INTO piece VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT(session, message, h) DO UPDATE SET segment = ?4, offset = ?5, length = ?6
      WHERE (excluded.segment, excluded.offset) < (segment, offset)`,
    [session, message, h, segment, offset, length],
  );
}
