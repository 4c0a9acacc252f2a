// Copies one file of a history into another history. Promises: no file that is there is changed, and none is copied
// whose content is there; the copy is whole and synced when it gets its name. Its folder is left to the caller to sync.

import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyBytes, sameBytes } from './fileBytes.ts';
import { nameOf, type HistoryFile } from './historyFiles.ts';
import { makeFolder, placeNew, systemCodeOf, viaTemporary } from '../../atomicWrite.ts';

export interface FileToAdopt {
  readonly from: string;
  readonly to: string;
  readonly file: HistoryFile;
  /** Of joined files that are made here. */
  readonly writer: string;
  /** The journal files of this session in the target. */
  readonly there: readonly HistoryFile[];
}

/** Gone from the source; there in the target already; another of that name is there; or the copy. */
export type FileAdopted = 'gone' | 'there' | 'other' | { readonly name: string; readonly size: number };

export async function adoptFile({ from, to, file, writer, there }: FileToAdopt): Promise<FileAdopted> {
  const wanted = `${file.part}/${file.unclaimed}`;
  const source = await openIfThere(join(from, nameOf(file)));
  if (!source) return 'gone';
  try {
    const { size } = await source.stat();
    if (file.part === 'journal') {
      // Segments only grow, and a joined file may have been one: where the content goes on behind this one's, all is there.
      const places = there.filter(({ unclaimed }) => unclaimed === file.unclaimed || unclaimed.endsWith('.joined'));
      for (const place of places) if (await holds(join(to, nameOf(place)), source, size, false)) return 'there';
    } else {
      const same = await holds(join(to, wanted), source, size, true);
      // A tombstone says with its name what is erased, and what it was answered by goes with it.
      if (same !== null) return same || file.part === 'erased' ? 'there' : 'other';
    }
    await makeFolder(dirname(join(to, wanted)));
    const name = await viaTemporary(
      join(to, wanted),
      temporary => copyBytes(source, temporary, size),
      temporary => placeUnder(namesFor(file, wanted, writer), to, temporary),
    );
    return name === null ? 'other' : { name, size };
  } finally {
    await source.close();
  }
}

/** The names that the copy may get, the best first. */
function* namesFor({ part, session }: HistoryFile, wanted: string, writer: string): Generator<string> {
  yield wanted;
  // The segment of that name may have a live writer; a joined file has none and takes records of any.
  if (part === 'journal') for (let k = 0; ; k++) yield `journal/${session}~${writer}.${k}.joined`;
}

async function placeUnder(names: Iterable<string>, to: string, temporary: string): Promise<string | null> {
  for (const name of names) if (await placeNew(temporary, join(to, name))) return name;
  return null;
}

/** Whether the file there holds these bytes, at its beginning or exactly; null where there is none. */
async function holds(path: string, source: FileHandle, size: number, exactly: boolean): Promise<boolean | null> {
  const there = await openIfThere(path);
  if (!there) return null;
  try {
    if (exactly && (await there.stat()).size > size) return false;
    return await sameBytes(source, there, size);
  } finally {
    await there.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}
