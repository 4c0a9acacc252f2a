// `workspace.json` in the history folder: the stable id of the history, and the workspace folders that it has served.
// Promises: every window on the folder has the same id, whichever came first and however the file was damaged; the file
// is whole at any moment; one of a newer format is read as far as it can be and never written. It is no part of the
// history, so a list that cannot be written today is written another day.

import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import { makeFolder, placeNew, syncFolder, systemCodeOf, viaTemporary, writeAtomic } from '../../atomicWrite.ts';

/** A workspace folder as the window that serves it knows it. */
export interface ServedFolder {
  readonly uri: string;
  readonly name: string;
  /** The first commit of its repository; null where there is none, or where it could not be asked for. */
  readonly gitRoot: string | null;
}

export interface HomeFolder extends ServedFolder {
  /** When it was served first and last, the latter to the day. */
  readonly first: number;
  readonly last: number;
}

export interface Home {
  readonly format: number;
  readonly id: string;
  readonly folders: readonly HomeFolder[];
}

export interface ClaimOptions {
  readonly now: number;
  readonly newId: () => string;
}

export const homeFormat = 1;
const homeFile = 'workspace.json';
const day = 24 * 3600_000;
/** Each further attempt means that another window wrote in between. */
const attempts = 100;

/**
 * The home of the history in this folder, made where there is none, with what is served now in its list. Throws a
 * HistoryError where it can be neither read nor made.
 */
export async function claimHome(
  folder: string,
  served: readonly ServedFolder[],
  { now, newId }: ClaimOptions,
): Promise<Home> {
  const file = join(folder, homeFile);
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const bytes = await readIfThere(file);
      if (!bytes) {
        await makeFolder(folder);
        // Whoever was first made it; everyone reads what was made.
        await create(file, { format: homeFormat, id: newId(), folders: withServed([], served, now) });
        continue;
      }
      const found = parseHome(bytes, folder);
      if (found && found.format > homeFormat) return found;
      const home = found ?? { format: homeFormat, id: legibleId(bytes) ?? idOfPlace(folder), folders: [] };
      const folders = withServed(home.folders, served, now);
      if (found && folders === home.folders) return home;
      const next = { ...home, folders };
      try {
        if (!found) await writeAtomic(`${file}.damaged`, bytes);
        if (await replace(file, bytes, next)) return next;
      } catch (cause) {
        // The list is written another day; if the disk takes nothing any more, the history itself will say so.
        if (found) return home;
        throw cause;
      }
    }
  } catch (cause) {
    throw historyErrorOf(cause);
  }
  throw new HistoryError('io', new Error(`${homeFile} changes all the time`));
}

/** The list with what is served now; the very same list where nothing is to be noted. */
function withServed(known: readonly HomeFolder[], served: readonly ServedFolder[], now: number): readonly HomeFolder[] {
  let folders = known;
  for (const { uri, name, gitRoot: root } of served) {
    const old = folders.find(one => one.uri === uri);
    // A repository that could not be asked today has not lost its first commit.
    const gitRoot = root ?? old?.gitRoot ?? null;
    if (old && old.name === name && old.gitRoot === gitRoot && now - old.last < day) continue;
    const fresh = { uri, name, gitRoot, first: old?.first ?? now, last: Math.max(now, old?.last ?? now) };
    folders = old ? folders.map(one => (one === old ? fresh : one)) : [...folders, fresh];
  }
  return folders;
}

/** What the file says; undefined where it is damaged. */
function parseHome(bytes: Buffer, folder: string): Home | undefined {
  const fields = fieldsOf(bytes);
  const format = fields?.['format'];
  if (!fields || typeof format !== 'number' || !(format >= 1)) return undefined;
  const { id, folders } = fields;
  if (format > homeFormat) {
    return { format, id: isHistoryId(id) ? id : idOfPlace(folder), folders: homeFoldersOf(folders) };
  }
  return isHistoryId(id) && Array.isArray(folders) ? { format, id, folders: homeFoldersOf(folders) } : undefined;
}

/** The object that a file of JSON holds; undefined where it holds none. */
export function fieldsOf(bytes: Buffer): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : undefined;
  } catch {
    // No JSON: that is the answer.
    return undefined;
  }
}

/** Ids become names of files, so nothing else is taken for one. */
export function isHistoryId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-z][0-9a-z-]{0,63}$/.test(value);
}

/** The entries that are whole. */
export function homeFoldersOf(value: unknown): readonly HomeFolder[] {
  return Array.isArray(value) ? value.filter(isHomeFolder) : [];
}

function isHomeFolder(value: unknown): value is HomeFolder {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, name, gitRoot, first, last } = value as { readonly [key: string]: unknown };
  const texts =
    typeof uri === 'string' && typeof name === 'string' && (gitRoot === null || typeof gitRoot === 'string');
  return texts && typeof first === 'number' && typeof last === 'number';
}

/** The id that stands in a damaged file: it comes first, so that it is legible in one that was cut. */
function legibleId(bytes: Buffer): string | undefined {
  const id = /"id":\s*"([^"]+)"/.exec(bytes.toString('utf8'))?.[1];
  return isHistoryId(id) ? id : undefined;
}

/** Not a new one: two windows that find the same damage must come to the same id without asking each other. */
function idOfPlace(folder: string): string {
  return createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 20);
}

async function create(file: string, home: Home): Promise<void> {
  await viaTemporary(
    file,
    handle => handle.writeFile(textOf(home)),
    temporary => placeNew(temporary, file),
  );
  syncFolder(dirname(file));
}

/** False where the file is no longer what was read: then nothing is written. */
async function replace(file: string, was: Buffer, home: Home): Promise<boolean> {
  return viaTemporary(
    file,
    handle => handle.writeFile(textOf(home)),
    async temporary => {
      if (!(await readIfThere(file))?.equals(was)) return false;
      await rename(temporary, file);
      syncFolder(dirname(file));
      return true;
    },
  );
}

function textOf({ format, id, folders }: Home): string {
  return `${JSON.stringify({ format, id, folders }, null, 2)}\n`;
}

export async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}
