// What waits in the queue of a session whose window is gone, with the content of long prompts and pictures.

import { writerOfQueue } from '../../core/conversation/storedQueue.ts';
import type { StoredQueued, StoredSession } from '../../core/history/history.ts';
import type { SqlDatabase } from '../../core/history/projection.ts';
import type { Json, SessionId } from '../../model/message.ts';
import type { QueuedValue } from '../../model/record.ts';
import type { BlobFiles } from './journal/blobFiles.ts';

type LeftQueue = Pick<StoredSession, 'queue' | 'queued'>;

/** Nothing where the window that kept it is alive: then it is that window's to send. `value` is that of `queue`. */
export function leftQueue(
  { db, blobs }: { readonly db: SqlDatabase; readonly blobs: BlobFiles },
  session: SessionId,
  value: Json,
  alive: ReadonlySet<string>,
): LeftQueue {
  const writer = writerOfQueue(value);
  if (writer === null || alive.has(writer)) return { queue: null, queued: [] };
  const rows = db.all(
    // The value of the row with the greatest clock, as SQLite has it.
    `SELECT of, source, value, max(h) AS last FROM field WHERE session = ?1 AND name = 'queued'
      GROUP BY of ORDER BY last`,
    [session],
  );
  const queued = rows.flatMap(({ of, source, value: kept }): readonly StoredQueued[] => {
    const { content, data } = (JSON.parse(String(kept)) as QueuedValue | null) ?? { content: null, data: [] };
    if (content === null) return [];
    return [
      {
        id: String(of),
        message: String(source),
        content: typeof content === 'string' ? content : blobs.text(session, content),
        data: data.map(bytes => ('sha256' in bytes ? blobs.read(session, bytes) : null)),
      },
    ];
  });
  return { queue: value, queued };
}
