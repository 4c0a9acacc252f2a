// Proves test/mutations/run.ts on small trees of its own: what isn't noticed and what no longer fits the code fails the
// run, and the tree stays as it was.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenRow, mutate, type Row } from '../mutations/row.ts';
import { processes } from '../processes.mjs';
import '../vscode/leashed.ts';
import { repository, temporaryFolder } from '../vscode/places.ts';

const source = `// A door.
export const isOpen = (key: string): boolean => key === 'right';
export const limit = 3;
export const enough = (count: number): boolean => count >= limit;
`;
const doorTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enough, isOpen } from './door.ts';
test('a wrong key opens nothing', () => assert.equal(isOpen('wrong'), false));
test('the right key opens', () => assert.equal(isOpen('right'), true));
test('waits', async () => { while (!enough(3)) await new Promise(resolve => setTimeout(resolve, 5)); });
`;

const row: Row = {
  defence: 'A wrong key opens nothing',
  attacks: [],
  file: 'door.ts',
  text: "key === 'right'",
  replacement: "key !== ''",
  tests: ['door.test.ts'],
};

function run(table: readonly Partial<Row>[], ...args: readonly string[]) {
  const tree = temporaryFolder('tree');
  const files = { 'door.ts': source, 'door.test.ts': doorTest, 'failing.test.ts': doorTest.replace('false', 'true') };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(tree, name), content);
  mkdirSync(join(tree, 'ignored'));
  writeFileSync(join(tree, '.gitignore'), 'ignored/\n');
  assert.equal(spawnSync('git', ['init', '-q', tree]).status, 0);
  const rows = table.map(one => ({ ...row, ...one }));
  writeFileSync(join(tree, 'ignored', 'table.ts'), `export const table = ${JSON.stringify(rows)};\n`);
  const script = join(repository, 'test', 'mutations', 'run.ts');
  const child = spawn(
    process.execPath,
    [script, '--tree', tree, '--table', join(tree, 'ignored', 'table.ts'), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  );
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  const printed = text(child.stdout).then(words => {
    for (const [name, content] of Object.entries(files))
      assert.equal(readFileSync(join(tree, name), 'utf8'), content, 'the tree is as it was');
    return words;
  });
  return { child, ended, printed };
}

test('[L10] a run in which every missing defence is noticed passes', async () => {
  const { ended, printed } = run([{}]);
  const words = await printed;
  assert.match(words, /^✔ noticed: A wrong key opens nothing \(\d+\.\d s\)\n {4}door\.ts: a wrong key opens nothing\n/);
  assert.match(words, /\nℹ 1 defences, 1 noticed, 0 unnoticed\n$/);
  assert.equal(await ended, 0);
});

test('[L10] a missing defence that no test notices fails the run', async () => {
  const { ended, printed } = run([{}, { text: 'limit = 3', replacement: 'limit = 2', only: 'wrong key' }]);
  const words = await printed;
  assert.match(words, /✖ unnoticed: A wrong key opens nothing .*\n {4}door\.ts: 1 tests pass without it\n/);
  assert.match(words, /\nℹ 2 defences, 1 noticed, 1 unnoticed\n$/);
  assert.equal(await ended, 1);
});

const broken: readonly (readonly [what: string, change: Partial<Row>, words: RegExp])[] = [
  [
    'whose text is gone',
    { text: 'key === "right"' },
    /Row “A wrong key opens nothing”: its text isn’t there in door\.ts/,
  ],
  ['whose text is there twice', { text: 'boolean' }, /its text is there 2 times in door\.ts/],
  ['without a text', { text: '' }, /its text isn’t there/],
  ['that changes nothing', { replacement: row.text }, /its replacement changes nothing/],
  ['whose file is gone', { file: 'gate.ts' }, /gate\.ts/],
  ['whose mutation doesn’t parse', { replacement: 'key ===' }, /The mutated file doesn’t parse/],
  ['whose tests fail without it', { tests: ['failing.test.ts'] }, /don’t pass in the tree as it is/],
  ['whose tests are gone', { tests: ['gate.test.ts'] }, /don’t pass in the tree as it is|None of its tests ran/],
  ['whose tests have other names', { only: 'a window' }, /None of its tests ran/],
  [
    'whose mutation can’t be loaded',
    { text: 'export const enough', replacement: 'export const other' },
    /Its tests crashed/,
  ],
  ['whose tests hang', { text: 'count >= limit', replacement: 'count < 0', seconds: 3 }, /Its tests hung/],
];

for (const [what, change, words] of broken) {
  test(`[L10] a row ${what} fails the run`, async () => {
    const { ended, printed } = run([change]);
    assert.match(await printed, words);
    assert.match(await printed, /\nℹ 1 defences, 0 noticed, 0 unnoticed, 1 broken\n$/);
    assert.equal(await ended, 1);
  });
}

test('[L10] tests that hang notice what the row says they notice so', async () => {
  const { ended, printed } = run([
    { text: 'count >= limit', replacement: 'count < 0', seconds: 3, shows: 'hang' },
    { text: 'export const enough', replacement: 'export const other', shows: 'crash' },
  ]);
  assert.match(await printed, /\nℹ 2 defences, 2 noticed, 0 unnoticed\n$/);
  assert.equal(await ended, 0);
});

test('[L10] --only chooses rows by their words, and words that choose none are refused', async () => {
  const one = run([{ defence: 'A key' }, { defence: 'A lock' }], '--only', 'LOCK');
  assert.match(await one.printed, /✔ noticed: A lock [^]*ℹ 1 defences, 1 noticed/);
  assert.equal(await one.ended, 0);
  assert.equal(await run([{}], '--only', 'window').ended, 2);
});

test(
  '[L10] an interruption ends what runs, and says so',
  { skip: process.platform === 'win32' ? 'there is no list of processes on Windows' : false },
  async () => {
    const folder = temporaryFolder('reached');
    const reached = join(folder, 'reached.txt');
    const mutation = `(require('node:fs').writeFileSync(${JSON.stringify(reached)}, ''), false)`;
    const replacement = mutation.replace('require', `process.getBuiltinModule('node:module').createRequire('/')`);
    const { child, ended, printed } = run([{ text: 'count >= limit', replacement, shows: 'hang' }]);
    while (!existsSync(reached)) await delay(20);
    const below = processes().filter(({ parent, command }) => parent === child.pid && command.includes('--test'));
    assert.equal(below.length, 1);
    child.kill('SIGINT');
    assert.equal(await ended, 1);
    assert.match(await printed, /\nℹ 1 defences, 0 noticed, 0 unnoticed \(interrupted\)\n$/);
    const left = processes().map(({ pid, start }) => `${pid}/${start}`);
    for (const { pid, start } of below) assert.ok(!left.includes(`${pid}/${start}`));
  },
);

test('[L10] a text is replaced as it stands, whatever it means to a regular expression', () => {
  assert.equal(mutate({ ...row, text: '(a|b)', replacement: "$&$'" }, 'x(a|b)y'), "x$&$'y");
  assert.throws(() => mutate(row, ''), BrokenRow);
});
