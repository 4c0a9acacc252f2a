// Many facts of one session into the journal at once. Promises: they are in a file of their own that gets its name when all
// of them are on the disk, and is then one of the journal's files in every window; before that, and after a stop or any
// error, nothing of them is there. What is long goes to files of its own, as everywhere.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { takeOut } from '../../../core/history/blobs.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import type { BlobRef, SessionId } from '../../../model/message.ts';
import { recordVersion, type Fact, type JournalRecord } from '../../../model/record.ts';
import type { Store } from '../store.ts';
import { syncFolder } from '../syncFolder.ts';

/** A message is read with all that stands in its record. */
const factsInRecord = 16;

/** False where it was stopped. Throws what the disk says, and `erased`. */
export async function writeSession(
  store: Store,
  session: SessionId,
  facts: readonly Fact[],
  writer: string,
  signal: AbortSignal,
): Promise<boolean> {
  const segment = `${session}~${writer}.0.joined`;
  const file = join(store.journal, segment);
  const unfinished = `${file}.unfinished`;
  const made: BlobRef[] = [];
  const contents: (string | Uint8Array)[] = [];
  const keep = (content: string | Uint8Array): BlobRef => {
    const { ref, isNew } = store.blobs.keep(session, content);
    contents.push(content);
    if (isNew) made.push(ref);
    return ref;
  };
  const fd = openSync(unfinished, 'wx', 0o600);
  let isPlaced = false;
  try {
    try {
      for (let at = 0, n = 0; at < facts.length; at += factsInRecord, n++) {
        if (signal.aborted) return false;
        const taken = takeOut(facts.slice(at, at + factsInRecord), keep);
        const base: JournalRecord = { v: recordVersion, w: writer, n, h: store.tick(), facts: taken.facts };
        write(fd, store.encode(taken.blobs.length > 0 ? { ...base, blobs: taken.blobs } : base));
        await nextTurn();
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    store.learnErasures();
    if (store.erasure.hasSession(session) || facts.some(fact => store.erasure.covers(fact))) {
      throw new HistoryError('erased');
    }
    renameSync(unfinished, file);
    isPlaced = true;
    syncFolder(store.journal);
    // Who erased the same content a moment ago may have taken the file that was found to be there.
    for (const content of contents) store.blobs.keep(session, content);
    store.intake.catchUp(segment);
    return true;
  } finally {
    if (!isPlaced) {
      rmSync(unfinished, { force: true });
      for (const ref of made) store.blobs.remove(session, ref);
    }
  }
}

function write(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    const written = writeSync(fd, bytes, at);
    if (written === 0) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    at += written;
  }
}
