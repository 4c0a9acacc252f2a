// Files that appear under their name whole or not at all, and are found again after a power cut. The bytes go to a
// temporary name beside the file, are synced, and only then get the name. Names that end with `.unfinished` are what a
// killed process leaves behind: nobody reads them. Leaves to others what a name that is taken means.

import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { historyErrorOf } from '../../../core/history/historyError.ts';
import { syncFolder } from '../syncFolder.ts';

/** Makes the folder and those above it that are missing, each of them durable under its name. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  let at = resolve(folder);
  for (; at !== made && at !== dirname(at); at = dirname(at)) syncFolder(dirname(at));
  syncFolder(dirname(at));
}

/**
 * Runs `fill` on a temporary file beside `file`, syncs it and hands its name to `place`. Whatever happens, the temporary
 * name is gone afterwards.
 */
export async function viaTemporary<Result>(
  file: string,
  fill: (temporary: FileHandle) => Promise<void>,
  place: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = `${file}.${randomUUID()}.unfinished`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
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

/** Takes the place of what is there. Throws HistoryError. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await viaTemporary(
      file,
      temporary => temporary.writeFile(text),
      temporary => rename(temporary, file),
    );
  } catch (cause) {
    throw historyErrorOf(cause);
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
