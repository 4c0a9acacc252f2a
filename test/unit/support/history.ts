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

/** What has to be closed before its folder can go. */
const open = new Map<string, (() => Promise<void>)[]>();

/** A folder that is gone when the test is over, after everything that was opened in it is closed. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'));
  open.set(folder, []);
  t.after(async () => {
    await Promise.all((open.get(folder) ?? []).map(close => close()));
    open.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** What is closed before the folder goes. */
export function closesWith(folder: string, close: () => Promise<void>): void {
  open.get(folder)?.push(close);
}

/** A history in a folder of `temporaryFolder`. */
export async function openTestHistory(
  folder: string,
  onWarning: (warning: Error) => void = () => {},
): Promise<OpenedHistory> {
  const history = await openHistory({ folder, writer: ids.writer(), workerFile, wasmFile, onWarning });
  closesWith(folder, () => history.close());
  return history;
}
