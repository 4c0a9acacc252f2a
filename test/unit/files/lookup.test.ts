// What the tools of the built-in agents find in a folder, with ripgrep where this machine has VS Code's, and without.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { lookupWith } from '../../../src/node/files/lookup/lookup.ts';
import { fitsName, globTest, ignoreFile, isIgnored, tokensOf, type Token } from '../../../src/node/files/ignore.ts';
import { diskFiles } from '../../../src/node/files/search.ts';
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

const globs: readonly (readonly [glob: string, fits: readonly string[], not: readonly string[]])[] = [
  ['*.ts', ['a.ts', 'x/y/a.ts'], ['a.tsx']],
  ['./src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'x/src/a.ts']],
  ['src/**/*.{ts,css}', ['src/a.ts', 'src/x/y/a.css'], ['src/a.js', 'a.ts']],
  ['{src,test}/**', ['src/a', 'test/x/a'], ['src', 'out/a']],
  ['{a}', ['a'], ['{a}']],
  ['a{', ['a{'], ['a']],
  ['[ab]?', ['ac', 'x/bc'], ['cc', 'a']],
  ['[z-a]', [], ['z', 'a', 'm']],
  ['[', [], ['[']],
  ['.*', ['.ci'], ['aci']],
];

test('[A47] globs fit names as people write them', () => {
  for (const [glob, yes, no] of globs) {
    const fits = globTest(glob);
    for (const name of yes) assert.ok(fits(name), `${glob} fits ${name}`);
    for (const name of no) assert.ok(!fits(name), `${glob} doesn't fit ${name}`);
  }
});

/** How often a character of the name is looked at. */
function stepsOf(pattern: string, name: string): number {
  let steps = 0;
  const chars = new Proxy(Array.from(name), {
    get(target, at, receiver): unknown {
      if (typeof at === 'string' && /^\d+$/.test(at)) steps++;
      return Reflect.get(target, at, receiver);
    },
  });
  const tokens: readonly Token[] = tokensOf(pattern) ?? assert.fail(pattern);
  fitsName(tokens, chars);
  return steps;
}

const hostile = [
  '*a*a*a*a*a*a*b',
  `${'*a'.repeat(50)}*b`,
  `${'a*'.repeat(50)}b`,
  '*'.repeat(100) + 'b',
  '?*'.repeat(50) + 'b',
];

for (const pattern of hostile)
  test(`[A79] ${pattern.slice(0, 20)} costs no more steps than its length times that of the name`, () => {
    const name = 'a'.repeat(100);
    assert.ok(stepsOf(pattern, name) <= pattern.length * name.length, String(stepsOf(pattern, name)));
    const nested = `${name}/`.repeat(10) + name;
    assert.equal(globTest(pattern)(nested), false);
    assert.equal(globTest(`**/${pattern}/**/${pattern}`)(nested), false);
    assert.equal(isIgnored([ignoreFile(pattern, 0)], nested.split('/'), false), false);
  });

test('[A79] a glob with too many alternatives, or one that is too long, is refused in words', () => {
  assert.throws(() => globTest('{a,b}'.repeat(20)), /too many alternatives/);
  assert.throws(() => globTest('a'.repeat(1001)), /too long/);
});

test('[A79] a folder with a hostile .gitignore is listed, without what its other rules exclude', async t => {
  const folder = temporaryFolder(t);
  const name = 'a'.repeat(100);
  writeFileSync(join(folder, '.gitignore'), [...hostile, '[z-a]', '[', '*.log'].join('\n'));
  for (const file of [name, 'b.log']) writeFileSync(join(folder, file), 'limit\n');
  const { names } = await lookupWith(null).list(folder, { under: null, glob: null }, never);
  assert.deepEqual(names, ['.gitignore', name]);
  const hits = await lookupWith(null).list(folder, { under: null, glob: '*a*a*a*a*a*a*b' }, never);
  assert.deepEqual(hits.names, []);
});

test('[A80] the search of the scout passes over secrets, ignored files and links, as every search does', async t => {
  const folder = project(t);
  const secrets = ['.env', 'prod.env', '.ssh/config', '.aws/config', 'deep/.kube/config', 'server.pem'];
  for (const name of secrets) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'LIMIT canary\n');
  }
  const { hits } = await diskFiles.search(folder, ['limit'], never);
  assert.deepEqual(hits.map(({ name }) => name).toSorted(), [
    '.ci/run',
    'a.ts',
    'kept.log',
    'src/b.ts',
    'src/deep/c.css',
  ]);
  assert.deepEqual((await diskFiles.search(folder, ['canary'], never)).hits, []);
  for (const below of ['.ssh', '.aws'])
    assert.deepEqual((await diskFiles.search(join(folder, below), ['canary'], never)).hits, [], below);
  for (const [, lookup] of ways)
    for (const below of ['.ssh', '.aws'])
      assert.deepEqual((await lookup.list(join(folder, below), all, never)).names, [], below);
});
