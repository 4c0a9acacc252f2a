// The full-text index on the disk: `search-<clock>.db`, the bytes of its database and a trailer that says what they are.
// It is a cache: one is kept, it may be deleted at any time, and one that is not whole, of another version, or made
// before something was erased is not used. Any process may write one at any time; the last clock wins. One is written when
// there is none, and when much has come since, so that all that is ever written is a few times the last of them.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HybridClock } from '../../../core/history/clock.ts';
import { wordsVersion } from '../../../core/history/words.ts';
import { readCache, writeCache, type CacheKind } from '../index/cacheFile.ts';
import { ProseTables } from './proseTables.ts';
import type { OpenDatabase } from '../index/sqlite.ts';
import type { Store } from '../store.ts';

/** To be counted up with every change of the tables. */
const tablesVersion = 1;
const searchKind: CacheKind = { mark: 'TLSX', version: tablesVersion * 1000 + wordsVersion };
const name = /^search-[0-9a-z]+\.db$/;
const unfinishedName = /^search-[0-9a-z]+\.db\.unfinished$/;
/** Nobody takes so long to write one: who was writing this is dead. */
const abandonedAfter = 3600_000;

/** Saved again when so much has come since, as a share of what was saved. */
const muchMore = 0.2;

export class SearchFile {
  /** How many messages the file has that was read or written last; null where it is gone. */
  private saved: number | null = null;
  private readonly store: Store;
  private readonly now: () => number;
  private readonly clock: HybridClock;

  constructor(store: Store, now: () => number) {
    this.store = store;
    this.now = now;
    this.clock = new HybridClock(store.writer, now);
  }

  /** What is saved, or null: then all is read from the journal. */
  load(): ProseTables | null {
    const { folder, tombstones } = this.store;
    const tables = readSearch(folder, bytes => this.store.newDatabase(bytes), tombstones.known);
    this.saved = tables?.count ?? null;
    return tables;
  }

  /** To be called for each tombstone: the files go that were made before it. */
  drop(): void {
    this.saved = null;
  }

  isDue({ count, unsaved }: ProseTables): boolean {
    return this.saved === null ? count > 0 : unsaved > 0 && unsaved >= this.saved * muchMore;
  }

  save(tables: ProseTables): void {
    if (!this.knowsAllErased(tables)) return;
    try {
      const file = writeSearch(this.store.folder, this.clock.next(), tables.db.bytes(), this.now());
      // Another window erased something while this was written: it may be in it.
      if (!this.knowsAllErased(tables)) rmSync(file, { force: true });
      this.saved = tables.count;
    } catch {
      // It is a cache: without it the next first search takes longer, and nothing else changes.
    }
    tables.unsaved = 0;
  }

  /** Not asked of the store, because what that learns there it would not tell to who has to know it. */
  private knowsAllErased(tables: ProseTables): boolean {
    try {
      const names = readdirSync(this.store.tombstones.folder);
      return names.every(one => one.endsWith('.unfinished') || tables.hasErased(one));
    } catch {
      // No folder: nothing was ever erased here.
      return true;
    }
  }
}

/** Gives the file; older ones are gone then. */
function writeSearch(folder: string, clock: string, bytes: Uint8Array, now: number): string {
  const file = join(folder, `search-${clock}.db`);
  writeCache(file, bytes, searchKind);
  for (const other of readdirSync(folder)) {
    const path = join(folder, other);
    if (name.test(other) ? path < file : unfinishedName.test(other) && isAbandoned(path, now))
      rmSync(path, { force: true });
  }
  return file;
}

/** The newest that can be used; those that cannot are removed. */
function readSearch(folder: string, open: OpenDatabase, tombstones: ReadonlySet<string>): ProseTables | null {
  const names = readdirSync(folder).filter(one => name.test(one));
  for (const newest of names.toSorted().toReversed()) {
    try {
      const bytes = readCache(join(folder, newest), searchKind);
      if (typeof bytes !== 'string') {
        const tables = new ProseTables(open(bytes));
        if ([...tombstones].every(tombstone => tables.hasErased(tombstone))) return tables;
        tables.db.close();
      }
      rmSync(join(folder, newest), { force: true });
    } catch {
      // Gone since the folder was listed, or not readable: there is nothing in it that the journal does not have.
    }
  }
  return null;
}

function isAbandoned(file: string, now: number): boolean {
  const { mtimeMs = Infinity } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return now - mtimeMs > abandonedAfter;
}
