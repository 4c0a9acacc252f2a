// How the path of a file may be spelled, before the disk is looked at: absolute, in plain words, below one of the folders.
// Promises: pure; for a path that is taken, its parts below the folder hold nothing that another program or the disk
// would understand as another file. Leaves links to the guard. Both platforms' rules run on every platform.

import { posix, win32 } from 'node:path';

export type Spelled =
  /** `path` is normalised, and `parts` are those below `folder`, which is one of the folders as it was given. */
  { readonly path: string; readonly folder: string; readonly parts: readonly string[] } | { readonly words: string };

type Platform = typeof process.platform;

const outside = 'it is outside of the folders of this workspace';

/** `folders` are absolute. The words follow on "because". */
export function spelledIn(path: string, folders: readonly string[], platform: Platform): Spelled {
  const isWindows = platform === 'win32';
  const trouble = anywhere(path) ?? (isWindows ? onWindows(path) : onPosix(path));
  if (trouble !== null) return { words: trouble };
  const parts = partsOf(path, isWindows);
  for (const folder of folders) {
    const above = partsOf(folder, isWindows);
    if (!beginsWith(parts, above, platform)) continue;
    const below = parts.slice(above.length);
    const odd = isWindows ? below.map(oddOnWindows).find(words => words !== null) : null;
    if (odd) return { words: odd };
    const paths = isWindows ? win32 : posix;
    return { path: paths.join(folder, ...below), folder, parts: below };
  }
  return { words: outside };
}

/** Whether `path` is `folder` or below it, part by part; both are real, so that nothing has to be folded. */
export function partsBelow(path: string, folder: string, platform: Platform): readonly string[] | null {
  const isWindows = platform === 'win32';
  const parts = partsOf(path, isWindows);
  const above = partsOf(folder, isWindows);
  return above.every((part, at) => part === parts[at]) ? parts.slice(above.length) : null;
}

function anywhere(path: string): string | null {
  if (path === '') return 'it is empty';
  // In a name they would only deceive whoever is asked.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'it holds a control character';
  // The system would be given another character in its place, which is another file.
  if (/\p{Surrogate}/u.test(path)) return 'it holds half a character';
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return 'it is an address and not a path';
  if (path.split(/[\\/]/).includes('..')) return 'it holds “..”';
  // On a Mac it is a second content of the file before it.
  if (/\/\.\.namedfork(\/|$)/i.test(path)) return 'it names a stream of a file';
  return null;
}

function onPosix(path: string): string | null {
  if (!path.startsWith('/')) return 'it is not absolute';
  return path.includes('\\') ? 'it holds a backslash' : null;
}

function onWindows(path: string): string | null {
  const slashed = path.replaceAll('/', '\\');
  if (/^\\\\[?.](\\|$)/.test(slashed) || slashed.startsWith('\\??\\')) return 'it names a device';
  // With the name of a server, but whether it is one of the folders is seen before anybody is asked on the network.
  if (/^\\\\[^\\]/.test(slashed)) return null;
  return /^[a-z]:\\/i.test(slashed) ? null : 'it is not absolute';
}

/** A part that Windows takes for something else; those of the folder itself are as the person opened it. */
function oddOnWindows(part: string): string | null {
  if (part.includes(':')) return 'it names a stream of a file';
  if (/[<>"|?*]/.test(part)) return 'it holds a character that no name may have';
  if (/[. ]$/.test(part)) return 'a name in it ends with a dot or a space';
  if (/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i.test(part)) return 'it names a device';
  if (/~\d+(\.[^.]*)?$/.test(part)) return 'it holds a short name';
  return null;
}

function partsOf(path: string, isWindows: boolean): readonly string[] {
  return path.split(isWindows ? /[\\/]/ : '/').filter((part, at) => {
    // The two empty parts that a server's name begins with are what tells it from a drive.
    if (isWindows && at < 2 && /^[\\/]{2}/.test(path)) return true;
    return part !== '' && part !== '.';
  });
}

function beginsWith(parts: readonly string[], above: readonly string[], platform: Platform): boolean {
  const fold = (part: string) => (foldsNames(platform) ? part.normalize('NFC').toLowerCase() : part);
  return above.every((part, at) => fold(part) === fold(parts[at] ?? ''));
}

/** Only a first look: what a name really is, the disk says afterwards. */
function foldsNames(platform: Platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}
