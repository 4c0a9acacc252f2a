// What the index says of the messages of a session that the search has to know: which there are, and how far each is.

import type { SqlDatabase } from '../index/projection.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';

export interface MessageRow {
  readonly id: MessageId;
  readonly created: number;
  /** Of its last record. */
  readonly h: string;
  /** 1 where it ended. */
  readonly ended: number;
}

/** Oldest first. */
export function rowsOf(db: SqlDatabase, session: SessionId): readonly MessageRow[] {
  return db.all(
    `SELECT id, created, max(h) AS h, max(closes) AS ended
      FROM piece JOIN message ON message.id = piece.message AND message.session = piece.session
      WHERE piece.session = ?1 GROUP BY id ORDER BY created, id`,
    [session],
  ) as readonly unknown[] as readonly MessageRow[];
}

/** Says the same as long as nothing came to a session, and nothing went. */
export function stateOf(db: SqlDatabase, session: SessionId): string {
  const [row] = db.all('SELECT count(*) AS count, max(h) AS last FROM piece WHERE session = ?1', [session]);
  return `${row?.['count']} ${row?.['last']}`;
}
