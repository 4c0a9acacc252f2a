// Whether two indexes say the same of a session. Each table is put into one text inside SQLite, which is many times
// faster than its rows. Promises: it changes neither. Where a record stands in several files, an index may name any of
// them, if the record is there.

import type { SqlDatabase } from '../index/projection.ts';
import type { Place } from '../journal/recordPlace.ts';
import type { SessionId } from '../../../model/message.ts';
import { readPlaces } from '../journal/segmentReader.ts';

const tables = ['session', 'field', 'usage', 'message'];
/** Of `piece`, where its record is. */
const place = ['segment', 'offset', 'length'];

/** `one` is checked, `other` was made from the files of the journal. */
export function sayTheSame(one: SqlDatabase, other: SqlDatabase, session: SessionId, journal: string): boolean {
  const isSame = (table: string, left: readonly string[]) =>
    textOf(one, table, session, left) === textOf(other, table, session, left);
  if (!tables.every(table => isSame(table, []))) return false;
  return isSame('piece', []) || (isSame('piece', place) && arePlacesRight(one, other, session, journal));
}

function arePlacesRight(one: SqlDatabase, other: SqlDatabase, session: SessionId, journal: string): boolean {
  const [named, best] = [piecesOf(one, session), piecesOf(other, session)];
  return named.every((piece, at) => {
    const same = best[at];
    if (same?.segment === piece.segment && same.offset === piece.offset && same.length === piece.length) return true;
    return readPlaces(journal, [piece]).records[0]?.h === piece.h;
  });
}

function piecesOf(db: SqlDatabase, session: SessionId): readonly (Place & { readonly h: string })[] {
  const rows = db.all('SELECT h, segment, offset, length FROM piece WHERE session = ?1 ORDER BY session, message, h', [
    session,
  ]);
  return rows.map(row => ({
    h: String(row['h']),
    segment: String(row['segment']),
    offset: Number(row['offset']),
    length: Number(row['length']),
  }));
}

/** All columns of the session's rows but those that are left out. */
function textOf(db: SqlDatabase, table: string, session: SessionId, left: readonly string[]): string {
  const columns = db.all(`SELECT name, pk FROM pragma_table_info('${table}')`, []);
  // `quote` gives a value with its type, and no NUL, which would end the text for its reader.
  const row = columns.filter(({ name }) => !left.includes(String(name))).map(({ name }) => `quote("${name}")`);
  const key = columns.filter(({ pk }) => pk !== 0).map(({ name }) => `"${name}"`);
  const owner = table === 'session' ? 'id' : 'session';
  const sql = `SELECT group_concat(row, char(10)) AS text FROM
    (SELECT ${row.join(` || ' ' || `)} AS row FROM ${table} WHERE ${owner} = ?1 ORDER BY ${key.join(', ')})`;
  return String(db.all(sql, [session])[0]?.['text'] ?? '');
}
