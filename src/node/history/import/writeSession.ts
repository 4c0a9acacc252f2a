// Many facts of one session into the journal at once. Promises: they are in a file of their own that gets its name when all
// of them are on the disk, and is then one of the journal's files in every window; before that, and after a stop or any
// error, nothing of them is there. What is long goes to files of its own, as everywhere. Only one batch of the facts is in
// memory at a time.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { takeOut, type KeepBlob } from '../../../core/history/blobs.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import type { BlobRef, SessionId } from '../../../model/message.ts';
import { recordVersion, type Fact, type JournalRecord } from '../../../model/record.ts';
import type { Store } from '../store.ts';
import { syncFolder } from '../../atomicWrite.ts';

/**
 * The facts, each batch for one record, the same each time that it is called. A message is read with all that stands in
 * its record, so a batch is short. Bytes are kept through `keep`.
 */
export type FactSource = (keep: KeepBlob) => AsyncIterable<readonly Fact[]>;

/** False where it was stopped. Throws what the disk says, what the source throws, and `erased`. */
export async function writeSession(
  store: Store,
  session: SessionId,
  source: FactSource,
  writer: string,
  signal: AbortSignal,
): Promise<boolean> {
  const segment = `${session}~${writer}.0.joined`;
  const file = join(store.journal, segment);
  const unfinished = `${file}.unfinished`;
  const made: BlobRef[] = [];
  const kept = new Map<string, BlobRef>();
  const keep: KeepBlob = content => {
    const { ref, isNew } = store.blobs.keep(session, content);
    kept.set(ref.sha256, ref);
    if (isNew) made.push(ref);
    return ref;
  };
  /** Without what they hold: whether something of them was erased is asked at the end, too. */
  const outlines: Fact[] = [];
  const fd = openSync(unfinished, 'wx', 0o600);
  let isPlaced = false;
  try {
    try {
      let n = 0;
      for await (const facts of source(keep)) {
        if (signal.aborted) return false;
        const taken = takeOut(facts, keep);
        const base: JournalRecord = { v: recordVersion, w: writer, n: n++, h: store.tick(), facts: taken.facts };
        write(fd, store.encode(taken.blobs.length > 0 ? { ...base, blobs: taken.blobs } : base));
        outlines.push(...facts.map(outlineOf));
        await nextTurn();
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    store.learnErasures();
    if (store.erasure.hasSession(session) || outlines.some(fact => store.erasure.covers(fact))) {
      throw new HistoryError('erased');
    }
    renameSync(unfinished, file);
    isPlaced = true;
    syncFolder(store.journal);
    // Who erased the same content a moment ago may have taken the file that was found to be there.
    if ([...kept.values()].some(ref => !store.blobs.has(session, ref)))
      for await (const facts of source(keep)) takeOut(facts, keep);
    store.intake.catchUp(segment);
    return true;
  } finally {
    if (!isPlaced) {
      rmSync(unfinished, { force: true });
      for (const ref of made) store.blobs.remove(session, ref);
    }
  }
}

function outlineOf(fact: Fact): Fact {
  switch (fact.type) {
    case 'message':
      return { ...fact, message: { ...fact.message, blocks: [] } };
    case 'block':
      return { ...fact, block: { kind: 'text', mime: '', text: '' } };
    case 'text':
      return { ...fact, text: '' };
    case 'set':
      return { ...fact, value: null };
    case 'session':
    case 'end':
      return fact;
  }
}

function write(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    const written = writeSync(fd, bytes, at);
    if (written === 0) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    at += written;
  }
}
