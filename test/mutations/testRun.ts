// Runs test files of a tree in a `node --test` of its own, until one test fails, all have ended, or the time is up. When
// it is over, nothing that the tests started is left, and their temporary files are gone.

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endAll } from '../leash.mjs';
import { processOf } from '../processes.mjs';
import type { Ended } from './reporter.ts';

export interface TestRun {
  readonly tree: string;
  readonly files: readonly string[];
  /** Words from the names of the tests; undefined runs all. */
  readonly only: string | undefined;
  readonly seconds: number;
}

export interface Outcome {
  readonly result: 'passed' | 'failed' | 'hung' | 'crashed' | 'interrupted';
  /** How many tests passed until then. */
  readonly passed: number;
  /** What failed, or what was printed where nothing says more. */
  readonly words: string;
}

let runs = 0;

export async function runTests({ tree, files, only, seconds }: TestRun, stop: AbortSignal): Promise<Outcome> {
  // The leash of this run ends what carries a mark that begins with its own.
  const mark = join(process.env['THROUGHLINE_RUN'] ?? tmpdir(), `tests-${++runs}`);
  mkdirSync(mark);
  const child = spawn(process.execPath, argumentsFor(files, only, seconds), {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // With this variable set, Node.js would take its `--test` for a test file of an outer run.
      NODE_TEST_CONTEXT: undefined,
      NODE_COMPILE_CACHE: join(tree, 'out', 'test', 'compiled'),
      THROUGHLINE_RUN: mark,
      ...Object.fromEntries(['TMPDIR', 'TMP', 'TEMP'].map(name => [name, mark])),
    },
  });
  let end: (result: Outcome['result'] | 'ended') => void = () => {};
  const over = new Promise<Outcome['result'] | 'ended'>(resolve => (end = resolve));
  const ended: Ended[] = [];
  createInterface({ input: child.stdout }).on('line', line => {
    const one = endedIn(line);
    if (!one) return;
    ended.push(one);
    // The rest of the run would say no more.
    if (one.outcome === 'failed') end('failed');
  });
  let printed = '';
  child.stderr.on('data', data => (printed += String(data)));
  child.once('error', error => {
    printed += error.message;
    end('crashed');
  });
  child.once('close', () => end('ended'));
  const timer = setTimeout(() => end('hung'), seconds * 1000);
  const interrupt = () => end('interrupted');
  stop.addEventListener('abort', interrupt, { once: true });
  if (stop.aborted) interrupt();
  const result = await over;
  clearTimeout(timer);
  stop.removeEventListener('abort', interrupt);
  await endAll(mark, child.pid === undefined ? [] : [`${child.pid}/${processOf(child.pid)?.start ?? ''}`]);
  rmSync(mark, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return outcomeOf(result, ended, printed, child.exitCode);
}

function argumentsFor(files: readonly string[], only: string | undefined, seconds: number): readonly string[] {
  const pattern = only === undefined ? [] : [`--test-name-pattern=${RegExp.escape(only)}`];
  return [
    '--test',
    '--test-concurrency=2',
    `--test-timeout=${seconds * 1000}`,
    `--test-reporter=${new URL('reporter.ts', import.meta.url).href}`,
    '--test-reporter-destination=stdout',
    ...pattern,
    ...files,
  ];
}

function endedIn(line: string): Ended | null {
  try {
    return JSON.parse(line) as Ended;
  } catch {
    // Something that a test printed.
    return null;
  }
}

function outcomeOf(
  result: Outcome['result'] | 'ended',
  ended: readonly Ended[],
  printed: string,
  code: number | null,
): Outcome {
  const passed = ended.filter(({ outcome }) => outcome === 'passed').length;
  const first = (wanted: Ended['outcome']) => ended.find(({ outcome }) => outcome === wanted);
  if (result !== 'ended') return { result, passed, words: first('failed')?.name ?? printed };
  const hung = first('timed out');
  if (hung) return { result: 'hung', passed, words: hung.name };
  const crashed = first('file failed');
  if (crashed) return { result: 'crashed', passed, words: `${crashed.name} ${crashed.printed ?? ''}`.trim() };
  if (code !== 0) return { result: 'crashed', passed, words: `The test runner ended with ${code}. ${printed}`.trim() };
  return { result: 'passed', passed, words: '' };
}
