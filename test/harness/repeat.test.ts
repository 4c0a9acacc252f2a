// Proves that test/repeat.ts counts what fails, over real runs of real test files, and ends as it says.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { processes } from '../processes.mjs';
import '../vscode/leashed.ts';
import { repository, temporaryFolder } from '../vscode/places.ts';

/** Fails in its second and third run, inside another test, and always passes beside it. */
const unsteady = `import { test } from 'node:test';
import { appendFileSync, readFileSync } from 'node:fs';
const file = new URL('runs.txt', import.meta.url);
appendFileSync(file, 'x');
const run = readFileSync(file, 'utf8').length;
test('steady', () => {});
test('outer', async t => {
  await t.test('inner', () => { if (run === 2 || run === 3) throw new Error('broke in run ' + run + '\\nmore'); });
});`;

function repeat(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(repository, 'test', 'repeat.ts'), ...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  return { child, ended, printed: text(child.stdout) };
}

function unsteadyFile(): string {
  const file = join(temporaryFolder('repeat'), 'unsteady.test.mjs');
  writeFileSync(file, unsteady);
  return file;
}

test('a repeated test file is counted by test, with the first message of each failure', async () => {
  const { ended, printed } = repeat('4', unsteadyFile());
  assert.equal(await ended, 1);
  const lines = (await printed).trimEnd().split('\n');
  assert.deepEqual(lines.slice(-4), ['✖ 2 of 4  outer › inner', '    broke in run 2', '', 'ℹ 4 runs, 2 failures']);
  assert.equal(lines.filter(line => line.startsWith('✔ run')).length, 2);
});

test('--first stops after the first run that failed', async () => {
  const { ended, printed } = repeat('4', '--first', unsteadyFile());
  assert.equal(await ended, 1);
  assert.match(await printed, /\nℹ 2 runs, 1 failures\n$/);
});

test('runs that all pass end with exit code 0', async () => {
  const file = join(temporaryFolder('repeat'), 'steady.test.mjs');
  writeFileSync(file, `import { test } from 'node:test';\ntest('steady', () => {});\n`);
  const { ended, printed } = repeat('2', file);
  assert.equal(await ended, 0);
  assert.match(await printed, /\nℹ 2 runs, 0 failures\n$/);
});

test('a pattern without files and a missing count are refused', async () => {
  for (const args of [['2', 'test/e2e/nothing-like-this.test.ts'], ['test/e2e/golden.test.ts'], ['0', 'x']])
    assert.equal(await repeat(...args).ended, 2);
});

test(
  '--busy runs two busy loops beside the tests, and an interruption ends them',
  { skip: process.platform === 'win32' ? 'there is no list of processes on Windows' : false },
  async () => {
    const folder = temporaryFolder('repeat');
    const reached = join(folder, 'reached.txt');
    const file = join(folder, 'endless.test.mjs');
    writeFileSync(
      file,
      `import { test } from 'node:test';
      import { writeFileSync } from 'node:fs';
      test('endless', () => new Promise(() => { writeFileSync(${JSON.stringify(reached)}, ''); setInterval(() => {}, 1000); }));`,
    );
    const { child, ended, printed } = repeat('4', '--busy', file);
    const loops = () =>
      processes().filter(({ parent, command }) => parent === child.pid && command.endsWith('for (;;);'));
    while (!existsSync(reached)) await setTimeout(20);
    const before = loops();
    assert.equal(before.length, 2);
    child.kill('SIGINT');
    assert.equal(await ended, 1);
    assert.match(await printed, /\nℹ 0 runs, 0 failures \(interrupted\)\n$/);
    const after = new Map(processes().map(({ pid, start }) => [pid, start]));
    for (const { pid, start } of before) assert.notEqual(after.get(pid), start);
  },
);
