// Runs what CI runs, layer by layer, from the fastest to the slowest, and stops at the first that fails. Every layer is
// a `node --test` of its own; its closing lines are added up truthfully into the very last lines of the whole.
// `node test/run.ts` runs all but the long ones; `--full` runs those as well; `node test/run.ts check`, or any names of
// layers, only those. Installing is bootstrap.mjs.

import './vscode/leashed.ts';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { layers, type Layer } from './layers.ts';
import { endStuck } from './stuck.ts';
import { kinds } from './totals.ts';
import type { Totals } from './totals.ts';
import { out, repository } from './vscode/places.ts';

/** A tool that has to end well, or files of tests. */
type Step = { tool: string[]; otherwise: string } | { tests: Layer };
type Outcome = { name: string; seconds: number; totals: Totals; failure?: string };

const bin = (name: string): string => join(repository, 'node_modules', '.bin', name);
const house = (file: string): string => join('test', 'house', file);
const sources = ['src', 'test', 'esbuild.mjs'];

const checks: Step[] = [
  { tool: [bin('tsc'), '-b'], otherwise: 'the types do not fit' },
  { tool: [bin('oxlint'), '-c', house('oxlint.json'), '--type-aware', ...sources], otherwise: 'lint found something' },
  {
    tool: [bin('oxfmt'), '-c', house('oxfmt.json'), '--check', ...sources],
    otherwise: 'files are not formatted: `npm run format`',
  },
];
const packing: Step = {
  tool: [process.execPath, join('test', 'vscode', 'package.ts')],
  otherwise: 'the build or the package failed',
};
const machine: Step = {
  tool: [process.execPath, join('test', 'vscode', 'prepare.ts')],
  otherwise: 'no real VS Code could be made ready',
};

let running: ChildProcess | undefined;
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    running?.kill(signal);
  });
}

const started = performance.now();
const outcomes: Outcome[] = [];
let isPacked = false;
for (const layer of chosen(process.argv.slice(2))) {
  console.log(`\n━━ ${layer.name}: ${layer.what}`);
  const outcome = await runLayer(layer);
  outcomes.push(outcome);
  if (outcome.failure) {
    break;
  }
}
conclude(outcomes);

function chosen(words: string[]): readonly Layer[] {
  const isFull = words.includes('--full');
  const names = words.filter(word => word !== '--full');
  const unknown = names.find(name => !layers.some(layer => layer.name === name));
  if (unknown) {
    console.error(`✖ There is no layer "${unknown}"; there are ${layers.map(layer => layer.name).join(', ')}.`);
    process.exit(2);
  }
  return layers.filter(({ name, isLong }) => (names.length === 0 ? isFull || !isLong : names.includes(name)));
}

/** What runs in VS Code must be what the sources say, whichever layers were asked for. */
function stepsOf(layer: Layer): Step[] {
  const packs = layer.needs !== 'nothing' && !isPacked;
  isPacked ||= packs;
  return [
    ...(layer.name === 'check' ? checks : []),
    ...(packs ? [packing] : []),
    ...(layer.needs === 'vscode' ? [machine] : []),
    { tests: layer },
  ];
}

async function runLayer(layer: Layer): Promise<Outcome> {
  const { name } = layer;
  const from = performance.now();
  const totals = Object.fromEntries(kinds.map(kind => [kind, 0])) as Totals;
  let failure: string | undefined;
  for (const step of stepsOf(layer)) {
    if ('tool' in step) {
      const [program = '', ...args] = step.tool;
      failure = (await run(program, args)) ? undefined : step.otherwise;
    } else {
      failure = await runTests(join(out, 'test', `${name}.json`), step.tests, totals);
    }
    if (failure ?? stopped) {
      failure = stopped ? 'it was interrupted' : failure;
      break;
    }
  }
  const seconds = (performance.now() - from) / 1000;
  console.log(`${failure ? '✖' : '✔'} ${name}: ${failure ?? 'passed'} (${seconds.toFixed(1)} s)`);
  return failure ? { name, seconds, totals, failure } : { name, seconds, totals };
}

/** Runs files of tests, adds what they came to, and says what went wrong, if anything did. */
async function runTests(
  report: string,
  { files: patterns, seconds, atOnce, needs }: Layer,
  sum: Totals,
): Promise<string | undefined> {
  const files = globSync([...patterns], { cwd: repository }).toSorted();
  if (files.length === 0) {
    return undefined;
  }
  rmSync(report, { force: true });
  mkdirSync(join(out, 'test'), { recursive: true });
  const runner = [
    '--test',
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${seconds * 1000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('totals.ts', import.meta.url).href}`,
    `--test-reporter-destination=${report}`,
    ...files,
  ];
  // Every file, and every worker of the history, loads the same sources: what is compiled once serves all of them.
  const env = needs === 'nothing' ? { NODE_COMPILE_CACHE: join(out, 'test', 'compiled') } : {};
  const passed = await run(process.execPath, runner, { watch: endStuck, env });
  let counts: Totals;
  try {
    counts = JSON.parse(readFileSync(report, 'utf8')) as Totals;
  } catch {
    return 'the test runner did not come to its end';
  }
  for (const kind of kinds) {
    sum[kind] += counts[kind];
  }
  const lost = counts.failed + counts.cancelled;
  return passed && lost === 0 ? undefined : `${lost} of ${counts.tests} tests failed`;
}

interface Beside {
  /** Sees to the program until it has ended. */
  readonly watch?: (pid: number, over: AbortSignal) => Promise<void>;
  readonly env?: NodeJS.ProcessEnv;
}

async function run(
  program: string,
  args: string[],
  { watch = () => Promise.resolve(), env = {} }: Beside = {},
): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
    // On Windows what lies in `.bin` are `.cmd` files, which only a shell can run.
    shell: process.platform === 'win32' && program !== process.execPath,
    // With this variable set, node would take its `--test` for a test file of an outer run.
    env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
  });
  running = child;
  const ended = new AbortController();
  const watching = watch(child.pid ?? 0, ended.signal);
  const code = await new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  running = undefined;
  ended.abort();
  await watching;
  return code === 0;
}

function conclude(done: Outcome[]): void {
  const sum = (kind: keyof Totals): number => done.reduce((total, { totals }) => total + totals[kind], 0);
  const failed = done.find(outcome => outcome.failure);
  console.log('\n━━ summary');
  for (const { name, seconds, totals, failure } of done) {
    const tests = `${totals.tests} tests`.padStart(11);
    console.log(`${failure ? '✖' : '✔'} ${name.padEnd(10)} ${tests} ${seconds.toFixed(1).padStart(7)} s`);
  }
  // The build, the types and the lint are no tests: where one of them failed, the counts below do not say so.
  if (failed) {
    console.log(`\n✖ The layer "${failed.name}" failed: ${failed.failure}.`);
  }
  console.log(
    [
      `\nℹ tests ${sum('tests')}`,
      `ℹ suites ${sum('suites')}`,
      `ℹ pass ${sum('passed')}`,
      `ℹ fail ${sum('failed')}`,
      `ℹ cancelled ${sum('cancelled')}`,
      `ℹ skipped ${sum('skipped')}`,
      `ℹ todo ${sum('todo')}`,
      `ℹ duration_ms ${(performance.now() - started).toFixed(3)}`,
    ].join('\n'),
  );
  process.exitCode = failed ? 1 : 0;
}
