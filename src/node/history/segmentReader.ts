// Reads segments: what is new in one since a position, and single records by their place. Promises: it never writes,
// truncates or renames; a bad record is named and passed over; an incomplete tail is the end of its segment, for now.

import { closeSync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { read, type Piece } from '../../core/history/codec.ts';
import type { Applied, Place } from '../../core/history/projection.ts';
import type { JournalRecord } from '../../model/record.ts';

export interface SegmentName {
  readonly session: string;
  readonly writer: string;
}

/** `<session>~<writer>.<k>.seg`; undefined for any other file. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const [, session, writer] = /^([0-9a-z]+)~([0-9a-z]+)\.\d+\.seg$/.exec(name) ?? [];
  return session === undefined || writer === undefined ? undefined : { session, writer };
}

export interface NewRecords {
  readonly records: readonly Applied[];
  readonly newer: number;
  readonly bad: readonly Place[];
  /** The bytes after the last whole line, which a writer may still be writing. */
  readonly tail: Place | null;
  /** Where to go on the next time: behind the last whole line. */
  readonly position: number;
  readonly more: boolean;
}

/** As much is read at once, and more only where a single record is longer: memory is bounded by that. */
const chunkLength = 8 * 1024 * 1024;

/**
 * The next whole records of the segment from `position` on, and whether there are more. With `sync` they are on the
 * disk before they are believed.
 */
export function readFrom(journal: string, segment: string, position: number, sync: boolean): NewRecords {
  const writer = parseSegmentName(segment)?.writer;
  // A sync needs a file that may be written to on Windows, and is content with less elsewhere.
  const fd = openSync(join(journal, segment), sync && process.platform === 'win32' ? 'r+' : 'r');
  try {
    if (sync) fdatasyncSync(fd);
    const { size } = fstatSync(fd);
    // A file that is shorter than what was read of it is another file by now, and is read from its beginning.
    const from = position <= size ? position : 0;
    for (let length = chunkLength; ; length *= 2) {
      const bytes = readBytes(fd, from, Math.min(length, size - from));
      const found = sorted(read(bytes, crc32, from, writer), segment, from);
      const all = from + bytes.length >= size;
      if (all || found.position > from) return { ...found, more: !all };
    }
  } finally {
    closeSync(fd);
  }
}

function sorted(pieces: Iterable<Piece>, segment: string, from: number): Omit<NewRecords, 'more'> {
  const records: Applied[] = [];
  const bad: Place[] = [];
  let tail: Place | null = null;
  let newer = 0;
  let position = from;
  for (const piece of pieces) {
    const place: Place = { segment, offset: piece.offset, length: piece.length };
    if (piece.kind === 'tail') tail = place;
    else position = piece.offset + piece.length;
    if (piece.kind === 'record') records.push({ record: piece.record, place });
    else if (piece.kind === 'newer') newer++;
    else if (piece.kind === 'bad') bad.push(place);
  }
  return { records, newer, bad, tail, position };
}

/** The records at these places, in their order; a place that no longer holds its record is passed over. */
export function readPlaces(journal: string, places: readonly Place[]): readonly JournalRecord[] {
  const files = new Map<string, number>();
  const records: JournalRecord[] = [];
  try {
    for (const { segment, offset, length } of places) {
      const fd = files.get(segment) ?? openIfThere(join(journal, segment));
      if (fd === null) continue;
      files.set(segment, fd);
      for (const piece of read(readBytes(fd, offset, length), crc32, offset)) {
        if (piece.kind === 'record') records.push(piece.record);
      }
    }
  } finally {
    for (const fd of files.values()) closeSync(fd);
  }
  return records;
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    // Gone or not readable: what else there is of the session is still worth showing.
    return null;
  }
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
