// One history in two forms: the engine's folder, with a snapshot, and a SQLite file with the same turns in it.
// Promises: all of it is on the disk and quiet when it is given back, and the engine has read every record of it.

import { closeSync, cpSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { BulkJournal, openEngine } from './engine.ts';
import { SqliteFile } from './references.ts';
import { Workload } from './workload.ts';

export interface Fixture {
  readonly messages: number;
  /** The engine's history folder. */
  readonly folder: string;
  readonly sqliteFile: string;
  /** A session with a path of a thousand messages, where the history has so many. */
  readonly longSession: string;
}

export const seed = 20_260_401;

export async function makeFixture(parent: string, messages: number): Promise<Fixture> {
  const folder = join(parent, `history-${messages}`);
  const sqliteFile = join(parent, `history-${messages}.sqlite`);
  mkdirSync(folder, { recursive: true });
  const journal = new BulkJournal(folder);
  const sqlite = new SqliteFile(sqliteFile);
  let longSession = '';
  let turns = 0;
  sqlite.db.exec('BEGIN');
  for (const turn of new Workload(seed).history(messages)) {
    journal.add(turn);
    sqlite.add(turn);
    longSession ||= turn.session;
    // Small transactions keep the log, and with it the file, near its usual size.
    if (++turns % 500 === 0) sqlite.db.exec('COMMIT; BEGIN');
  }
  sqlite.db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.db.close();
  journal.close();
  const engine = await openEngine(folder);
  if (engine.recovered !== turns) throw new Error(`the engine read ${engine.recovered} of ${turns} records`);
  engine.snapshot();
  engine.close();
  return { messages, folder, sqliteFile, longSession };
}

/** The SQLite file as sql.js can open it: without a log beside it. */
export function plainCopy({ sqliteFile }: Fixture, name: string): string {
  const file = `${sqliteFile}.${name}`;
  cpSync(sqliteFile, file);
  const { db } = new SqliteFile(file);
  db.exec('PRAGMA journal_mode=DELETE');
  db.close();
  const fd = openSync(file, 'r+');
  fsyncSync(fd);
  closeSync(fd);
  return file;
}
