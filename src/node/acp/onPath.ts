// Where a program is on this machine, found without running it. Promises: only whole paths of the PATH are looked at, and
// none that lies in a folder that is not to be trusted with it, as a workspace is: what came with a project is never taken
// for a program of the person's.

import { constants, readFileSync, statSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { resolveOnWindows } from './windowsCommand.ts';

export interface PathOf {
  /** Names of variables are looked up without case, as Windows does. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Nothing in these is found, nor what only leads into them. */
  readonly notIn: readonly string[];
  readonly platform: NodeJS.Platform;
}

/** The whole path of the file that would be started. */
export async function findOnPath(command: string, { env, notIn, platform }: PathOf): Promise<string | undefined> {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  // A workspace that is opened by a link has two spellings, and so have a folder of the PATH and a program in it.
  const untrusted = [...notIn, ...(await Promise.all(notIn.map(realOf)))];
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    if (isWithin(folder, untrusted) || isWithin(await realOf(folder), untrusted)) continue;
    const file = await programIn(folder, command, platform);
    if (file !== undefined && !isWithin(await realOf(file), untrusted)) return file;
  }
  return undefined;
}

/** A folder that isn't there has no other path. */
function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function programIn(folder: string, command: string, platform: NodeJS.Platform): Promise<string | undefined> {
  if (platform === 'win32') {
    const disk = { isFile: (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false, read };
    return resolveOnWindows(command, folder, disk) && resolveFile(folder, command, disk.isFile);
  }
  const file = join(folder, command);
  try {
    if (!(await stat(file)).isFile()) return undefined;
    await access(file, constants.X_OK);
    return file;
  } catch {
    // It is not there, or may not be run.
    return undefined;
  }
}

/** The file of that name itself, not what is behind it: it is started by the same rules. */
function resolveFile(folder: string, command: string, isFile: (file: string) => boolean): string | undefined {
  return ['.com', '.exe', '.cmd', '.bat'].map(extension => join(folder, command + extension)).find(isFile);
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some(folder => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));
}
