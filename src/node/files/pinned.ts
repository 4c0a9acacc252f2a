// Folders and files that are opened by a real path that was judged before. Promises: what is opened is what lies under
// that path with no link on the way, or it is not opened: whoever swaps a folder for a link between the judgement and
// the use gets `Moved`. On Linux a pinned folder stays the same one whatever happens to its path; elsewhere the path is
// looked at again before and after, which only a swap there and back between two calls passes unseen.

import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rename, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placeNew, syncFolder, systemCodeOf, viaTemporary } from '../atomicWrite.ts';

/** What lies under the path is no longer what was judged. */
export class Moved extends Error {
  override readonly name = 'Moved';
}

export interface PinnedFolder {
  /** What goes before the name of a file in it. */
  readonly at: string;
  /** Throws Moved unless its path leads to it still. */
  check(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

const ownFiles = '/proc/self/fd';
const canPin = process.platform === 'linux' && existsSync(ownFiles);

/** All but the first are undefined on Windows, which `|` takes for nothing. */
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Makes it, and those above it that are missing, where that is wanted. The caller closes it. */
export async function pinFolder(real: string, make: boolean): Promise<PinnedFolder> {
  try {
    return await pin(real);
  } catch (cause) {
    if (!make || systemCodeOf(cause) !== 'ENOENT' || real === dirname(real)) throw cause;
  }
  const above = await pinFolder(dirname(real), true);
  try {
    await mkdir(join(above.at, basename(real))).catch((cause: unknown) => {
      // Somebody was quicker; whether it is a folder is seen in a moment.
      if (systemCodeOf(cause) !== 'EEXIST') throw cause;
    });
    await above.sync();
    return await pin(real);
  } finally {
    await above.close();
  }
}

/** Null where there is none. The caller closes it. */
export async function openInside(folder: PinnedFolder, name: string): Promise<FileHandle | null> {
  const path = join(folder.at, name);
  let handle: FileHandle;
  try {
    // A pipe that took the place of a file must not keep us waiting.
    handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw movedOr(cause);
  }
  try {
    if (versionOf(await handle.stat({ bigint: true })) !== (await versionAt(path))) throw new Moved();
    await folder.check();
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

interface About {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** Which file it is, and with which content, as far as the system tells. */
export function versionOf({ dev, ino, size, mtimeNs }: About): string {
  return [dev, ino, size, mtimeNs].join(':');
}

/** Of what lies under this very name, a link itself; null where nothing does. */
export async function versionAt(path: string): Promise<string | null> {
  try {
    return versionOf(await lstat(path, { bigint: true }));
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}

/** Whose the file is that was read, and which it was. */
export interface Found {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly version: string;
}

/** Writes the file whole or not at all, with mode and owner of the one that was found. Throws Moved if that changed. */
export async function writeInside(
  folder: PinnedFolder,
  name: string,
  content: string | Uint8Array,
  found: Found | null,
): Promise<void> {
  const target = join(folder.at, name);
  await viaTemporary(
    join(folder.at, '.throughline'),
    async temporary => {
      await temporary.writeFile(content);
      if (found) await giveTo(temporary, found);
    },
    async temporary => {
      await folder.check();
      if ((await versionAt(target)) !== (found?.version ?? null)) throw new Moved();
      // A rename takes the place of whatever has the name, a link included, and follows nothing.
      if (found) await rename(temporary, target);
      else if (!(await placeNew(temporary, target))) throw new Moved();
      await folder.sync();
    },
    found ? 0o600 : 0o666,
  );
}

async function giveTo(handle: FileHandle, found: Found): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== found.uid || gid !== found.gid) {
    await handle.chown(found.uid, found.gid).catch(() => {
      // Only root may give a file away. It is the person's own then, as after every editor that saves like this.
    });
  }
  await handle.chmod(found.mode);
}

function pin(real: string): Promise<PinnedFolder> {
  return canPin ? pinByHandle(real) : pinByPath(real);
}

async function pinByHandle(real: string): Promise<PinnedFolder> {
  const handle = await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((cause: unknown) => {
    throw movedOr(cause);
  });
  const at = `${ownFiles}/${handle.fd}`;
  const check = async () => {
    if ((await readlink(at)) !== real) throw new Moved();
  };
  try {
    await check();
  } catch (cause) {
    await handle.close();
    throw cause;
  }
  return { at, check, sync: () => handle.sync(), close: () => handle.close() };
}

/** Exported for its tests: on Linux nothing else comes here. */
export async function pinByPath(real: string): Promise<PinnedFolder> {
  const first = await lstat(real, { bigint: true });
  const check = async () => {
    const now = await lstat(real, { bigint: true });
    const isSame = now.isDirectory() && now.dev === first.dev && now.ino === first.ino;
    if (!isSame || (await realpath(real)) !== real) throw new Moved();
  };
  await check();
  return { at: real, check, sync: async () => syncFolder(real), close: async () => {} };
}

/** A link, or no folder, in a place where there was none when it was judged. */
function movedOr(cause: unknown): unknown {
  const code = systemCodeOf(cause);
  return code === 'ELOOP' || code === 'ENOTDIR' ? new Moved() : cause;
}
