// The histories that this machine knows: `histories/<id>.json` in global storage, one small file each, so that windows
// never write to the same one unless they have the same history. Promises: a file that is damaged hides no other; what
// is listed was looked at just now. And which of them seem to belong to a window that has nothing yet, with the reasons.

import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { historyErrorOf } from '../../../core/history/historyError.ts';
import { listHistory, sessionsIn } from './historyFiles.ts';
import {
  fieldsOf,
  homeFoldersOf,
  isHistoryId,
  readIfThere,
  type Home,
  type HomeFolder,
  type ServedFolder,
} from './home.ts';
import { makeFolder, systemCodeOf, writeAtomic } from '../../atomicWrite.ts';

interface Note {
  readonly format: number;
  readonly id: string;
  /** The history folder, absolute. */
  readonly folder: string;
  readonly folders: readonly HomeFolder[];
  /** When it was used last, to the day. */
  readonly last: number;
}

export interface KnownHistory extends Omit<Note, 'format'> {
  /** Its folder is there and may be read; without that the numbers are 0. */
  readonly there: boolean;
  /** Of its journal and its blobs. */
  readonly bytes: number;
  readonly sessions: number;
}

const noteFormat = 1;
const day = 24 * 3600_000;

/** Notes that this history lies in this folder; writes only what is new, and the time once a day. */
export async function noteHistory(globalFolder: string, home: Home, folder: string, now: number): Promise<void> {
  const notes = join(globalFolder, 'histories');
  try {
    await makeFolder(notes);
    let file = join(notes, `${home.id}.json`);
    let old = await readNote(file);
    if (old && old.folder !== folder && (await isFolder(old.folder))) {
      // Someone copied the folder, id and all. Both are histories of their own by now, and neither may hide the other.
      const place = createHash('sha256').update(folder).digest('hex').slice(0, 8);
      file = join(notes, `${home.id}-${place}.json`);
      old = await readNote(file);
    }
    if (old && old.format > noteFormat) return;
    const note: Note = { format: noteFormat, id: home.id, folder, folders: home.folders, last: now };
    const isSame = (one: Note): boolean => JSON.stringify({ ...one, last: 0 }) === JSON.stringify({ ...note, last: 0 });
    if (old && isSame(old) && now - old.last < day) return;
    await writeAtomic(file, `${JSON.stringify(note, null, 2)}\n`);
  } catch (cause) {
    throw historyErrorOf(cause);
  }
}

/** The one that was used last first. */
export async function knownHistories(globalFolder: string): Promise<readonly KnownHistory[]> {
  const notes = join(globalFolder, 'histories');
  const known = new Map<string, KnownHistory>();
  try {
    for (const name of await jsonFiles(notes)) {
      const note = await readNote(join(notes, name)).catch(() => {
        // Not readable: the others are.
        return undefined;
      });
      if (!note) continue;
      const { id, folder, folders, last } = note;
      // A folder can be noted under two spellings.
      const place = await realpath(folder).catch(() => folder);
      if (last <= (known.get(place)?.last ?? -Infinity)) continue;
      known.set(place, { id, folder, folders, last, ...(await measure(folder)) });
    }
  } catch (cause) {
    throw historyErrorOf(cause);
  }
  return [...known.values()].toSorted((a, b) => b.last - a.last);
}

/** A neighbour is a folder that is gone from beside one of this window: it was renamed, perhaps. */
export type AdoptReason = 'same-folder' | 'same-git-root' | 'same-name' | 'neighbour' | 'folder-gone';

export interface Adoptable {
  readonly history: KnownHistory;
  /** At least one, the strongest first. */
  readonly reasons: readonly AdoptReason[];
}

/** The history of the window that asks. */
export interface CurrentHistory {
  readonly id: string;
  readonly served: readonly ServedFolder[];
  readonly sessions: number;
}

const strength: { readonly [reason in AdoptReason]: number } = {
  'same-folder': 8,
  'same-git-root': 4,
  'same-name': 2,
  neighbour: 0.5,
  'folder-gone': 1,
};

/** The histories that seem to belong to a window that has no sessions yet, the likeliest first. */
export function adoptable(
  known: readonly KnownHistory[],
  current: CurrentHistory,
  exists: (uri: string) => boolean,
): readonly Adoptable[] {
  if (current.sessions > 0) return [];
  const found: (Adoptable & { readonly likely: number })[] = [];
  for (const history of known) {
    if (history.id === current.id || !history.there || history.sessions === 0) continue;
    const reasons = reasonsFor(history.folders, current.served, exists);
    if (reasons.length === 0) continue;
    const likely = reasons.reduce((sum, reason) => sum + strength[reason], 0);
    found.push({ history, reasons, likely });
  }
  return found
    .toSorted((a, b) => b.likely - a.likely || b.history.last - a.history.last)
    .map(({ history, reasons }) => ({ history, reasons }));
}

function reasonsFor(
  folders: readonly HomeFolder[],
  served: readonly ServedFolder[],
  exists: (uri: string) => boolean,
): readonly AdoptReason[] {
  const some = (fits: (one: HomeFolder, other: ServedFolder) => boolean): boolean =>
    folders.some(one => served.some(other => fits(one, other)));
  const reasons: AdoptReason[] = [];
  if (some((one, other) => one.uri === other.uri)) reasons.push('same-folder');
  if (some((one, other) => one.gitRoot !== null && one.gitRoot === other.gitRoot)) reasons.push('same-git-root');
  if (some((one, other) => one.name === other.name)) reasons.push('same-name');
  if (folders.length > 0 && !folders.some(one => exists(one.uri))) {
    if (some((one, other) => parentOf(one.uri) === parentOf(other.uri))) reasons.push('neighbour');
    reasons.push('folder-gone');
  }
  return reasons;
}

function parentOf(uri: string): string {
  return uri.replace(/\/[^/]*\/?$/, '');
}

async function measure(folder: string): Promise<Pick<KnownHistory, 'there' | 'bytes' | 'sessions'>> {
  try {
    if (!(await isFolder(folder))) return { there: false, bytes: 0, sessions: 0 };
    const history = await listHistory(folder);
    let bytes = 0;
    for (const { part, name } of history.files) {
      if (part !== 'journal' && part !== 'blobs') continue;
      // One that went since it was listed takes no room.
      bytes += (await stat(join(folder, part, name)).catch(() => null))?.size ?? 0;
    }
    return { there: true, bytes, sessions: sessionsIn(history).size };
  } catch {
    // It is there and nothing in it may be read: nobody can adopt it.
    return { there: false, bytes: 0, sessions: 0 };
  }
}

async function readNote(file: string): Promise<Note | undefined> {
  const bytes = await readIfThere(file);
  const { format, id, folder, folders, last } = (bytes && fieldsOf(bytes)) ?? {};
  if (typeof format !== 'number' || !isHistoryId(id) || typeof folder !== 'string' || typeof last !== 'number') {
    return undefined;
  }
  return { format, id, folder, folders: homeFoldersOf(folders), last };
}

async function jsonFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter(name => name.endsWith('.json')).toSorted();
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
