// The index: what is queried, in SQL, made from records and from nothing else. Promises: applying the same records in
// any order, any number of times, gives the same rows; what was set is the one with the latest clock; nothing of what
// was erased gets a row. The text of messages stays in the journal: `piece` says where, and the reader fetches it.

import type { MessageEnd, MessageId, Usage } from '../../../model/message.ts';
import type { Fact, MessageFact } from '../../../model/record.ts';
import type { Place, PlacedRecord } from '../journal/recordPlace.ts';
import type { Erasure } from '../../../core/history/erasure.ts';

/** What the projection asks of a database; `sqlite.ts` has the one of sql.js. */
export interface SqlDatabase {
  exec(sql: string): void;
  run(sql: string, values: readonly SqlValue[]): void;
  all(sql: string, values: readonly SqlValue[]): readonly SqlRow[];
}
export type SqlValue = string | number | null;
export type SqlRow = { readonly [column: string]: SqlValue };

/** To be counted up with every change of the schema or of what is put into it: older snapshots are then not used. */
export const indexVersion = 6;

/**
 * Keeps the counters of a session in step with the rows of its messages, so that listing sessions doesn't read messages:
 * `messages` are those of the conversation, `forks` those beside another response to the same message and those of
 * subagents. The row is in the table already, or not any more.
 */
function countMessage(row: 'NEW' | 'OLD', sign: '+' | '-'): string {
  return `
  UPDATE session SET messages = messages ${sign} (${row}.label IS NULL), forks = forks ${sign} (
      ${row}.label IS NOT NULL OR EXISTS(SELECT 1 FROM message
        WHERE session = ${row}.session AND parent IS ${row}.parent AND label IS NULL AND id <> ${row}.id))
    WHERE id = ${row}.session;`;
}

export const schema = `
CREATE TABLE session(
  id TEXT PRIMARY KEY, created INT, created_h TEXT NOT NULL DEFAULT '', active INT NOT NULL DEFAULT 0,
  agent TEXT, agent_name TEXT, cwd TEXT, key TEXT, generation INT, origin TEXT,
  messages INT NOT NULL DEFAULT 0, forks INT NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE field(
  session TEXT NOT NULL, name TEXT NOT NULL, of TEXT NOT NULL, source TEXT NOT NULL, value TEXT NOT NULL,
  h TEXT NOT NULL, PRIMARY KEY(session, name, of, source)
) WITHOUT ROWID;
CREATE TABLE message(
  id TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT, role TEXT NOT NULL, created INT NOT NULL, label TEXT,
  preview TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX message_parent ON message(session, parent, label);
CREATE TRIGGER message_added AFTER INSERT ON message BEGIN ${countMessage('NEW', '+')} END;
CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN ${countMessage('OLD', '-')} END;
CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
  ${countMessage('OLD', '-')} ${countMessage('NEW', '+')} END;
CREATE TABLE piece(
  session TEXT NOT NULL, message TEXT NOT NULL, h TEXT NOT NULL, segment TEXT NOT NULL, offset INT NOT NULL,
  length INT NOT NULL, closes INT NOT NULL, ended INT,
  PRIMARY KEY(session, message, h)
) WITHOUT ROWID;
CREATE TABLE usage(
  session TEXT NOT NULL, message TEXT NOT NULL, input INT NOT NULL, output INT NOT NULL, cost REAL, currency TEXT,
  PRIMARY KEY(session, message)
) WITHOUT ROWID;
CREATE TABLE applied(segment TEXT PRIMARY KEY, position INT NOT NULL) WITHOUT ROWID;
CREATE TABLE erased(name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** The rows of these records and the reader's new position in their segment stand together or not at all. */
export function apply(
  db: SqlDatabase,
  records: readonly PlacedRecord[],
  segment: string,
  position: number,
  erasure: Erasure,
): void {
  inTransaction(db, () => {
    for (const { record, place } of records) {
      for (const [at, fact] of record.facts.entries()) {
        if (typeof fact.session !== 'string' || isErased(db, fact, erasure)) continue;
        applyFact(db, fact, record.h, at, place);
      }
    }
    db.run(
      `INSERT INTO applied VALUES(?1, ?2)
        ON CONFLICT(segment) DO UPDATE SET position = max(position, excluded.position)`,
      [segment, position],
    );
  });
}

export function inTransaction(db: SqlDatabase, run: () => void): void {
  db.exec('BEGIN');
  try {
    run();
    db.exec('COMMIT');
  } catch (cause) {
    db.exec('ROLLBACK');
    throw cause;
  }
}

/** Takes the rows of a session out, so that it is gone or can be made again from its segments. */
export function forgetSession(db: SqlDatabase, session: string): void {
  for (const table of ['field', 'message', 'piece', 'usage']) {
    db.run(`DELETE FROM ${table} WHERE session = ?1`, [session]);
  }
  db.run('DELETE FROM session WHERE id = ?1', [session]);
  // The names of its segments begin with it, and `~` comes before the byte behind it.
  db.run('DELETE FROM applied WHERE segment >= ?1 AND segment < ?2', [`${session}~`, `${session}\u007f`]);
}

/**
 * Takes out these messages, all that answers them, and what was set because of them: of that, what was set before
 * counts again.
 */
export function forgetMessages(db: SqlDatabase, session: string, ids: readonly MessageId[], erasure: Erasure): void {
  const rows = db.all('SELECT id, parent FROM message WHERE session = ?1', [session]);
  const below = new Map<string, string[]>();
  for (const { id, parent } of rows) below.set(String(parent), [...(below.get(String(parent)) ?? []), String(id)]);
  const waiting = [...ids];
  const seen = new Set<string>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    erasure.addMessage(session, id);
    waiting.push(...(below.get(id) ?? []));
    db.run('DELETE FROM message WHERE id = ?1', [id]);
    db.run('DELETE FROM piece WHERE session = ?1 AND message = ?2', [session, id]);
    db.run('DELETE FROM usage WHERE session = ?1 AND message = ?2', [session, id]);
    db.run('DELETE FROM field WHERE session = ?1 AND (of = ?2 OR source = ?2)', [session, id]);
  }
  db.run(
    `UPDATE session SET active = max(
        coalesce((SELECT max(created) FROM message WHERE session = ?1), 0),
        coalesce((SELECT max(ended) FROM piece WHERE session = ?1), 0))
      WHERE id = ?1`,
    [session],
  );
  const rest = ['message', 'piece', 'field'].map(table => `NOT EXISTS(SELECT 1 FROM ${table} WHERE session = ?1)`);
  db.run(`DELETE FROM session WHERE id = ?1 AND created IS NULL AND ${rest.join(' AND ')}`, [session]);
}

function isErased(db: SqlDatabase, fact: Fact, erasure: Erasure): boolean {
  if (fact.type !== 'message') return erasure.covers(fact);
  const known = erasure.hasMessage(fact.message.id);
  const covered = erasure.covers(fact);
  // What answers it may have come before it.
  if (covered && !known && !erasure.hasSession(fact.session)) {
    forgetMessages(db, fact.session, [fact.message.id], erasure);
  }
  return covered;
}

function applyFact(db: SqlDatabase, fact: Fact, h: string, at: number, place: Place): void {
  switch (fact.type) {
    case 'session':
      know(db, fact.session);
      // Two windows may create the same session; the first by the clock is the one.
      db.run(
        `UPDATE session SET created = ?2, agent = ?3, agent_name = ?4, cwd = ?5, created_h = ?6, key = ?7,
            generation = ?8, origin = ?9
          WHERE id = ?1 AND (created_h = '' OR created_h > ?6)`,
        [
          fact.session,
          fact.created,
          fact.agent.id,
          fact.agent.name,
          fact.cwd ?? null,
          h,
          fact.key?.key ?? null,
          fact.key?.generation ?? null,
          fact.origin ?? null,
        ],
      );
      break;
    case 'set':
      know(db, fact.session);
      db.run(
        `INSERT INTO field VALUES(?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT(session, name, of, source) DO UPDATE SET value = ?5, h = ?6 WHERE h <= ?6`,
        // Of two in one record, the second one counts.
        [fact.session, fact.name, fact.of ?? '', fact.from ?? '', JSON.stringify(fact.value), `${h}.${position(at)}`],
      );
      break;
    case 'message':
      know(db, fact.session);
      applyMessage(db, fact, h, place);
      break;
    case 'end':
      know(db, fact.session);
      applyEnd(db, fact.session, fact.message, fact.end, h, place);
      break;
    case 'block':
    case 'text':
      know(db, fact.session);
      addPiece(db, fact.session, fact.message, h, place, null);
      break;
    default:
      // A fact of a later version stays in the journal; this version has no row for it.
      fact satisfies never;
  }
}

function position(at: number): string {
  return String(at).padStart(5, '0');
}

function know(db: SqlDatabase, session: string): void {
  db.run('INSERT OR IGNORE INTO session(id) VALUES(?1)', [session]);
}

const longestPreview = 120;

function applyMessage(db: SqlDatabase, { session, message }: MessageFact, h: string, place: Place): void {
  const { id, parent, role, created, label, blocks, end } = message;
  // Branches are called by what a person said; an answer would only make every snapshot longer.
  const text = role === 'assistant' ? '' : (blocks.find(block => block.kind === 'text')?.text ?? '');
  const preview = typeof text === 'string' ? text.slice(0, longestPreview * 2).replace(/\s+/g, ' ') : '';
  // It begins once, and a copy says the same. Should two differ, which only damage can do, the order in which they come
  // is not what decides.
  db.run(
    `INSERT INTO message VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT(id) DO UPDATE SET session = ?2, parent = ?3, role = ?4, created = ?5, label = ?6, preview = ?7
        WHERE (?5, ?2, coalesce(?3, ''), ?4, coalesce(?6, ''), ?7)
          < (created, session, coalesce(parent, ''), role, coalesce(label, ''), preview)`,
    [
      id,
      session,
      parent,
      role,
      created,
      label ?? null,
      // Half of a pair, where it was cut or came so, is no text for the database.
      preview
        .slice(0, longestPreview)
        .replace(/\p{Surrogate}/gu, '')
        .trim(),
    ],
  );
  wasActive(db, session, created);
  if (end) applyEnd(db, session, id, end, h, place);
  else addPiece(db, session, id, h, place, null);
}

function applyEnd(db: SqlDatabase, session: string, message: string, end: MessageEnd, h: string, place: Place): void {
  wasActive(db, session, end.at);
  addUsage(db, session, message, end.usage, h);
  addPiece(db, session, message, h, place, end.at);
}

/** The beginning of the session is not in it: of two, it is not known yet which one counts. */
function wasActive(db: SqlDatabase, session: string, at: number): void {
  db.run('UPDATE session SET active = ?2 WHERE id = ?1 AND active < ?2', [session, at]);
}

/** What the last end of the message says, by the clock: it may say nothing. */
function addUsage(db: SqlDatabase, session: string, message: string, usage: Usage | undefined, h: string): void {
  const isLast = 'NOT EXISTS(SELECT 1 FROM piece WHERE session = ?1 AND message = ?2 AND closes = 1 AND h > ?3)';
  if (!usage) {
    db.run(`DELETE FROM usage WHERE session = ?1 AND message = ?2 AND ${isLast}`, [session, message, h]);
    return;
  }
  const { inputTokens = 0, outputTokens = 0, cost } = usage;
  db.run(`INSERT OR REPLACE INTO usage SELECT ?1, ?2, ?4, ?5, ?6, ?7 WHERE ${isLast}`, [
    session,
    message,
    h,
    inputTokens,
    outputTokens,
    cost?.amount ?? null,
    cost?.currency ?? null,
  ]);
}

function addPiece(
  db: SqlDatabase,
  session: string,
  message: string,
  h: string,
  { segment, offset, length }: Place,
  ended: number | null,
): void {
  // A record that was appended again, or joined, stands in two files: the first place by name is the one. Facts of
  // one record may both begin the message and end it.
  db.run(
    `INSERT INTO piece VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7 IS NOT NULL, ?7)
      ON CONFLICT(session, message, h) DO UPDATE SET closes = max(closes, ?7 IS NOT NULL),
        ended = max(coalesce(ended, ?7), coalesce(?7, ended)),
        segment = iif((?4, ?5) < (segment, offset), ?4, segment),
        offset = iif((?4, ?5) < (segment, offset), ?5, offset),
        length = iif((?4, ?5) < (segment, offset), ?6, length)`,
    [session, message, h, segment, offset, length, ended],
  );
}
