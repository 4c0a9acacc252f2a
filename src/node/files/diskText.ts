// The text of one file on the disk, by its real path. Promises: a file is replaced whole or not at all, keeps its mode
// and its byte order mark, and is replaced only while it is what was read before; what cannot be given back as text is
// neither read nor overwritten. Leaves to others whether the path may be touched.

import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCodeOf } from '../atomicWrite.ts';
import { Moved, openInside, pinFolder, versionOf, writeInside, type Found } from './pinned.ts';

export const mostBytes = 10 * 1024 * 1024;
const mark = '\ufeff';
const tries = 3;

/** A file that cannot be what it is taken for; the words follow on its name. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble';
}

export interface DiskText extends Found {
  /** Without the mark. */
  readonly text: string;
  readonly hasMark: boolean;
}

/** Null where there is no such file. Throws Moved, FileTrouble, or what the system says. */
export async function readText(real: string): Promise<DiskText | null> {
  const folder = await pinFolder(dirname(real), false).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  });
  if (!folder) return null;
  try {
    const handle = await openInside(folder, basename(real));
    if (!handle) return null;
    try {
      return await textOf(handle);
    } finally {
      await handle.close();
    }
  } finally {
    await folder.close();
  }
}

/** `before` is what `readText` gave. Throws Moved where that is no longer so. Missing folders are made. */
export async function writeText(real: string, text: string, before: DiskText | null): Promise<void> {
  if (before && (before.mode & 0o222) === 0) throw new FileTrouble('is read-only');
  const folder = await pinFolder(dirname(real), true);
  try {
    await writeInside(folder, basename(real), before?.hasMark && !text.startsWith(mark) ? mark + text : text, before);
  } finally {
    await folder.close();
  }
}

/** Again, where somebody else was at the same file in between. */
export async function steadily<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = tries; ; left--) {
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof Moved)) throw cause;
      if (left === 1) throw new FileTrouble('was changed or moved by something else meanwhile');
    }
  }
}

async function textOf(handle: FileHandle): Promise<DiskText> {
  const about = await handle.stat({ bigint: true });
  if (about.isDirectory()) throw new FileTrouble('is a folder');
  if (!about.isFile()) throw new FileTrouble('is not a file');
  if (about.size > mostBytes) throw new FileTrouble(tooLarge);
  const bytes = Buffer.alloc(Number(about.size));
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = (await handle.read(bytes, length, bytes.length - length, length)).bytesRead;
  const text = decoded(bytes.subarray(0, length));
  const hasMark = text.startsWith(mark);
  return {
    text: hasMark ? text.slice(1) : text,
    hasMark,
    mode: Number(about.mode) & 0o777,
    uid: Number(about.uid),
    gid: Number(about.gid),
    version: versionOf(about),
  };
}

export const tooLarge = 'is larger than 10 MB';

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileTrouble('is not text in UTF-8');
  }
}
