// A real history on a real folder for a test: the worker thread, the disk and sql.js, as the extension has them.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openHistory, type OpenedHistory } from '../../../src/node/history/history.ts';
import { randomIds } from '../../../src/node/ids.ts';

export const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
export const workerFile = new URL('../../../src/node/history/worker.ts', import.meta.url);
export const ids = randomIds();

/** A folder that is gone when the test is over. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function openTestHistory(t: TestContext, folder: string): Promise<OpenedHistory> {
  const history = await openHistory({ folder, writer: ids.writer(), workerFile, wasmFile });
  t.after(() => history.close());
  return history;
}
