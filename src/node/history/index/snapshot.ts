// Snapshots of the index: `index-<clock>.db`, the bytes of the database and a trailer that says what they are. They are
// a cache: any may be deleted at any time, two are kept, and one that is not whole, or of another version, is not used.
// Any process may write one at any time; the names are unique and the last clock wins.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexVersion, type SqlDatabase } from './projection.ts';
import { readCache, writeCache, type CacheKind } from './cacheFile.ts';

export const indexKind: CacheKind = { mark: 'TLIX', version: indexVersion };

const kept = 2;
const snapshotName = /^index-[0-9a-z]+\.db$/;
const unfinishedName = /^index-[0-9a-z]+\.db\.unfinished$/;

/** Gives the name of the file. */
export function writeSnapshot(folder: string, clock: string, bytes: Uint8Array): string {
  const name = `index-${clock}.db`;
  writeCache(join(folder, name), bytes, indexKind);
  for (const old of snapshots(folder).slice(kept)) rmSync(join(folder, old), { force: true });
  return name;
}

/** Every index and full-text index that is on the disk, also what another window is about to finish. */
export function dropSnapshots(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^(index|search)-[0-9a-z]+\.db(\.unfinished)?$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

export interface Snapshot<Database> {
  readonly db: Database;
  /** A tick of the clock after everything that is in it. */
  readonly clock: string;
  readonly size: number;
}

/**
 * The newest snapshot that is whole, or null: then the journal is read from its beginning. One that was made before
 * something was erased may hold it still, and is removed; so is whatever else could, where anything was ever erased:
 * older ones, damaged ones, and those that a killed window did not finish.
 */
export function newestSnapshot<Database extends SqlDatabase & { readonly close: () => void }>(
  folder: string,
  open: (bytes: Uint8Array) => Database,
  tombstones: ReadonlySet<string>,
): Snapshot<Database> | null {
  let newest: Snapshot<Database> | null = null;
  for (const name of snapshots(folder)) {
    const found: Snapshot<Database> | null = newest === null ? readSnapshot(folder, name, open, tombstones) : null;
    if (found) newest = found;
    else if (tombstones.size > 0) removeQuietly(join(folder, name));
  }
  if (tombstones.size === 0) return newest;
  for (const name of readdirSync(folder)) if (unfinishedName.test(name)) removeQuietly(join(folder, name));
  return newest;
}

/** Null where it is not whole, or was made before something was erased. */
function readSnapshot<Database extends SqlDatabase & { readonly close: () => void }>(
  folder: string,
  name: string,
  open: (bytes: Uint8Array) => Database,
  tombstones: ReadonlySet<string>,
): Snapshot<Database> | null {
  try {
    const bytes = readCache(join(folder, name), indexKind);
    if (typeof bytes === 'string') return null;
    const db = open(bytes);
    const known = new Set(db.all('SELECT name FROM erased', []).map(row => String(row['name'])));
    if ([...tombstones].every(tombstone => known.has(tombstone))) {
      return { db, clock: /^index-([0-9a-z]+)/.exec(name)?.[1] ?? '', size: bytes.length };
    }
    db.close();
    return null;
  } catch {
    // Gone since the folder was listed, or not readable: the next older one is as good, only longer to catch up.
    return null;
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // On a disk that is only read from nothing can be removed; whoever opens the folder next tries again.
  }
}

/** Newest first. */
function snapshots(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(name => snapshotName.test(name))
    .toSorted()
    .toReversed();
}
