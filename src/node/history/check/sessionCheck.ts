// Reads all that the history folder holds of one session and says what is wrong with it. Promises: it changes nothing;
// no turn of it is long, so that appends go on between them; at the end the index in memory is compared with rows that
// were made from the same bytes. What is found may pass by itself, while another window writes, joins or erases: whoever
// calls looks again.

import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { largestGap } from '../../../core/history/assemble.ts';
import { survivorOf } from '../../../core/history/erasure.ts';
import { apply, forgetSession, type SqlDatabase } from '../index/projection.ts';
import type { SessionId } from '../../../model/message.ts';
import type { Fact } from '../../../model/record.ts';
import { sayTheSame } from './sameIndex.ts';
import type { Place, PlacedRecord } from '../journal/recordPlace.ts';
import { isMissing, withFile } from '../journal/segmentName.ts';
import { readFrom } from '../journal/segmentReader.ts';
import type { Store } from '../store.ts';

/** As many records are applied in one turn. */
const atOnce = 20;

export interface SegmentSeen {
  /** Everything before it is in the rows. */
  position: number;
  records: number;
  bad: number;
  newer: number;
  /** Records in which something erased is. */
  erased: number;
  tail: Place | null;
  /** The system's code where it cannot be read. */
  failure: string | null;
}

/** `behind`: the index has not come as far as the files yet. `moved`: files went while they were read. */
export type IndexIs = 'same' | 'different' | 'behind' | 'moved';

export class SessionCheck {
  readonly session: SessionId;
  readonly segments = new Map<string, SegmentSeen>();
  /** The sizes of the blobs that are named, by hash. */
  readonly blobs = new Map<string, number>();
  /** Of each message, how many of its blocks were told, and in which place the last one. */
  private readonly places = new Map<string, { told: number; last: number; segment: string }>();
  private readonly store: Store;
  private readonly rows: SqlDatabase;
  private readonly graves: number;

  /** `rows` is an index for this alone. */
  constructor(store: Store, rows: SqlDatabase, session: SessionId) {
    this.store = store;
    this.rows = rows;
    this.session = session;
    this.graves = this.countGraves();
    forgetSession(rows, session);
  }

  /** Until a look at all files finds nothing new: then no parent can be missing that was only read too early. */
  async read(segments: readonly string[]): Promise<void> {
    for (const segment of segments) this.segments.set(segment, unseen());
    for (let isNew = true, rounds = 0; isNew && rounds < 20; rounds++) {
      isNew = false;
      for (const [segment, seen] of this.segments) {
        const before = seen.position;
        await this.readOn(segment, seen);
        isNew ||= seen.position !== before;
      }
    }
  }

  /** In one turn, so that nothing is appended between reading on and comparing. */
  compare(): IndexIs {
    const { store, session } = this;
    if (this.hasMoved()) return 'moved';
    const applied = new Map<string, number>();
    const ends = store.db.all('SELECT segment, position FROM applied WHERE segment >= ?1 AND segment < ?2', [
      `${session}~`,
      `${session}\u007f`,
    ]);
    for (const row of ends) applied.set(String(row['segment']), Number(row['position']));
    for (const [segment, end] of applied) {
      const seen = this.segments.get(segment) ?? unseen();
      this.segments.set(segment, seen);
      if (seen.failure === null && seen.position < end) this.readUpTo(segment, seen, end);
    }
    if (sayTheSame(store.db, this.rows, session, store.journal)) return 'same';
    const isBehind = [...this.segments].some(([segment, { position }]) => position > (applied.get(segment) ?? 0));
    return isBehind ? 'behind' : 'different';
  }

  /** Whether a file went since it was read, or something was erased. */
  hasMoved(): boolean {
    if (this.graves !== this.countGraves()) return true;
    return [...this.segments].some(([segment, { failure }]) => failure === null && !this.isThere(segment));
  }

  /** How many messages of a segment have blocks that are not shown, because they come behind a gap that is too large. */
  gaps(segment: string): number {
    return [...this.places.values()].filter(one => one.segment === segment && one.last > one.told + largestGap).length;
  }

  count(sql: string): number {
    return Number(this.rows.all(sql, [this.session])[0]?.['count'] ?? 0);
  }

  get isWhole(): boolean {
    return [...this.segments.values()].every(
      ({ bad, newer, tail, failure }) => bad === 0 && newer === 0 && tail === null && failure === null,
    );
  }

  private async readOn(segment: string, seen: SegmentSeen): Promise<void> {
    for (let more = seen.failure === null; more; await nextTurn()) {
      const found = this.next(segment, seen);
      if (!found) return;
      for (let at = 0; at < found.records.length; at += atOnce) {
        this.take(found.records.slice(at, at + atOnce), segment, seen);
        await nextTurn();
      }
      Object.assign(seen, { position: found.position, tail: found.tail });
      seen.bad += found.bad.length + found.unfit.length;
      seen.newer += found.newer;
      more = found.more;
    }
  }

  /** What was appended meanwhile, and not further than the index has it. */
  private readUpTo(segment: string, seen: SegmentSeen, end: number): void {
    while (seen.position < end) {
      const found = this.next(segment, seen);
      if (!found || found.position === seen.position) return;
      this.take(
        found.records.filter(({ place }) => place.offset + place.length <= end),
        segment,
        seen,
      );
      const isEnd = found.position >= end;
      seen.bad += [...found.bad, ...found.unfit].filter(({ offset, length }) => offset + length <= end).length;
      // Of newer records the places are not known; the next check counts what came behind.
      if (!isEnd) seen.newer += found.newer;
      seen.position = isEnd ? end : found.position;
    }
  }

  private next(segment: string, seen: SegmentSeen): ReturnType<typeof readFrom> | null {
    try {
      return readFrom(this.store.journal, segment, seen.position, false);
    } catch (cause) {
      // One that went was joined with others or erased: the comparison finds that out.
      if (!isMissing(cause)) seen.failure = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      return null;
    }
  }

  private take(records: readonly PlacedRecord[], segment: string, seen: SegmentSeen): void {
    const { erasure } = this.store;
    seen.records += records.length;
    seen.bad += this.apply(records, segment);
    for (const { record } of records) {
      for (const fact of record.facts) this.tellPlace(fact, segment);
      const survivor = survivorOf(record, erasure);
      if (survivor !== record) seen.erased++;
      for (const { sha256, size } of survivor?.blobs ?? []) this.blobs.set(sha256, size);
    }
  }

  private tellPlace(fact: Fact, segment: string): void {
    if (fact.type !== 'message' && fact.type !== 'block' && fact.type !== 'text') return;
    const id = fact.type === 'message' ? fact.message.id : fact.message;
    const known = this.places.get(id) ?? { told: 0, last: -1, segment };
    known.told += fact.type === 'message' ? fact.message.blocks.length : 1;
    if (fact.type !== 'message' && fact.at > known.last) Object.assign(known, { last: fact.at, segment });
    this.places.set(id, known);
  }

  /** Gives how many of them no version should have written; they hide none of the others. */
  private apply(records: readonly PlacedRecord[], segment: string): number {
    try {
      apply(this.rows, records, segment, 0, this.store.erasure);
      return 0;
    } catch (cause) {
      if (records.length === 0) throw cause;
      if (records.length === 1) return 1;
      return records.reduce((bad, one) => bad + this.apply([one], segment), 0);
    }
  }

  private countGraves(): number {
    let count = 0;
    for (const name of this.store.tombstones.known) if (name.startsWith(this.session)) count++;
    return count;
  }

  private isThere(segment: string): boolean {
    try {
      withFile(this.store.journal, segment, statSync);
      return true;
    } catch {
      return false;
    }
  }
}

function unseen(): SegmentSeen {
  return { position: 0, records: 0, bad: 0, newer: 0, erased: 0, tail: null, failure: null };
}
