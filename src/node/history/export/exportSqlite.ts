// One plain SQLite file with everything inline, for other tools and as a backup. Promises: the file appears whole or not
// at all, and one that had its name stays until then; nothing is in it that was erased before it was written; appends go
// on between its turns. What is in the tables is said in `exportSchema.ts`.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import { inTransaction } from '../index/projection.ts';
import type { SessionId } from '../../../model/message.ts';
import { exportFormat, exportSchema } from './exportSchema.ts';
import { exportSession, forgetExported } from './exportSession.ts';
import { segmentsBySession } from '../check/examine.ts';
import type { MemoryDatabase } from '../index/sqlite.ts';
import type { Store } from '../store.ts';
import { writeAtomic } from '../../atomicWrite.ts';

/**
 * The file is made in memory, and there twice at its end: one of 1 GB takes the process 2.1 GB and makes appends wait for
 * a second, one of 1.9 GB takes 3.9 GB.
 */
const longestFile = 1_000_000_000;

export async function exportSqlite(store: Store, file: string, now: number): Promise<void> {
  try {
    const bytes = await exported(store, now);
    await writeAtomic(file, bytes);
  } catch (cause) {
    throw isTooMuch(cause) ? new HistoryError('export-too-large', cause) : historyErrorOf(cause);
  }
}

async function exported(store: Store, now: number): Promise<Uint8Array> {
  const db = store.newDatabase();
  try {
    db.exec(exportSchema);
    db.run('INSERT INTO about VALUES(?1, ?2)', [exportFormat, now]);
    const { known } = store.tombstones;
    let graves = known.size;
    const segments = segmentsBySession(store);
    const one = async (session: SessionId) => {
      for await (const step of exportSession(store, session, segments.get(session) ?? [])) {
        if (sizeOf(db) + step.bytes > longestFile) throw new HistoryError('export-too-large');
        inTransaction(db, () => step.write(db));
        await nextTurn();
      }
    };
    const sessions = store.db.all('SELECT id FROM session', []).map(row => String(row['id']));
    for (const session of sessions) await one(session);
    // What was erased meanwhile is in it already.
    while (known.size > graves) {
      const erased = new Set([...known].slice(graves).map(name => name.split('~')[0] ?? ''));
      graves = known.size;
      for (const session of erased) {
        inTransaction(db, () => forgetExported(db, session));
        await one(session);
      }
    }
    return db.bytes();
  } finally {
    close(db);
  }
}

function sizeOf(db: MemoryDatabase): number {
  const [row] = db.all('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size', []);
  return Number(row?.['bytes']);
}

/** What there is no memory for is said in many ways. */
function isTooMuch(cause: unknown): boolean {
  if (cause instanceof HistoryError) return false;
  return (
    cause instanceof RangeError ||
    (cause instanceof Error && /too big|out of memory|allocat|is full/i.test(cause.message))
  );
}

function close(db: MemoryDatabase): void {
  try {
    db.close();
  } catch {
    // Where there was no memory it is broken; why is thrown already.
  }
}
