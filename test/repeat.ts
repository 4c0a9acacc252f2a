// `npm run test:repeat -- 30 [--busy] [--first] <files or globs>` runs test files again and again, each run a `node --test`
// of its own in the environment that test/run.ts gives their layer, and counts the failures of each test. `--busy` keeps
// two cores busy meanwhile; `--first` stops after the first run that failed. Exits with 1 when any run failed.

import './vscode/leashed.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import type { Failure } from './failures.ts';
import { layers, type Layer, type Needs } from './layers.ts';
import { endStuck } from './stuck.ts';
import { out, repository } from './vscode/places.ts';

interface Counted {
  failures: number;
  readonly first: string;
}

const usage = 'Usage: npm run test:repeat -- <runs> [--busy] [--first] <test files or globs>';
const logs = join(out, 'test', 'repeat');
let running: ChildProcess | undefined;
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    running?.kill(signal);
  });
}

const { runs, files, isBusy, isFirstOnly } = readArguments();
const chosen = files.map(layerOf);
const inOrder: readonly Needs[] = ['vscode', 'package', 'nothing'];
const layer = {
  seconds: Math.max(...chosen.map(({ seconds }) => seconds)),
  atOnce: Math.min(...chosen.map(({ atOnce }) => atOnce)),
  needs: inOrder.find(one => chosen.some(({ needs }) => needs === one)) ?? 'nothing',
};
await prepare();
rmSync(logs, { recursive: true, force: true });
mkdirSync(logs, { recursive: true });
const loops = isBusy ? [spinCore(), spinCore()] : [];
const counted = new Map<string, Counted>();
let done = 0;
let failedRuns = 0;
try {
  while (done < runs && !stopped && !(isFirstOnly && failedRuns > 0)) await runOnce();
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
printTable();

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { busy: { type: 'boolean', default: false }, first: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [count = '', ...patterns] = positionals;
    if (!/^[1-9]\d*$/.test(count) || patterns.length === 0) throw new Error(usage);
    const found = patterns.map(pattern => ({ pattern, matches: globSync(pattern, { cwd: repository }).toSorted() }));
    const unmatched = found.find(({ matches }) => matches.length === 0);
    if (unmatched) throw new Error(`No file matches “${unmatched.pattern}”.`);
    return {
      runs: Number(count),
      files: [...new Set(found.flatMap(({ matches }) => matches))],
      isBusy: values.busy,
      isFirstOnly: values.first,
    };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 2);
  }
}

function layerOf(file: string): Pick<Layer, 'seconds' | 'needs' | 'atOnce'> {
  const found = layers.find(one => one.files.some(pattern => matchesGlob(file, pattern)));
  return found ?? { seconds: 120, needs: 'nothing', atOnce: 1 };
}

/** What runs in VS Code must be what the sources say, so it is packaged before the first run, as the layers do. */
async function prepare(): Promise<void> {
  if (layer.needs === 'nothing') return;
  const scripts = [join('test', 'vscode', 'package.ts')];
  if (layer.needs === 'vscode') scripts.push(join('test', 'vscode', 'prepare.ts'));
  for (const script of scripts) if ((await run([script], 'inherit')).code !== 0) fail(`${script} failed.`, 1);
}

async function runOnce(): Promise<void> {
  const report = join(logs, 'failures.jsonl');
  const began = performance.now();
  rmSync(report, { force: true });
  const { code, printed } = await run(
    [
      '--test',
      `--test-concurrency=${layer.atOnce}`,
      `--test-timeout=${layer.seconds * 1000}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('failures.ts', import.meta.url).href}`,
      `--test-reporter-destination=${report}`,
      ...files,
    ],
    'pipe',
  );
  // What an interruption ended says nothing about the tests.
  if (stopped) return;
  done++;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const failures = readFailures(report);
  if (code === 0 && failures.length === 0) {
    console.log(`✔ run ${done} of ${runs} (${seconds} s)`);
    return;
  }
  failedRuns++;
  if (failures.length === 0) failures.push({ name: '(the test runner)', message: `It ended with ${code}.` });
  const log = join(logs, `run-${done}.txt`);
  writeFileSync(log, printed);
  console.log(`✖ run ${done} of ${runs} (${seconds} s): see ${log}`);
  // A test that fails twice in one run, as a table of rows with one name may, has failed in one run.
  for (const { name, message } of new Map(failures.map(one => [one.name, one])).values()) {
    console.log(`    ${name}: ${message}`);
    const before = counted.get(name);
    if (before) before.failures++;
    else counted.set(name, { failures: 1, first: message });
  }
}

function readFailures(report: string): Failure[] {
  try {
    const lines = readFileSync(report, 'utf8').split('\n');
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as Failure);
  } catch {
    // The runner was ended before it wrote its report; its exit code says that it failed.
    return [];
  }
}

async function run(args: readonly string[], stdout: 'inherit' | 'pipe') {
  // The tests in plain Node.js load the same sources in every file: compiled once, they serve all of them.
  const cached = layer.needs === 'nothing' ? { NODE_COMPILE_CACHE: join(out, 'test', 'compiled') } : {};
  const child = spawn(process.execPath, args, {
    cwd: repository,
    stdio: ['ignore', stdout, stdout],
    // With this variable set, Node.js would take its `--test` for a test file of an outer run.
    env: { ...process.env, ...cached, NODE_TEST_CONTEXT: undefined },
  });
  running = child;
  let printed = '';
  const collect = (data: unknown): void => void (printed += String(data));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const ended = new AbortController();
  const watching = endStuck(child.pid ?? 0, ended.signal, undefined, words => {
    printed += `${words}\n`;
    console.log(words);
  });
  const code = await new Promise<number | string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal ?? 'no exit code'));
  });
  running = undefined;
  ended.abort();
  await watching;
  return { code, printed };
}

function spinCore(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

function printTable(): void {
  const rows = [...counted].toSorted(([, one], [, other]) => other.failures - one.failures);
  if (rows.length > 0) console.log('');
  for (const [name, { failures, first }] of rows) console.log(`✖ ${failures} of ${done}  ${name}\n    ${first}`);
  console.log(`\nℹ ${done} runs, ${failedRuns} failures${stopped ? ' (interrupted)' : ''}`);
  process.exitCode = failedRuns > 0 || stopped ? 1 : 0;
}

function fail(message: string, code: number): never {
  console.error(`✖ ${message}`);
  process.exit(code);
}
