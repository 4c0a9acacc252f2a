// Of all windows of one history, one at a time: a small file beside the journal says that somebody is at it. Promises: what a
// window that was killed left behind holds nobody up, and where nothing can be written nothing is done either.

import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './home/wholeFile.ts';

/** False where another window is at it: then nothing was run. */
export type Alone = (run: () => Promise<void>) => Promise<boolean>;

/** Longer than anybody looks at a list. */
const stale = 30 * 60_000;

/** `name` is of the file, and of what is done by one window only. */
export function aloneIn(historyFolder: string, name: string): Alone {
  const lock = join(historyFolder, name);
  const claim = async (): Promise<boolean> => {
    try {
      await makeFolder(historyFolder);
      const handle = await open(lock, 'wx', 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
      return true;
    } catch {
      // Another window has it, or nothing can be written here: then nothing is done either.
      return false;
    }
  };
  return async run => {
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
