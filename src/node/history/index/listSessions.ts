// The list of sessions, and what finds one of them, from the index alone.

import type { SessionQuery, SessionSummary } from '../../../core/history/history.ts';
import { timeOf } from '../../../core/history/clock.ts';
import type { SessionId } from '../../../model/message.ts';
import type { SqlDatabase, SqlValue } from './projection.ts';
import { listedFields, summaryOf } from './sessionSummary.ts';

/** One of which the beginning was lost is there as long as anything that was said in it is. */
export const isThere = '(created IS NOT NULL OR EXISTS(SELECT 1 FROM message WHERE message.session = session.id))';

const sessionColumns = `
  SELECT id, created, agent, agent_name, cwd, max(active, coalesce(created, 0)) AS active, key, generation, origin,
    messages, forks
  FROM session WHERE ${isThere}`;

/** More are not asked for by name. */
const askedByName = 200;

export function listSessions(db: SqlDatabase, query: SessionQuery = {}): readonly SessionSummary[] {
  const { limit = -1, offset = 0, agent: only } = query;
  const narrowed: string[] = [];
  // Which agent is the last one is known when the rows are read: then the page is cut from them.
  const values: SqlValue[] = only === undefined ? [limit, offset] : [-1, 0];
  const field = (name: string, of: string, on: boolean) => {
    const last = `(SELECT value FROM field
      WHERE session = session.id AND name = '${name}' AND of = ?${values.push(of)} ORDER BY h DESC LIMIT 1)`;
    narrowed.push(`${last} IS ${on ? '' : 'NOT '}'true'`);
  };
  if (query.ids) narrowed.push(`id IN (${query.ids.map(id => `?${values.push(id)}`).join()})`);
  if (query.trashed !== undefined) field('trashed', '', query.trashed);
  if (query.archived !== undefined) field('archived', '', query.archived);
  if (query.label !== undefined) field('label', query.label, true);
  const where = narrowed.map(one => ` AND ${one}`).join('');
  const rows = db.all(`${sessionColumns}${where} ORDER BY active DESC, id LIMIT ?1 OFFSET ?2`, values);
  // Not in the query: there they would be made for every session before the page is cut.
  const fields = listedFields(db, rows.length > askedByName ? null : rows.map(({ id }) => String(id)));
  const summaries = rows.map(row => summaryOf(row, fields.get(String(row['id']))));
  if (only === undefined) return summaries;
  return summaries.filter(({ agent }) => agent.id === only).slice(offset, limit < 0 ? undefined : offset + limit);
}

export function findSession(db: SqlDatabase, session: SessionId): SessionSummary | undefined {
  const [row] = db.all(`${sessionColumns} AND id = ?1`, [session]);
  return row && summaryOf(row, listedFields(db, [session]).get(session));
}

export function findBoundSessions(db: SqlDatabase, agent: string): ReadonlyMap<string, SessionId> {
  // The value of the row with the greatest clock; where several are bound to one, the latest.
  const rows = db.all(
    `SELECT session, of, value, max(h) AS last FROM field WHERE name = 'binding' AND of >= ?1 AND of < ?2
      GROUP BY session, of ORDER BY last`,
    [`${agent}\n`, `${agent}\u000b`],
  );
  const live = rows.filter(({ value }) => value !== 'null');
  return new Map(live.map(({ session, of }) => [String(of).slice(agent.length + 1), String(session)]));
}

export function trashedSince(db: SqlDatabase): ReadonlyMap<SessionId, number> {
  // The value of the row with the greatest clock.
  const rows = db.all(
    "SELECT session, value, max(h) AS last FROM field WHERE name = 'trashed' AND of = '' GROUP BY session",
    [],
  );
  const trashed = rows.filter(({ value }) => value === 'true');
  return new Map(trashed.map(({ session, last }) => [String(session), timeOf(String(last)) ?? Infinity]));
}

/** The last session that was made for a key. */
export function lastOfKey(
  db: SqlDatabase,
  key: string,
): { readonly session: SessionId; readonly generation: number } | null {
  const [row] = db.all('SELECT id, generation FROM session WHERE key = ?1 ORDER BY generation DESC, id LIMIT 1', [key]);
  return row ? { session: String(row['id']), generation: Number(row['generation']) } : null;
}
