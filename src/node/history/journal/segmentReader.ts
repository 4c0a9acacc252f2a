// Reads segments: what is new in one since a position, and single records by their place. Promises: it never writes,
// truncates or renames; a bad record, and a fact that doesn't fit, is named and passed over; an incomplete tail is the end of its segment, for now.

import { closeSync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readFitting, type FittingPiece } from '../../../core/history/fittingFacts.ts';
import type { Place, PlacedRecord } from './recordPlace.ts';
import type { JournalRecord } from '../../../model/record.ts';
import { parseSegmentName, sessionSegments, withFile } from './segmentName.ts';

export interface NewRecords {
  readonly records: readonly PlacedRecord[];
  readonly newer: number;
  /** Records with facts that no version writes; the others of their facts are given. */
  readonly unfit: readonly Place[];
  readonly bad: readonly Place[];
  /** The bytes after the last whole line, which a writer may still be writing. */
  readonly tail: Place | null;
  /** Where to go on the next time: behind the last whole line. */
  readonly position: number;
  readonly more: boolean;
}

/** As much is read at once, and more only where a single record is longer: memory is bounded by that. */
const chunkLength = 2 * 1024 * 1024;

/**
 * The next whole records of the segment from `position` on, and whether there are more. With `sync` they are on the
 * disk before they are believed.
 */
export function readFrom(journal: string, segment: string, position: number, sync: boolean): NewRecords {
  const name = parseSegmentName(segment);
  const writer = name?.joined ? undefined : name?.writer;
  // A sync needs a file that may be written to on Windows, and is content with less elsewhere.
  const flags = sync && process.platform === 'win32' ? 'r+' : 'r';
  const fd = withFile(journal, segment, file => openSync(file, flags));
  try {
    if (sync) fdatasyncSync(fd);
    const { size } = fstatSync(fd);
    // A file that is shorter than what was read of it is another file by now, and is read from its beginning.
    const from = position <= size ? position : 0;
    for (let length = chunkLength; ; length *= 2) {
      const { bytes, isEnd } = readChunk(fd, from, length, size);
      const found = sorted(readFitting(bytes, crc32, from, writer), segment, from);
      if (isEnd || found.position > from) return { ...found, more: !isEnd };
    }
  } finally {
    closeSync(fd);
  }
}

function sorted(pieces: Iterable<FittingPiece>, segment: string, from: number): Omit<NewRecords, 'more'> {
  const records: PlacedRecord[] = [];
  const bad: Place[] = [];
  const unfit: Place[] = [];
  let tail: Place | null = null;
  let newer = 0;
  let position = from;
  for (const piece of pieces) {
    const place: Place = { segment, offset: piece.offset, length: piece.length };
    if (piece.kind === 'tail') tail = place;
    else position = piece.offset + piece.length;
    if (piece.kind === 'record') {
      records.push({ record: piece.record, place });
      if (piece.unfit > 0) unfit.push(place);
    } else if (piece.kind === 'newer') newer++;
    else if (piece.kind === 'bad') bad.push(place);
  }
  return { records, newer, unfit, bad, tail, position };
}

/** The records at these places, in their order, and which segments no longer hold theirs. */
export function readPlaces(
  journal: string,
  places: readonly Place[],
): { readonly records: readonly JournalRecord[]; readonly misplaced: ReadonlySet<string> } {
  const files = new Map<string, number | null>();
  const records: JournalRecord[] = [];
  const misplaced = new Set<string>();
  try {
    for (const { segment, offset, length } of places) {
      let fd = files.get(segment);
      if (fd === undefined) files.set(segment, (fd = openIfThere(journal, segment)));
      const [piece] = fd === null ? [] : readFitting(readBytes(fd, offset, length), crc32, offset);
      if (piece?.kind === 'record') records.push(piece.record);
      else misplaced.add(segment);
    }
  } finally {
    for (const fd of files.values()) if (fd !== null) closeSync(fd);
  }
  return { records, misplaced };
}

/** The earliest record that begins the session, of all its segments that can be read. */
export function beginningOf(journal: string, session: string): JournalRecord | null {
  let first: JournalRecord | null = null;
  for (const segment of sessionSegments(journal, session)) {
    const record = beginningIn(journal, segment);
    if (record && (first === null || record.h < first.h)) first = record;
  }
  return first;
}

function beginningIn(journal: string, segment: string): JournalRecord | null {
  try {
    for (let position = 0, more = true; more;) {
      const found = readFrom(journal, segment, position, false);
      const applied = found.records.find(({ record }) => record.facts.some(fact => fact.type === 'session'));
      if (applied) return applied.record;
      ({ position, more } = found);
    }
  } catch {
    // Gone since the folder was listed, or not readable: another file may hold it as well.
  }
  return null;
}

function openIfThere(journal: string, segment: string): number | null {
  try {
    return withFile(journal, segment, file => openSync(file, 'r'));
  } catch {
    // Gone or not readable: what else there is of the session is still worth showing.
    return null;
  }
}

/**
 * What stands there, and whether the file ends with it. It may have become shorter since it had that size: when its writer
 * rests, it cuts off the room it had ahead.
 */
export function readChunk(
  fd: number,
  from: number,
  length: number,
  size: number,
): { readonly bytes: Uint8Array; readonly isEnd: boolean } {
  const wanted = Math.min(length, size - from);
  const bytes = readBytes(fd, from, wanted);
  return { bytes, isEnd: bytes.length < wanted || from + wanted >= size };
}

function readBytes(fd: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (count === 0) return bytes.subarray(0, filled);
    filled += count;
  }
  return bytes;
}
