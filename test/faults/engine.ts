// What these tests know of the engine's inside: how a history is opened, where its files lie, how records become
// tables. Promises: everything else here goes through the `History` port and the record's own words, so that a change
// of the engine's arguments or files changes this file only.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { apply, schema, type Applied, type Place, type SqlDatabase } from '../../src/core/history/projection.ts';
import { openHistory, type OpenedHistory } from '../../src/node/history/history.ts';
import { readFrom } from '../../src/node/history/segmentReader.ts';
import { loadSqlite } from '../../src/node/history/sqlite.ts';
import { Store } from '../../src/node/history/store.ts';
import { ids, wasmFile, workerFile } from '../unit/support/history.ts';

export { ids };

/** A history as a window has it: a process, a worker, and a writer's name that nobody had before. */
export interface Engine {
  readonly history: OpenedHistory;
  readonly writer: string;
}

export async function openEngine(folder: string): Promise<Engine> {
  const writer = ids.writer();
  return { history: await openHistory({ folder, writer, workerFile, wasmFile }), writer };
}

/** A record and its place. */
export type StoredRecord = Applied;

export interface Journal {
  readonly records: readonly StoredRecord[];
  readonly bad: readonly Place[];
  readonly tails: readonly Place[];
}

/** Every record of every segment, in the order of files and offsets. */
export function readJournal(folder: string): Journal {
  const records: StoredRecord[] = [];
  const bad: Place[] = [];
  const tails: Place[] = [];
  for (const segment of segmentsOf(folder).toSorted()) {
    for (let position = 0, more = true; more;) {
      const found = readFrom(journalOf(folder), segment, position, false);
      records.push(...found.records);
      bad.push(...found.bad);
      if (found.tail) tails.push(found.tail);
      ({ position, more } = found);
    }
  }
  return { records, bad, tails };
}

export function journalOf(folder: string): string {
  return join(folder, 'journal');
}

export function segmentsOf(folder: string): readonly string[] {
  return readdirSync(journalOf(folder)).filter(name => name.endsWith('.seg'));
}

/** The files that may be deleted at any time. */
export function cachesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => /^(index|search)-.*\.db$/.test(name));
}

export function removeCaches(folder: string): void {
  for (const name of cachesOf(folder)) rmSync(join(folder, name), { force: true });
}

/** The rows of every table, sorted. */
export type Tables = ReadonlyMap<string, readonly string[]>;

/** The tables that these records make, when they are applied in the order in which they are given. */
export async function tablesOf(records: readonly StoredRecord[]): Promise<Tables> {
  const db = (await loadSqlite(wasmFile))();
  db.exec(schema);
  for (const one of records) apply(db, [one], one.place.segment, one.place.offset + one.place.length);
  return tablesIn(db);
}

/** The tables that a window has right after it opened the folder, from a snapshot where there is a good one. */
export async function tablesAfterOpening(folder: string): Promise<Tables & { readonly fromSnapshot: boolean }> {
  const open = await loadSqlite(wasmFile);
  let last: SqlDatabase | undefined;
  const store = new Store(folder, ids.writer(), bytes => (last = open(bytes)) as ReturnType<typeof open>, Date.now);
  const tables = last ? tablesIn(last) : new Map<string, readonly string[]>();
  store.close();
  return Object.assign(tables, { fromSnapshot: store.recovery.fromSnapshot });
}

function tablesIn(db: SqlDatabase): Map<string, readonly string[]> {
  const names = db.all(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`, []);
  const rowsOf = (name: string): readonly string[] =>
    db
      // A segment that was made and never written to has been read too; the records alone do not tell of it.
      .all(`SELECT * FROM ${name}${name === 'applied' ? ' WHERE position > 0' : ''}`, [])
      .map(row => JSON.stringify(row))
      .toSorted();
  return new Map(names.map(({ name }) => [String(name), rowsOf(String(name))]));
}
