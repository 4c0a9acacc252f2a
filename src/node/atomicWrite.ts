// Writes files that appear under their name whole or not at all. The bytes go to a temporary file beside the target, which
// only its owner may read, are synced, and only then get the name. Names that end with `.unfinished` are what a killed
// process leaves behind: nobody reads them, and the check of a history removes them.

import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Replaces what is there. The name survives a power cut. A signal stops it before the file gets its name. */
export async function writeAtomic(
  file: string,
  content: string | Uint8Array | Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  await viaTemporary(
    file,
    temporary => temporary.writeFile(content, { signal }),
    async temporary => {
      signal?.throwIfAborted();
      await rename(temporary, file);
    },
  );
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** As `writeAtomic`, for the worker. The caller chooses the temporary name, by which others know whose it is. */
export function writeAtomicSync(file: string, temporary: string, parts: Iterable<Uint8Array>): void {
  try {
    const fd = openSync(temporary, 'w', 0o600);
    try {
      for (const bytes of parts) for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
  syncFolder(dirname(file));
}

/**
 * Runs `fill` on a temporary file beside `file`, syncs it and hands its name to `place`, which also syncs the folder where
 * the name has to survive a power cut. The temporary name is gone afterwards, whatever happens.
 */
export async function viaTemporary<Result>(
  file: string,
  fill: (temporary: FileHandle) => Promise<void>,
  place: (temporary: string) => Promise<Result>,
  mode = 0o600,
): Promise<Result> {
  const temporary = `${file}.${randomUUID()}.unfinished`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await fill(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Gives the file this name unless it is taken; false where it is, and then the one that is there stays as it is. */
export async function placeNew(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
  } catch (cause) {
    // Some file systems know no second name for a file; there a look before the rename has to do, and whatever else
    // stood in the way of the link stands in the way of the rename.
    if (systemCodeOf(cause) === 'EEXIST' || (await isThere(file))) return false;
    await rename(temporary, file);
  }
  return true;
}

/** Makes the folder and those above it that are missing, each of them durable under its name. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  let at = resolve(folder);
  for (; at !== made && at !== dirname(at); at = dirname(at)) syncFolder(dirname(at));
  syncFolder(dirname(at));
}

/** Makes the names in a folder durable: a file that was made or renamed is found again after a power cut. */
export function syncFolder(folder: string): void {
  // Windows knows no sync of a folder; its file systems journal the names themselves.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The code of a failed system call, or the empty text. */
export function systemCodeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return false;
    throw cause;
  }
}
