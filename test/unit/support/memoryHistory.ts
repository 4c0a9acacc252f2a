// The history of incognito sessions for a test, which also serves where none on a disk is needed: one sql.js for all of a
// test file, loaded with it.

import type { SessionHistory } from '../../../src/core/history/history.ts';
import { memoryHistory as historyIn } from '../../../src/node/history/memoryHistory.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { wasmFile } from './history.ts';

const openDatabase = await loadSqlite(wasmFile);

export function memoryHistory(writer: string): SessionHistory {
  return historyIn(writer, openDatabase);
}
