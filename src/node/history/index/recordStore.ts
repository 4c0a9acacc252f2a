// What is asked of a history is asked of this: an index and the records that it is of, on the disk or in memory.

import type { Erasure } from '../../../core/history/erasure.ts';
import type { SessionId } from '../../../model/message.ts';
import type { Fact, JournalRecord } from '../../../model/record.ts';
import type { BlobFiles } from '../journal/blobFiles.ts';
import type { Place } from '../journal/recordPlace.ts';
import type { SqlDatabase } from './projection.ts';

/** `Store` has the records on the disk, `MemoryStore` in memory. */
export interface RecordStore {
  readonly writer: string;
  readonly db: SqlDatabase;
  readonly erasure: Erasure;
  readonly blobs: Pick<BlobFiles, 'read' | 'text'>;
  /** Throws HistoryError where nothing was saved. Returns what is left to do once the record is acknowledged. */
  append(session: SessionId, facts: readonly Fact[]): () => void;
  /** The records at these places, in their order. `places` is asked again where a file of the session is not where it was. */
  recordsAt(session: SessionId, places: () => readonly Place[]): readonly JournalRecord[];
  /** The earliest record that begins the session. */
  beginningOf(session: SessionId): JournalRecord | null;
  /** Takes in what other windows wrote. True where there was something new. */
  catchUpOn(session: SessionId): boolean;
}
