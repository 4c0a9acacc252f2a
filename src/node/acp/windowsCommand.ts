// Where a command really is on Windows, and what is behind the batch files that npm, pnpm and yarn put in its place: a
// batch file runs in a shell only, and no agent is started through a shell. Pure: the disk is asked through what is given.
// Promises: what comes back is an absolute path of something that can be started as it is, never from the current folder.

import { win32 } from 'node:path';

export interface WindowsDisk {
  readonly isFile: (path: string) => boolean;
  readonly read: (path: string) => string;
}

export interface Resolved {
  readonly command: string;
  readonly args: readonly string[];
}

/** Undefined where there is no such command, or it is a batch file of another kind. */
export function resolveOnWindows(command: string, path: string, disk: WindowsDisk): Resolved | undefined {
  const file = find(command, path, disk);
  if (file === undefined || !/\.(cmd|bat)$/i.test(file))
    return file === undefined ? undefined : { command: file, args: [] };
  const folder = win32.dirname(file);
  const target = shimTarget(disk.read(file));
  if (target === undefined) return undefined;
  const behind = win32.resolve(folder, target);
  if (!disk.isFile(behind)) return undefined;
  if (/\.(exe|com)$/i.test(behind)) return { command: behind, args: [] };
  // The shims take the Node.js beside them before the one on the PATH.
  const beside = win32.join(folder, 'node.exe');
  const node = disk.isFile(beside) ? beside : find('node.exe', path, disk);
  return node === undefined ? undefined : { command: node, args: [behind] };
}

function find(command: string, path: string, { isFile }: WindowsDisk): string | undefined {
  const names = /\.(exe|com|cmd|bat)$/i.test(command)
    ? [command]
    : ['.com', '.exe', '.cmd', '.bat'].map(extension => command + extension);
  if (win32.isAbsolute(command)) return names.find(isFile);
  if (/[\\/:]/.test(command)) return undefined;
  const folders = path
    .split(';')
    .map(folder => folder.replace(/^"(.*)"$/, '$1'))
    .filter(folder => win32.isAbsolute(folder));
  return folders.flatMap(folder => names.map(name => win32.join(folder, name))).find(isFile);
}

/** The script or program that a shim starts with all its arguments, relative to the folder of the shim. */
function shimTarget(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter(line => line.includes('%*'));
  for (const line of lines) {
    const quoted = [...line.matchAll(/"%(?:~dp0|dp0%)\\?([^"%]+)"/gi)].map(([, target]) => target ?? '');
    // The first may be the Node.js beside the shim.
    const target = quoted.find(one => !/^node\.exe$/i.test(one));
    if (target !== undefined) return target;
  }
  return undefined;
}
