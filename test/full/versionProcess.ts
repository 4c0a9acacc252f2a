// A process with the history engine of one version, which calls what it is told to: one line of JSON in, one out.
// Arguments: the folder of an unpacked version, or `today`; the folder of the history; the id of its writer.

import { createInterface } from 'node:readline';
import { historyErrorIn } from '../../src/core/history/historyError.ts';
import type { HistoryEngine } from '../fixtures/profile-f23b1dd/answers.ts';
import { todaysEngine } from '../fixtures/profile-f23b1dd/todaysEngine.ts';
import { oldEngine } from './oldVersion.ts';

export interface Call {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface Result {
  readonly id: number;
  readonly value?: unknown;
  readonly code?: string;
  readonly words?: string;
}

const [version = '', folder = '', writer = ''] = process.argv.slice(2);
const engine: HistoryEngine = version === 'today' ? todaysEngine : await oldEngine({ folder: version });
const { workerFile, wasmFile } = engine;
const history = await engine.openHistory({ folder, writer, workerFile, wasmFile });
const answer = (result: Result) => process.stdout.write(`${JSON.stringify(result)}\n`);
answer({ id: 0 });

async function obey({ id, method, args }: Call): Promise<void> {
  try {
    const run = (history as unknown as { readonly [name: string]: (...given: unknown[]) => unknown })[method];
    if (!run) throw new Error(`A history has no ${method}.`);
    const value = await run.apply(history, [...args]);
    answer({ id, value: value instanceof Set ? [...value] : value });
  } catch (cause) {
    answer({ id, code: historyErrorIn(cause)?.code ?? 'unknown', words: String(cause) });
  }
  if (method === 'close') process.exit(0);
}

createInterface({ input: process.stdin }).on('line', line => void obey(JSON.parse(line) as Call));
