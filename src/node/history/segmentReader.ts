// Reads segments: all records at the start, single records by their place afterwards. Promises: it never writes,
// truncates or renames; a bad record is counted and passed over; an incomplete tail is the end of its segment.

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { read } from '../../core/history/codec.ts';
import type { Place } from '../../core/history/projection.ts';
import type { JournalRecord } from '../../model/record.ts';

export interface Recovery {
  readonly segments: number;
  readonly records: number;
  readonly newer: number;
  readonly bad: readonly Place[];
  readonly tails: readonly Place[];
}

const segmentName = /^[0-9a-z]+~([0-9a-z]+)\.\d+\.seg$/;

export function readAll(folder: string, apply: (record: JournalRecord, place: Place) => void): Recovery {
  const bad: Place[] = [];
  const tails: Place[] = [];
  let segments = 0;
  let records = 0;
  let newer = 0;
  for (const segment of readdirSync(folder).toSorted()) {
    const writer = segmentName.exec(segment)?.[1];
    if (writer === undefined) continue;
    segments++;
    for (const piece of read(readFileSync(join(folder, segment)), crc32, 0, writer)) {
      const place: Place = { segment, offset: piece.offset, length: piece.length };
      switch (piece.kind) {
        case 'record':
          records++;
          apply(piece.record, place);
          break;
        case 'newer':
          newer++;
          break;
        case 'bad':
          bad.push(place);
          break;
        case 'tail':
          tails.push(place);
          break;
      }
    }
  }
  return { segments, records, newer, bad, tails };
}

/** The records at these places, in their order; a place that no longer holds its record is passed over. */
export function readPlaces(folder: string, places: readonly Place[]): readonly JournalRecord[] {
  const files = new Map<string, number>();
  const records: JournalRecord[] = [];
  try {
    for (const { segment, offset, length } of places) {
      let fd = files.get(segment);
      if (fd === undefined) files.set(segment, (fd = openSync(join(folder, segment), 'r')));
      const bytes = new Uint8Array(length);
      readSync(fd, bytes, 0, length, offset);
      for (const piece of read(bytes, crc32, offset)) if (piece.kind === 'record') records.push(piece.record);
    }
  } finally {
    for (const fd of files.values()) closeSync(fd);
  }
  return records;
}
