// Reads the blobs that a session names, each to its end, and finds those that nothing names. It changes nothing, and no
// turn of it is long.

import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../journal/segmentName.ts';

const chunkLength = 1024 * 1024;
const hash = /^[0-9a-f]{64}$/;

export interface BlobsSeen {
  readonly missing: string[];
  readonly damaged: string[];
  /** With the system's code. */
  readonly unreadable: { readonly file: string; readonly failure: string }[];
  bytes: number;
}

/** `named` are hashes with sizes. */
export async function readBlobs(folder: string, named: ReadonlyMap<string, number>): Promise<BlobsSeen> {
  const seen: BlobsSeen = { missing: [], damaged: [], unreadable: [], bytes: 0 };
  for (const [name, size] of named) {
    try {
      // It comes from a file, and becomes a path.
      const found = hash.test(name) ? await hashOf(join(folder, name)) : null;
      if (!found) seen.missing.push(name);
      else if (found.sha256 !== name || found.size !== size) seen.damaged.push(name);
      seen.bytes += found?.size ?? 0;
    } catch (cause) {
      const failure = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      seen.unreadable.push({ file: name, failure });
    }
  }
  return seen;
}

/** Null where there is no such file. */
export async function hashOf(file: string): Promise<{ readonly sha256: string; readonly size: number } | null> {
  try {
    const handle = await open(file, 'r');
    try {
      const sum = createHash('sha256');
      const chunk = new Uint8Array(chunkLength);
      for (let size = 0; ;) {
        const { bytesRead } = await handle.read(chunk, 0, chunkLength, size);
        if (bytesRead === 0) return { sha256: sum.digest('hex'), size };
        sum.update(chunk.subarray(0, bytesRead));
        size += bytesRead;
      }
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** The blobs in the folder that are older than `before`. */
export function blobsBefore(folder: string, before: number): readonly string[] {
  return namesIn(folder).filter(name => hash.test(name) && timeOf(join(folder, name)) < before);
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // No such folder: nothing is in it.
    return [];
  }
}

/** When the content was last changed; for what is gone meanwhile, just now. */
export function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
