// sql.js as the `SqlDatabase` of the projection: an in-memory database with its statements prepared once.
// The database is a cache of the journal, so it trades every durability for speed.

import { readFile } from 'node:fs/promises';
import initSqlJs, { type Statement } from 'sql.js';
import { HistoryError } from '../../../core/history/historyError.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './projection.ts';

/** What goes in; bytes come out of no table of the index. */
export type SqlInput = SqlValue | Uint8Array;

export interface MemoryDatabase extends SqlDatabase {
  run(sql: string, values: readonly SqlInput[]): void;
  /** The whole database as the bytes of a file. Statements and settings survive it. */
  readonly bytes: () => Uint8Array;
  /**
   * Builds every page anew. `secure_delete` clears what is deleted, but not the copies that SQLite leaves in the gaps of
   * pages when it moves rows between them: after this there are none.
   */
  readonly clean: () => void;
  readonly close: () => void;
}

/** Opens an empty database, or one from the bytes of another; throws where they are none. */
export type OpenDatabase = (bytes?: Uint8Array) => MemoryDatabase;

export async function loadSqlite(wasmFile: string): Promise<OpenDatabase> {
  const bytes = await readFile(wasmFile);
  const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const sqlite = await initSqlJs({ wasmBinary });
  return content => wrap(new sqlite.Database(content));
}

function wrap(db: InstanceType<Awaited<ReturnType<typeof initSqlJs>>['Database']>): MemoryDatabase {
  const statements = new Map<string, Statement>();
  let isOpen = true;
  // A callback that comes after the end gets a code. sql.js itself would say "out of memory".
  const opened = () => {
    if (!isOpen) throw new HistoryError('closed');
    return db;
  };
  const prepared = (sql: string) => {
    opened();
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare(sql)));
    return statement;
  };
  db.run('PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=ON;');
  return {
    exec(sql) {
      opened().run(sql);
    },
    run(sql, values) {
      prepared(sql).run([...values]);
    },
    all(sql, values) {
      const statement = prepared(sql);
      const rows: SqlRow[] = [];
      statement.bind([...values]);
      // Not `getAsObject`: it asks for the names of the columns again with every row.
      let names: readonly string[] | null = null;
      while (statement.step()) {
        names ??= statement.getColumnNames();
        const row: { [column: string]: SqlValue } = {};
        const cells = statement.get();
        for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = cells[at] as SqlValue;
        rows.push(row);
      }
      statement.reset();
      return rows;
    },
    bytes: () => opened().export(),
    clean: () => void opened().run('VACUUM'),
    close() {
      isOpen = false;
      db.close();
    },
  };
}
