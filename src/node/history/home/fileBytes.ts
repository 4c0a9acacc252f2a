// The bytes of open files, copied and compared in pieces, so that no file is in memory as a whole. Promises: as many
// bytes as were asked for or an error; the source is only read, and what is appended to it meanwhile is left out.

import type { FileHandle } from 'node:fs/promises';

const pieceLength = 1024 * 1024;

export async function copyBytes(source: FileHandle, target: FileHandle, length: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceLength, length));
  for (let at = 0; at < length;) {
    const count = await fill(source, piece, at, length);
    if (count === 0) throw new Error('the source became shorter while it was copied');
    for (let written = 0; written < count;) {
      written += (await target.write(piece, written, count - written)).bytesWritten;
    }
    at += count;
  }
}

/** Whether both begin with the same bytes, that many. */
export async function sameBytes(one: FileHandle, other: FileHandle, length: number): Promise<boolean> {
  const pieces = [Buffer.allocUnsafe(Math.min(pieceLength, length)), Buffer.allocUnsafe(Math.min(pieceLength, length))];
  const [left, right] = pieces as [Buffer, Buffer];
  for (let at = 0; at < length;) {
    const count = await fill(one, left, at, length);
    if (count === 0 || (await fill(other, right, at, length)) !== count) return false;
    if (!left.subarray(0, count).equals(right.subarray(0, count))) return false;
    at += count;
  }
  return true;
}

/** Fills the piece from `at` on; less where the file or the length ends. */
async function fill(file: FileHandle, piece: Buffer, at: number, length: number): Promise<number> {
  const most = Math.min(piece.length, length - at);
  let filled = 0;
  while (filled < most) {
    const { bytesRead } = await file.read(piece, filled, most - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
