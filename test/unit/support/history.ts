// A real history on a real folder for a test: the worker thread, the disk and sql.js, as the extension has them.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory, type OpenedHistory } from '../../../src/node/history/history.ts';
import { randomIds } from '../../../src/node/ids.ts';

/** What the engine loads: the sources, or what was built of them. */
export interface EngineFiles {
  readonly workerFile: string | URL;
  readonly wasmFile: string;
}

export const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
export const workerFile = new URL('../../../src/node/history/worker.ts', import.meta.url);
export const engineFiles: EngineFiles = { workerFile, wasmFile };
export const ids = randomIds();

/** Of a test, whoever runs it. */
interface EndOfTest {
  after(run: () => Promise<void>): void;
}

/** What has to be closed before its folder can go. */
const open = new Map<string, (() => Promise<void>)[]>();

/** A folder that is gone when the test is over, after everything that was opened in it is closed. */
export function temporaryFolder(t: EndOfTest): string {
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

interface TestHistoryOptions {
  readonly onWarning?: (warning: Error) => void;
  readonly engine?: EngineFiles;
}

/** A history in a folder of `temporaryFolder`. */
export async function openTestHistory(
  folder: string,
  { onWarning = () => {}, engine = engineFiles }: TestHistoryOptions = {},
): Promise<OpenedHistory> {
  const history = await openHistory({ folder, writer: ids.writer(), ...engine, onWarning });
  closesWith(folder, () => history.close());
  return history;
}
