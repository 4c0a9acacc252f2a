// What the tools of the built-in agents find in a folder, with ripgrep where this machine has VS Code's, and without.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { lookupWith } from '../../../src/node/files/lookup/lookup.ts';
import { globTest, ignoreRules, isIgnored } from '../../../src/node/files/lookup/ignored.ts';
import { ripgrepIn } from '../../../src/node/files/lookup/ripgrep.ts';
import type { Lookup } from '../../../src/core/ports.ts';
import { temporaryFolder } from '../support/history.ts';
import { never } from '../support/scriptedProgram.ts';

const servers = join(import.meta.dirname, '../../../.vscode-test');
const folders = existsSync(servers) ? readdirSync(servers).filter(name => name.startsWith('vscode-server-')) : [];
const program = folders.map(name => ripgrepIn(join(servers, name))).find(found => found !== null) ?? null;
const ways: readonly (readonly [name: string, lookup: Lookup])[] = [
  ['by itself', lookupWith(null)],
  ...(program === null ? [] : [['with ripgrep', lookupWith(program)] as const]),
];

const files: { readonly [name: string]: string } = {
  '.gitignore': 'out/\n*.log\n!kept.log\n',
  'a.ts': 'const Limit = 3;\nconst other = 4;\n',
  'src/b.ts': 'limit(1)\r\nlimit(2)\r\n',
  'src/deep/c.css': '.limit {}\n',
  'src/deep/.gitignore': 'hidden.css\n',
  'src/deep/hidden.css': '.limit {}\n',
  'out/d.ts': 'limit\n',
  'x.log': 'limit\n',
  'kept.log': 'limit\n',
  '.env': 'LIMIT=canary\n',
  '.git/config': 'limit\n',
  '.ci/run': 'limit\n',
};

function project(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'project');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, 'secret.ts'), 'limit\n');
  symlinkSync(outside, join(folder, 'linked'));
  symlinkSync(join(outside, 'secret.ts'), join(folder, 'secret.ts'));
  return folder;
}

const everything = ['.ci/run', '.gitignore', 'a.ts', 'kept.log', 'src/b.ts', 'src/deep/.gitignore', 'src/deep/c.css'];
const all = { under: null, glob: null, isPattern: false, matchCase: false };

for (const [name, lookup] of ways) {
  test(`[A47] ${name}: all files but what git ignores, what may hold secrets, and what links lead to`, async t => {
    const folder = project(t);
    assert.deepEqual(await lookup.list(folder, all, never), { names: everything, cutShort: false });
    const css = await lookup.list(folder, { under: 'src', glob: '*.css' }, never);
    assert.deepEqual(css.names, ['src/deep/c.css']);
    const below = await lookup.list(folder, { under: null, glob: 'src/**/*.ts' }, never);
    assert.deepEqual(below.names, ['src/b.ts']);
  });

  test(`[A47] ${name}: the lines with a text, whatever it is`, async t => {
    const folder = project(t);
    const linesOf = async (query: object) => {
      const { lines } = await lookup.find(folder, { ...all, text: 'limit', ...query }, never);
      return lines.map(({ name: file, line, text }) => `${file}:${line}:${text}`).toSorted();
    };
    assert.deepEqual(await linesOf({}), [
      '.ci/run:1:limit',
      'a.ts:1:const Limit = 3;',
      'kept.log:1:limit',
      'src/b.ts:1:limit(1)',
      'src/b.ts:2:limit(2)',
      'src/deep/c.css:1:.limit {}',
    ]);
    assert.deepEqual(await linesOf({ matchCase: true, glob: '*.ts' }), ['src/b.ts:1:limit(1)', 'src/b.ts:2:limit(2)']);
    assert.deepEqual(await linesOf({ text: 'limit(2)', under: 'src' }), ['src/b.ts:2:limit(2)']);
    assert.deepEqual(await linesOf({ text: '--files' }), []);
    assert.deepEqual(await linesOf({ text: 'canary' }), []);
  });

  test(`[A47] ${name}: nothing outside of the folder, and that is said`, async t => {
    const folder = project(t);
    for (const under of ['..', '/', 'linked', '../project/..'])
      await assert.rejects(lookup.list(folder, { under, glob: null }, never), /is not in the folder/);
    await assert.rejects(lookup.list(folder, { under: 'none', glob: null }, never), /There is no folder/);
  });

  test(`[A47] ${name}: a great many are cut, and that is told`, async t => {
    const folder = temporaryFolder(t);
    for (let n = 0; n < 600; n++) writeFileSync(join(folder, `${n}.txt`), 'limit\n');
    const { names, cutShort } = await lookup.list(folder, all, never);
    assert.deepEqual([names.length, cutShort], [500, true]);
    const found = await lookup.find(folder, { ...all, text: 'limit' }, never);
    assert.deepEqual([found.lines.length, found.cutShort], [200, true]);
  });

  test(`[A47] ${name}: a cancel stops it`, async t => {
    await assert.rejects(lookup.find(project(t), { ...all, text: 'limit' }, AbortSignal.abort()), {
      name: 'AbortError',
    });
  });
}

const ignored: readonly (readonly [rules: string, name: string, isFolder: boolean, is: boolean])[] = [
  ['*.log', 'a/b.log', false, true],
  ['/a', 'a', true, true],
  ['/a', 'b/a', true, false],
  ['a/b', 'a/b', false, true],
  ['a/b', 'c/a/b', false, false],
  ['**/b', 'c/a/b', false, true],
  ['a/**', 'a/c/d', false, true],
  ['build/', 'build', false, false],
  ['build/', 'x/build', true, true],
  ['*.log\n!a.log', 'a.log', false, false],
  ['# a', '# a', false, false],
  ['\\#a', '#a', false, true],
  ['a?c', 'abc', false, true],
  ['[ab].c', 'b.c', false, true],
  ['a.c', 'abc', false, false],
];

test('[A47] the rules of a .gitignore', () => {
  for (const [rules, name, isFolder, is] of ignored)
    assert.equal(isIgnored(name, isFolder, ignoreRules(rules, '')), is, `${rules} of ${name}`);
  assert.equal(isIgnored('s/x.log', false, ignoreRules('*.log', 's')), true);
  assert.equal(isIgnored('x.log', false, ignoreRules('*.log', 's')), false);
  assert.equal(globTest('*.{ts,css}')('src/a.css'), true);
});
