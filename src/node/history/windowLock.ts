// Runs something in one window of a history at a time. The lock is a file beside the journal with the process id of its window,
// which touches it for as long as it runs. It is taken over when that process is gone or hasn't touched it for half an hour.
// Where nothing can be written, nothing is run.

import { open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, systemCodeOf } from '../atomicWrite.ts';

const staleAfter = 30 * 60_000;
const touchEvery = 60_000;

/** False where another window has the lock. */
export async function withWindowLock(lock: string, run: () => Promise<void>): Promise<boolean> {
  let held = await create(lock);
  if (!held && (await isStale(lock))) {
    await rm(lock, { force: true });
    held = await create(lock);
  }
  if (!held) return false;
  // By its handle, so that the lock of a window that took it over meanwhile is left alone. A touch that fails costs no more
  // than that.
  const touching = setInterval(() => void held.utimes(new Date(), new Date()).catch(() => {}), touchEvery).unref();
  try {
    await held.writeFile(String(process.pid));
    await run();
  } finally {
    clearInterval(touching);
    if (await isSame(held, lock).catch(() => false)) await rm(lock, { force: true });
    await held.close();
  }
  return true;
}

/** Null where another window has the lock, or nothing can be written here. */
async function create(lock: string): Promise<FileHandle | null> {
  try {
    await makeFolder(dirname(lock));
    return await open(lock, 'wx', 0o600);
  } catch {
    return null;
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, pid] = [await stat(lock), Number(await readFile(lock, 'utf8'))];
    if (Math.abs(Date.now() - mtimeMs) > staleAfter) return true;
    // Between its making and its first byte it says nothing yet.
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return ['ESRCH', 'ENOENT'].includes(systemCodeOf(cause));
  }
}

/** False where another window took it over: no other file gets the number of one that is open. */
async function isSame(held: FileHandle, lock: string): Promise<boolean> {
  const [mine, there] = await Promise.all([held.stat({ bigint: true }), stat(lock, { bigint: true })]);
  return mine.ino === there.ino && mine.dev === there.dev;
}
