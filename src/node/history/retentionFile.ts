// When sessions were last put away by rules, and who is at it now: two small files beside the journal, so that all windows of
// one history know. Promises: only one window runs at a time; what a window that was killed left behind holds nobody up;
// what cannot be read is as if it had never run, so that the person is asked.

import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastRun } from '../../core/retention.ts';
import { makeFolder, viaTemporary } from './home/wholeFile.ts';

export interface RetentionFile {
  readonly read: () => Promise<LastRun | null>;
  readonly write: (last: LastRun) => Promise<void>;
  /** False where another window is at it: then nothing was run. */
  readonly alone: (run: () => Promise<void>) => Promise<boolean>;
}

/** Longer than anybody looks at a list. */
const stale = 30 * 60_000;

export function retentionFileIn(historyFolder: string): RetentionFile {
  const file = join(historyFolder, 'retention.json');
  const lock = join(historyFolder, 'retention.lock');
  const claim = async (): Promise<boolean> => {
    try {
      await makeFolder(historyFolder);
      const handle = await open(lock, 'wx', 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
      return true;
    } catch {
      // Another window has it, or nothing can be written here: then nothing is put away either.
      return false;
    }
  };
  return {
    async read() {
      try {
        const { at, agreed, declined } = JSON.parse(await readFile(file, 'utf8')) as Partial<LastRun>;
        if (typeof at !== 'number' || typeof agreed !== 'string') return null;
        const isWhole = typeof declined?.key === 'string' && typeof declined.at === 'number';
        return { at, agreed, ...(isWhole && { declined }) };
      } catch {
        // It never ran, or nobody knows what was agreed to.
        return null;
      }
    },
    write: last =>
      viaTemporary(
        file,
        handle => handle.writeFile(JSON.stringify(last)),
        temporary => rename(temporary, file),
      ),
    async alone(run) {
      if (!(await claim())) {
        if (!(await isLeft(lock))) return false;
        await rm(lock, { force: true });
        if (!(await claim())) return false;
      }
      try {
        await run();
      } finally {
        await rm(lock, { force: true });
      }
      return true;
    },
  };
}

/** Whoever made it is gone, or has forgotten it. */
async function isLeft(lock: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, pid] = [await stat(lock), Number(await readFile(lock, 'utf8'))];
    if (Math.abs(Date.now() - mtimeMs) > stale) return true;
    // Between its making and its first byte it says nothing yet.
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && (cause.code === 'ESRCH' || cause.code === 'ENOENT');
  }
}
