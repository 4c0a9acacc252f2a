// Searching everything, without an index: any text in prose, thoughts, tool input and output, and titles, read from the
// journal. It goes from the session that was active last to the oldest. Promises: one at a time, `busy` for another; it
// gives way to appends and other requests after each slice, and ends with the slice in which it is stopped; progress has
// the hits that are new since the last progress, the answer has all of them, the newest first, and at most so many;
// what is in the trash is left out, unless it is wanted. What was appended to a session after it was read is not found.

import { closeSync, openSync, readSync } from 'node:fs';
import { textsOf } from '../../../core/history/blockTexts.ts';
import { findCaseless } from '../../../core/history/caseless.ts';
import type { ScanProgress, SearchHit, SessionSummary } from '../../../core/history/history.ts';
import { fitsTime, type SearchFilter } from '../../../core/history/searchFilter.ts';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';
import type { ChangedSessions } from './changedSessions.ts';
import { blobsSize, segmentSizes, type SegmentSize } from './journalSizes.ts';
import { Needle } from './needle.ts';
import { listSessions } from '../index/listSessions.ts';
import { treeOf } from '../index/messageTree.ts';
import { readFound } from '../index/readMessages.ts';
import { ScanLines } from './scanLines.ts';
import { hitIn, hitInTitle, Places } from './searchHits.ts';
import { isMissing, withFile } from '../journal/segmentName.ts';
import { Slices } from './slices.ts';
import type { Store } from '../store.ts';

const mostHits = 500;
const tellEvery = 50;
const chunkLength = 1024 * 1024;
/** Messages that are read and looked through at once. */
const batch = 8;
/** Further behind the first hit of a text than a snippet is long, others show nowhere. */
const within = 400;

export class Scan {
  private running: Run | null = null;
  private readonly store: Store;
  private readonly changes: ChangedSessions;

  constructor(store: Store, changes: ChangedSessions) {
    this.store = store;
    this.changes = changes;
  }

  async start(
    text: string,
    onProgress: (progress: ScanProgress) => void,
    filter: SearchFilter = {},
  ): Promise<ScanProgress> {
    if (this.running) throw new HistoryError('busy');
    const places = new Places(this.store.db, filter, this.changes.now());
    this.running = new Run(this.store, places, new Needle(text), onProgress);
    try {
      return await this.running.run();
    } catch (cause) {
      throw historyErrorOf(cause);
    } finally {
      this.running = null;
    }
  }

  stop(): void {
    if (this.running) this.running.isStopped = true;
  }
}

class Run {
  isStopped = false;
  private readonly hits: SearchHit[] = [];
  private told = 0;
  private toldAt = performance.now();
  private bytesRead = 0;
  private bytes = 0;
  /** Used again for each piece: what is found in it is copied out of it before the next. */
  private buffer = Buffer.allocUnsafeSlow(chunkLength);
  private readonly slices = new Slices();
  private readonly store: Store;
  private readonly places: Places;
  private readonly needle: Needle;
  private readonly onProgress: (progress: ScanProgress) => void;

  constructor(store: Store, places: Places, needle: Needle, onProgress: (progress: ScanProgress) => void) {
    this.store = store;
    this.places = places;
    this.needle = needle;
    this.onProgress = onProgress;
  }

  async run(): Promise<ScanProgress> {
    const all = this.needle.text === '' ? [] : listSessions(this.store.db);
    const sessions = all.filter(summary => this.places.fits(summary));
    const segments = segmentSizes(this.store.journal);
    const sizes = sessions.map(({ id }) => {
      const ofBlobs = blobsSize(this.store.blobs.folder, id);
      return (segments.get(id) ?? []).reduce((sum, { size }) => sum + size, ofBlobs);
    });
    this.bytes = sizes.reduce((sum, size) => sum + size, 0);
    let before = 0;
    for (const [index, session] of sessions.entries()) {
      this.lookAtTitle(session);
      const messages = await this.messagesIn(session.id, segments.get(session.id) ?? []);
      await this.find(session.id, messages);
      if (await this.isOver()) break;
      this.bytesRead = before += sizes[index] ?? 0;
    }
    this.tell();
    const hits = this.hits.toSorted((one, other) => other.created - one.created);
    return { hits, bytesRead: this.bytesRead, bytes: this.bytes };
  }

  private lookAtTitle(summary: SessionSummary): void {
    const spans = findCaseless(summary.title, this.needle.text);
    if (spans.length === 0 || !fitsTime(summary.active, this.places.filter)) return;
    this.hits.push(hitInTitle(summary, spans));
  }

  private async messagesIn(session: SessionId, segments: readonly SegmentSize[]): Promise<ReadonlySet<MessageId>> {
    const lines = new ScanLines(session, this.needle, this.store.blobs);
    let isGone = false;
    for (const segment of segments) isGone = !(await this.read(segment, lines)) || isGone;
    // Joined with others since the folder was listed: what it held is in a file that was not there then.
    if (isGone && !this.isStopped) {
      const known = new Set(segments.map(({ name }) => name));
      const now = segmentSizes(this.store.journal).get(session) ?? [];
      for (const segment of now) if (!known.has(segment.name)) await this.read(segment, lines);
    }
    return lines.found;
  }

  /** False where the segment is gone. */
  private async read({ name, size }: SegmentSize, lines: ScanLines): Promise<boolean> {
    if (this.isStopped) return true;
    let fd: number;
    try {
      fd = withFile(this.store.journal, name, file => openSync(file, 'r'));
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw cause;
    }
    try {
      for (let from = 0, length = chunkLength; from < size;) {
        const wanted = Math.min(length, size - from);
        if (this.buffer.length < wanted) this.buffer = Buffer.allocUnsafeSlow(wanted);
        const count = readSync(fd, this.buffer, 0, wanted, from);
        const end = this.buffer.subarray(0, count).lastIndexOf(10) + 1;
        if (end === 0 && (count === 0 || from + count >= size)) break;
        // A line that is longer than what was read at once is read in a larger piece.
        length = end === 0 ? length * 2 : chunkLength;
        lines.add(this.buffer.subarray(0, end));
        from += end;
        this.bytesRead = Math.min(this.bytes, this.bytesRead + end);
        if (await this.isOver()) break;
      }
    } finally {
      closeSync(fd);
    }
    return true;
  }

  /** The messages as they are now say where the text stands, or that it does not any more. */
  private async find(session: SessionId, messages: ReadonlySet<MessageId>): Promise<void> {
    if (this.isStopped || messages.size === 0) return;
    const { rows } = treeOf(this.store.db, session);
    const created = (id: MessageId) => rows.get(id)?.created ?? 0;
    const wanted = [...messages].filter(id => fitsTime(created(id), this.places.filter));
    const newest = wanted.toSorted((one, other) => created(other) - created(one));
    for (let from = 0; from < newest.length; from += batch) {
      const found = readFound(this.store, session, newest.slice(from, from + batch));
      for (const id of newest.slice(from, from + batch)) {
        const message = found.get(id);
        const place = message && this.places.of(session, id);
        const hit = place && this.firstIn(message.blocks.map(textsOf));
        if (hit) this.hits.push({ ...place, ...hitIn(message, hit.block, hit.text, hit.spans) });
      }
      if (await this.isOver()) return;
    }
  }

  private firstIn(blocks: readonly (readonly string[])[]) {
    for (const [block, texts] of blocks.entries()) {
      for (const text of texts) {
        const spans = findCaseless(text, this.needle.text, within);
        if (spans.length > 0) return { block, text, spans };
      }
    }
    return null;
  }

  private async isOver(): Promise<boolean> {
    if (this.hits.length >= mostHits) {
      this.hits.length = mostHits;
      return true;
    }
    if (performance.now() - this.toldAt > tellEvery) this.tell();
    await this.slices.rest();
    return this.isStopped;
  }

  private tell(): void {
    this.onProgress({ hits: this.hits.slice(this.told), bytesRead: this.bytesRead, bytes: this.bytes });
    this.told = this.hits.length;
    this.toldAt = performance.now();
  }
}
