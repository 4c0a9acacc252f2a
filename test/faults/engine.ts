// What these tests know of the engine's inside: how a history is opened, where its files lie, how records become
// tables. Promises: everything else here goes through the `History` port and the record's own words, so that a change
// of the engine's arguments or files changes this file only.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { putBack } from '../../src/core/history/blobs.ts';
import { Erasure } from '../../src/core/history/erasure.ts';
import { apply, schema, type SqlDatabase } from '../../src/node/history/index/projection.ts';
import { Erasing } from '../../src/node/history/erasing/erasing.ts';
import { openHistory, type OpenedHistory } from '../../src/node/history/history.ts';
import type { Place, PlacedRecord } from '../../src/node/history/journal/recordPlace.ts';
import { segmentsIn } from '../../src/node/history/journal/segmentName.ts';
import { readFrom } from '../../src/node/history/journal/segmentReader.ts';
import { loadSqlite } from '../../src/node/history/index/sqlite.ts';
import { Store } from '../../src/node/history/store.ts';
import type { BlobRef, SessionId } from '../../src/model/message.ts';
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

/** A history without its worker, that hears of nothing by itself. */
export async function openStore(folder: string): Promise<Store> {
  return new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
}

/** A branch, for ever, by a history without its worker. */
export function eraseIn(store: Store, session: SessionId, message: string): void {
  new Erasing(store).erase(session, { message, subtree: true });
}

/** A record and its place. */
export type StoredRecord = PlacedRecord;

export interface Journal {
  readonly records: readonly StoredRecord[];
  readonly bad: readonly Place[];
  readonly tails: readonly Place[];
}

/** Every record of every file of the journal, in the order of files and offsets, joined and claimed ones too. */
export function readJournal(folder: string): Journal {
  const records: StoredRecord[] = [];
  const bad: Place[] = [];
  const tails: Place[] = [];
  for (const segment of segmentsIn(journalOf(folder)).toSorted()) {
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

/** The record with what lies in files of its own; where one of those is missing or damaged, that is said instead. */
export function withBlobs(folder: string, stored: StoredRecord): StoredRecord {
  const { record, place } = stored;
  const session = record.facts[0]?.session ?? '';
  for (const blob of record.blobs ?? []) if (!readBlob(folder, session, blob)) return { record: broken(record), place };
  return { record: putBack(record, ref => readBlob(folder, session, ref)?.toString('utf8') ?? null), place };
}

function broken({ v, w, n, h, facts }: StoredRecord['record']): StoredRecord['record'] {
  return { v, w, n, h, facts };
}

function readBlob(folder: string, session: SessionId, { sha256, size }: BlobRef): Buffer | null {
  try {
    const bytes = readFileSync(join(folder, 'blobs', session, sha256));
    return bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null;
  } catch {
    return null;
  }
}

export function journalOf(folder: string): string {
  return join(folder, 'journal');
}

/** Those that a writer appends to. */
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
export async function tablesOf(records: readonly StoredRecord[], erasure = new Erasure()): Promise<Tables> {
  const db = (await loadSqlite(wasmFile))();
  db.exec(schema);
  for (const one of records) apply(db, [one], one.place.segment, one.place.offset + one.place.length, erasure);
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
  // What was erased is no table of what is there.
  const tables = `type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'erased'`;
  const names = db.all(`SELECT name FROM sqlite_master WHERE ${tables}`, []);
  const rowsOf = (name: string): readonly string[] =>
    db
      // A segment that was made and never written to has been read too; the records alone do not tell of it.
      .all(`SELECT * FROM ${name}${name === 'applied' ? ' WHERE position > 0' : ''}`, [])
      .map(row => JSON.stringify(row))
      .toSorted();
  return new Map(names.map(({ name }) => [String(name), rowsOf(String(name))]));
}
