// What waits in the queue of a session whose window is gone, with the content of long prompts and pictures.

import { writerOfQueue } from '../../../core/conversation/storedQueue.ts';
import type { StoredQueued, StoredSession } from '../../../core/history/history.ts';
import type { SqlDatabase } from './projection.ts';
import type { Json, SessionId } from '../../../model/message.ts';
import type { QueuedValue } from '../../../model/record.ts';
import { ownerOf } from '../../ids.ts';
import type { RecordStore } from './recordStore.ts';

type LeftQueue = Pick<StoredSession, 'queue' | 'queued'>;

/** Nothing where the window that kept it is alive: then it is that window's to send. `list` is the value of `queue`. */
export function leftQueue(
  { db, blobs, writer: window }: RecordStore,
  session: SessionId,
  list: Json,
  alive: ReadonlySet<string>,
): LeftQueue {
  const owner = ownerOf(window);
  const isLeft = (writer: string | null) => writer !== null && (writer === owner || !alive.has(writer));
  const listWriter = writerOfQueue(list);
  const rows = db.all(
    // The value of the row with the greatest clock, as SQLite has it.
    `SELECT of, source, value, max(h) AS last FROM field WHERE session = ?1 AND name = 'queued'
      GROUP BY of ORDER BY last`,
    [session],
  );
  const queued = rows.flatMap(({ of, source, value: kept }): readonly StoredQueued[] => {
    const value = JSON.parse(String(kept)) as QueuedValue | null;
    if (value === null || !isLeft(value.writer ?? listWriter) || isMessage(db, String(source))) return [];
    const { content, data, position = null } = value;
    return [
      {
        field: String(of),
        message: String(source),
        position,
        content: typeof content === 'string' ? content : blobs.text(session, content),
        data: data.map(bytes => ('sha256' in bytes ? blobs.read(session, bytes) : null)),
      },
    ];
  });
  const isListLeft = listWriter !== null && !alive.has(listWriter);
  return { queue: isListLeft ? list : null, queued };
}

/** It was sent, by whichever window, though one that was away meanwhile may have said again that it waits. */
function isMessage(db: SqlDatabase, id: string): boolean {
  return db.all('SELECT 1 FROM message WHERE id = ?1', [id]).length > 0;
}
