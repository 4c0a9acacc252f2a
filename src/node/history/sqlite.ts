// sql.js as the `SqlDatabase` of the core: an in-memory database with its statements prepared once.
// The database is a cache of the journal, so it trades every durability for speed.

import { readFile } from 'node:fs/promises';
import initSqlJs, { type Statement } from 'sql.js';
import type { SqlDatabase, SqlRow, SqlValue } from '../../core/history/projection.ts';

export async function openMemoryDatabase(wasmFile: string): Promise<SqlDatabase> {
  const bytes = await readFile(wasmFile);
  const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const sqlite = await initSqlJs({ wasmBinary });
  const db = new sqlite.Database();
  const statements = new Map<string, Statement>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare(sql)));
    return statement;
  };
  db.run('PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=ON;');
  return {
    exec(sql) {
      db.run(sql);
    },
    run(sql, values) {
      prepared(sql).run([...values]);
    },
    all(sql, values) {
      const statement = prepared(sql);
      const rows: SqlRow[] = [];
      statement.bind([...values]);
      while (statement.step()) rows.push(statement.getAsObject() as { [column: string]: SqlValue });
      statement.reset();
      return rows;
    },
  };
}
