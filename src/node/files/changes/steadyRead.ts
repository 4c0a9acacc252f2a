// Reads one file of a pinned folder with the stat figures that belong to what was read. Promises: a link is not followed,
// a pipe does not keep us waiting, and what changed while it was read is read again or has no hash.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PinnedFolder } from '../pinned.ts';

/** Figures by which the system tells that a file is another; the times are in milliseconds. */
export interface Figures {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
}

export interface SteadyRead {
  readonly figures: Figures;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Null where it did not stand still, or is too large for a hash. */
  readonly sha256: string | null;
  /** Null where it is larger than was asked for. */
  readonly bytes: Uint8Array | null;
}

const tries = 3;
const largestHashed = 64 * 1024 * 1024;
const piece = 1024 * 1024;

/** Undefined on Windows, which `|` takes for nothing. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Null where it is no file. Throws Moved, or what the system says. */
export async function steadyRead(folder: PinnedFolder, name: string, mostBytes: number): Promise<SteadyRead | null> {
  const handle = await open(join(folder.at, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let left = tries; ; left--) {
      const about = await handle.stat();
      if (!about.isFile()) return null;
      const { mode, uid, gid } = about;
      const figures = figuresOf(about);
      const { sha256, bytes } = await contentOf(handle, figures.size, mostBytes);
      const isSteady = areSame(figuresOf(await handle.stat()), figures);
      // A folder that was moved meanwhile holds the files of another path.
      await folder.check();
      if (isSteady) return { figures, mode: mode & 0o777, uid, gid, sha256, bytes };
      if (left === 1) return { figures, mode: mode & 0o777, uid, gid, sha256: null, bytes: null };
    }
  } finally {
    await handle.close();
  }
}

export function figuresOf(about: {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}): Figures {
  return { size: about.size, mtime: about.mtimeMs, ctime: about.ctimeMs, ino: about.ino };
}

export function areSame(one: Figures, other: Figures): boolean {
  return one.size === other.size && one.mtime === other.mtime && one.ctime === other.ctime && one.ino === other.ino;
}

async function contentOf(
  handle: FileHandle,
  size: number,
  mostBytes: number,
): Promise<Pick<SteadyRead, 'sha256' | 'bytes'>> {
  if (size > largestHashed) return { sha256: null, bytes: null };
  const hash = createHash('sha256');
  const bytes = size <= mostBytes ? Buffer.allocUnsafeSlow(size) : null;
  const passing = bytes ?? Buffer.allocUnsafe(piece);
  let at = 0;
  while (at < size) {
    const start = bytes ? at : 0;
    const { bytesRead } = await handle.read(passing, start, Math.min(piece, size - at), at);
    if (bytesRead === 0) return { sha256: null, bytes: null };
    hash.update(passing.subarray(start, start + bytesRead));
    at += bytesRead;
    if (bytesRead === piece) await setImmediate();
  }
  return { sha256: hash.digest('hex'), bytes };
}
