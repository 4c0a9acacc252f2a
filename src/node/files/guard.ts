// Which files an agent may touch: those whose real path lies in a folder of the workspace, whatever they are called.
// Promises: what is refused was not opened, and what is spelled outside of the folders was not even looked for; `real`
// holds no link. Leaves to `pinned.ts` that what is opened later is still what was judged here.

import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { FileUse } from '../../core/files.ts';
import { systemCodeOf } from '../atomicWrite.ts';
import { whySensitive } from './sensitive.ts';
import { partsBelow, spelledIn } from './spelling.ts';

export type Guarded =
  | { readonly kind: 'inside'; readonly real: string }
  /** A person decides; `why` follows on "because". */
  | { readonly kind: 'ask'; readonly real: string; readonly why: string }
  | { readonly kind: 'refused'; readonly words: string };

export interface Guard {
  /** Never throws for a path, whatever it is. The file may be missing, and folders above it too. */
  resolve(path: string, use: FileUse): Promise<Guarded>;
}

const { platform } = process;

/**
 * The folders are asked for each time, since a window gains and loses some. `own` are those of the extension itself, as
 * the history: a person is asked about everything in them.
 */
export function guardIn(folders: () => readonly string[], own: readonly string[] = []): Guard {
  return { resolve: (path, use) => guarded(path, use, folders().filter(isAbsolute), own) };
}

async function guarded(
  path: string,
  use: FileUse,
  folders: readonly string[],
  own: readonly string[],
): Promise<Guarded> {
  const refused = (why: string): Guarded => ({ kind: 'refused', words: `“${path}” is not given, because ${why}.` });
  const roots = await realOnes(folders);
  const spelled = spelledIn(path, [...folders, ...roots], platform);
  if ('words' in spelled) return refused(spelled.words);
  const found = await realOf(spelled.path);
  if ('words' in found) return refused(found.words);
  const { real } = found;
  const below = roots.flatMap(root => {
    const parts = partsBelow(real, root, platform);
    return parts ? [[basename(root), ...parts]] : [];
  });
  if (below.length === 0) return refused('a link in it leads out of the folders of this workspace');
  // A sensitive name counts as it was spelled and as it really is.
  const asSpelled = [basename(spelled.folder), ...spelled.parts];
  for (const parts of [asSpelled, ...below]) {
    const why = whySensitive(parts, use);
    if (why !== null) return { kind: 'ask', real, why };
  }
  for (const folder of await realOnes(own))
    if (partsBelow(real, folder, platform)) return { kind: 'ask', real, why: 'it belongs to Throughline itself' };
  return { kind: 'inside', real };
}

async function realOnes(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.allSettled(folders.map(folder => realpath(folder)));
  // A folder that is gone holds no file.
  return found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}

type Found = { readonly real: string } | { readonly words: string };

/** The real path of the deepest part that exists, and what is missing below it. */
async function realOf(path: string): Promise<Found> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      const real = await realpath(at);
      const odd = await notForReading(real);
      return odd === null ? { real: join(real, ...missing) } : { words: odd };
    } catch (cause) {
      const code = systemCodeOf(cause);
      if (code !== 'ENOENT') return { words: `the system says ${code === '' ? String(cause) : code} to it` };
    }
    // Something that is there and leads nowhere: whatever is made through it would be made elsewhere.
    if (await isThere(at)) return { words: 'a link in it leads to nothing' };
    if (at === dirname(at)) return { words: 'nothing of it exists' };
    missing.unshift(basename(at));
  }
}

/** A pipe or a device does something by being opened, and may never answer. */
async function notForReading(real: string): Promise<string | null> {
  const about = await lstat(real);
  return about.isFile() || about.isDirectory() ? null : 'it is neither a file nor a folder';
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // Whatever else stands in the way is met again one part higher.
    return false;
  }
}
