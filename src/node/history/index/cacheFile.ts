// A database on the disk that may go at any time: its bytes, and a trailer that says of what kind and version they are and
// that they are whole. Which file is used, and when one is written, is for who keeps it.

import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeAtomicSync } from '../../atomicWrite.ts';

export interface CacheKind {
  /** Four letters. */
  readonly mark: string;
  readonly version: number;
}

const trailerLength = 16;

export function writeCache(file: string, bytes: Uint8Array, kind: CacheKind): void {
  writeAtomicSync(file, `${file}.unfinished`, [bytes, trailerOf(bytes, kind)]);
}

/** `other` is whole as far as this version can tell, and of another. Throws where it cannot be read. */
export function readCache(file: string, kind: CacheKind): Uint8Array | 'damaged' | 'other' {
  const content = readFileSync(file);
  const bytes = content.subarray(0, Math.max(0, content.length - trailerLength));
  const trailer = content.subarray(bytes.length);
  if (trailer.length < trailerLength || trailer.toString('latin1', 0, 4) !== kind.mark) return 'damaged';
  if (trailer.readUInt32LE(4) !== kind.version) return 'other';
  return trailer.equals(trailerOf(bytes, kind)) ? bytes : 'damaged';
}

function trailerOf(bytes: Uint8Array, { mark, version }: CacheKind): Buffer {
  const trailer = Buffer.alloc(trailerLength);
  trailer.write(mark, 0, 'latin1');
  trailer.writeUInt32LE(version, 4);
  trailer.writeUInt32LE(bytes.length, 8);
  trailer.writeUInt32LE(crc32(bytes), 12);
  return trailer;
}
