// One journal record as bytes and back: `crc32 SP length SP json LF`, both numbers as eight hex digits.
// The checksum is seeded with the writer and its number of the record, which are in the record too, so that a stale
// block of another file does not pass and a record stays valid when it is copied. JSON holds no raw LF, so after a bad
// record a reader goes on behind the next LF. A segment may end in room for what comes: spaces, with which no record
// begins. Promises: what an encoder wrote, `read` gives back; it never throws, and says of everything else what it was. It
// leaves files, order and meaning to others.

import { recordVersion, type JournalRecord } from '../../model/record.ts';

/** The checksum comes from outside: Node's own is many times faster than one written here. */
export type Crc32 = (data: Uint8Array, seed?: number) => number;

export type Piece =
  | { readonly kind: 'record'; readonly record: JournalRecord; readonly offset: number; readonly length: number }
  /** Whole and valid, but written by a newer version: kept in the file and skipped. */
  | { readonly kind: 'newer'; readonly offset: number; readonly length: number }
  | { readonly kind: 'bad'; readonly offset: number; readonly length: number }
  /** The bytes after the last record: a write that was cut off, or one that is still under way. */
  | { readonly kind: 'tail'; readonly offset: number; readonly length: number };

const headerLength = 18;
const lineFeed = 10;
/** What room consists of. */
export const roomByte = 32;
/** A longer buffer than this is not kept for the next record. */
const longestKept = 4 * 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A record as the bytes of its line. They are the encoder's own and valid until it encodes the next. */
export type Encode = (record: JournalRecord) => Uint8Array;

/** An encoder with one buffer that it uses again: a fresh one for each record costs more than all the rest of it. */
export function createEncoder(crc32: Crc32): Encode {
  let buffer = new Uint8Array(64 * 1024);
  return record => {
    const json = JSON.stringify(record);
    // No character of UTF-16 becomes more than three bytes.
    const most = headerLength + json.length * 3 + 1;
    if (most > longestKept) buffer = new Uint8Array(most);
    else if (most > buffer.length) buffer = new Uint8Array(Math.min(longestKept, most * 2));
    const length = encoder.encodeInto(json, buffer.subarray(headerLength)).written;
    const line = buffer.subarray(0, headerLength + length + 1);
    encoder.encodeInto(` ${hex(length)} `, line.subarray(8));
    line[line.length - 1] = lineFeed;
    const sum = checksum(record.w, record.n, line.subarray(9, line.length - 1), crc32);
    encoder.encodeInto(hex(sum), line);
    if (buffer.length > longestKept) buffer = new Uint8Array(64 * 1024);
    return line;
  };
}

/**
 * Reads the records in `bytes`, the first of which lies at `start` of its file. A `writer` refuses every other's. What
 * begins in room and is followed by no record is not bad: it is being written, or never was to its end.
 */
export function* read(bytes: Uint8Array, crc32: Crc32, start = 0, writer?: string): Generator<Piece> {
  let at = 0;
  let filling = -1;
  const bad = (from: number, to: number): Piece => ({ kind: 'bad', offset: start + from, length: to - from });
  for (let end; (end = bytes.indexOf(lineFeed, at)) >= 0; at = end + 1) {
    let record = decodeLine(bytes.subarray(at, end), crc32);
    let from = at;
    // What stands before a record may have lost its line end; the record says where it began.
    while (!record && ++from < end - headerLength) {
      if (bytes[from + 8] !== 32 || bytes[from + 17] !== 32) continue;
      if (unhex(bytes, from + 9) !== end - from - headerLength) continue;
      record = decodeLine(bytes.subarray(from, end), crc32);
    }
    if (record && writer !== undefined && record.w !== writer) record = undefined;
    if (!record && bytes[at] === roomByte && filling < 0) filling = at;
    if (!record && filling >= 0) continue;
    if (!record) {
      yield bad(at, end + 1);
      continue;
    }
    const broken = filling < 0 ? at : filling;
    if (broken < from) yield bad(broken, from);
    filling = -1;
    const place = { offset: start + from, length: end + 1 - from };
    if (record.v > recordVersion) yield { kind: 'newer', ...place };
    else yield { kind: 'record', record, ...place };
  }
  const rest = filling < 0 ? at : filling;
  if (!isRoom(bytes, rest)) yield { kind: 'tail', offset: start + rest, length: bytes.length - rest };
}

/** From there on. */
function isRoom(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== roomByte) return false;
  return true;
}

function decodeLine(line: Uint8Array, crc32: Crc32): JournalRecord | undefined {
  if (line.length <= headerLength || line[8] !== 32 || line[17] !== 32) return undefined;
  if (unhex(line, 9) !== line.length - headerLength) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line.subarray(headerLength)));
  } catch {
    // Bytes that are no JSON are a bad record, which is the answer here and not an exception.
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  if (unhex(line, 0) !== checksum(value.w, value.n, line.subarray(9), crc32)) return undefined;
  return value;
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as { readonly [key: string]: unknown };
  return (
    typeof fields['v'] === 'number' &&
    typeof fields['w'] === 'string' &&
    typeof fields['n'] === 'number' &&
    typeof fields['h'] === 'string' &&
    (Array.isArray(fields['facts']) || fields['v'] > recordVersion)
  );
}

function checksum(writer: string, n: number, data: Uint8Array, crc32: Crc32): number {
  return crc32(data, crc32(encoder.encode(`${writer} ${n}`)));
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

function unhex(line: Uint8Array, at: number): number {
  let value = 0;
  for (let index = at; index < at + 8; index++) {
    const code = line[index] ?? 0;
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
