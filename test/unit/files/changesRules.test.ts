// What .gitignore files exclude, beside what git itself says where there is a git, and how many lines a change has.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ignoreFile, isIgnored } from '../../../src/node/files/ignore.ts';
import { lineCount } from '../../../src/node/files/changes/lineCount.ts';
import { stage } from './changesStage.ts';

/** A path that ends with a slash is a folder's. */
const rules: readonly { readonly rules: string; readonly yes: readonly string[]; readonly no: readonly string[] }[] = [
  { rules: 'a', yes: ['a', 'x/a', 'a/', 'a/b'], no: ['ab', 'ba', 'A'] },
  { rules: '/a', yes: ['a', 'a/b'], no: ['x/a'] },
  { rules: 'a/', yes: ['a/', 'x/a/', 'a/b'], no: ['a', 'x/a'] },
  { rules: 'a/b', yes: ['a/b'], no: ['x/a/b', 'b'] },
  { rules: '*.log', yes: ['a.log', 'x/.log'], no: ['a.logs', 'log'] },
  { rules: '/*.log', yes: ['a.log'], no: ['x/a.log'] },
  { rules: 'x/*.log', yes: ['x/a.log'], no: ['x/y/a.log'] },
  { rules: '**/a', yes: ['a', 'x/a', 'x/y/a'], no: ['x/ab'] },
  { rules: 'a/**', yes: ['a/b', 'a/b/c'], no: ['a', 'a/', 'x/a/b'] },
  { rules: 'a/**/b', yes: ['a/b', 'a/x/b', 'a/x/y/b'], no: ['x/a/b', 'ab'] },
  { rules: '**', yes: ['a', 'x/y'], no: [] },
  { rules: 'a**b', yes: ['ab', 'axyb', 'x/axb'], no: ['a/b'] },
  { rules: 'a?c', yes: ['abc'], no: ['ac', 'a/c', 'abbc'] },
  { rules: '[ab]c', yes: ['ac', 'bc'], no: ['cc', 'abc'] },
  { rules: '[!ab]c\n[^xc]d', yes: ['cc', 'dd'], no: ['ac', 'xd'] },
  { rules: '[a-c]\n[0-9-]x\n[]x]y', yes: ['b', '-x', '4x', ']y', 'xy'], no: ['d', 'ax', 'ay'] },
  { rules: '[[:digit:]]x\n[[:upper:][:space:]]', yes: ['1x', 'A', ' '], no: ['ax', 'a'] },
  { rules: '[a\n\\', yes: [], no: ['a', '[a', '\\'] },
  { rules: '\\#a\n\\!b\n#c', yes: ['#a', '!b'], no: ['#c', 'c', 'a'] },
  { rules: 'a  \nb\\ \nc\\\\ ', yes: ['a', 'b ', 'c\\'], no: ['a  ', 'b', 'c'] },
  { rules: 'a\\*b', yes: ['a*b'], no: ['axb'] },
  { rules: '*\n!a\n!x/\n', yes: ['b', 'x/b'], no: ['a', 'x/', 'x/a'] },
  { rules: 'x/\n!x/a', yes: ['x/a'], no: ['a'] },
  { rules: 'a\r\n\r\nb\r\n', yes: ['a', 'b'], no: ['a\r'] },
  { rules: '\ufeffa', yes: ['a'], no: [] },
  { rules: '/\n//\n!', yes: [], no: ['a', 'x/a'] },
];

function excludes(files: readonly ReturnType<typeof ignoreFile>[], path: string): boolean {
  const parts = path.replace(/\/$/, '').split('/');
  return parts.some((_, at) => {
    const isFolder = at < parts.length - 1 || path.endsWith('/');
    return isIgnored(files, parts.slice(0, at + 1), isFolder);
  });
}

/** Which of these git excludes; null where there is no git. */
function gitSays(
  t: TestContext,
): ((texts: { readonly [folder: string]: string }, paths: readonly string[]) => ReadonlySet<string>) | null {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'));
  t.after(() => rmSync(folder, { recursive: true }));
  if (spawnSync('git', ['init', '-q', folder]).status !== 0) return null;
  return (texts, paths) => {
    const made = paths.filter(path => path.endsWith('/'));
    for (const below of [...Object.keys(texts), ...made]) mkdirSync(join(folder, below), { recursive: true });
    for (const [below, text] of Object.entries(texts)) writeFileSync(join(folder, below, '.gitignore'), text);
    // With a slash at its end, it takes a folder for something in itself.
    const input = paths.map(path => path.replace(/\/$/, '')).join('\0');
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
    for (const path of made) rmSync(join(folder, path), { recursive: true, force: true });
    const said = new Set(stdout.split('\0'));
    return new Set(paths.filter(path => said.has(path.replace(/\/$/, ''))));
  };
}

test('[F8] what a .gitignore file excludes is what git excludes', t => {
  const git = gitSays(t);
  for (const { rules: text, yes, no } of rules) {
    const all = [...yes, ...no];
    const excluded = all.filter(path => excludes([ignoreFile(text, 0)], path));
    assert.deepEqual(excluded, yes, JSON.stringify(text));
    for (const isFolder of [false, true]) {
      const paths = all.filter(path => path.endsWith('/') === isFolder);
      const said = git?.({ '': text }, paths);
      if (said)
        assert.deepEqual(
          [...said],
          paths.filter(path => yes.includes(path)),
          `git: ${JSON.stringify(text)}`,
        );
    }
  }
});

test('[F8] a deeper .gitignore file counts before a higher one', t => {
  const texts = { '': '*.log\n/out', x: '!a.log\n/b\n', 'x/y': 'a.log' };
  const folders = Object.keys(texts);
  const files = Object.entries(texts).map(([at, text]) => ignoreFile(text, at === '' ? 0 : at.split('/').length));
  const yes = ['a.log', 'x/b.log', 'x/b', 'x/y/a.log', 'out'];
  const no = ['x/a.log', 'b', 'x/y/b', 'x/z/a.log', 'x/out'];
  const above = (path: string) => files.filter((_, at) => path.startsWith(folders[at] ?? ''));
  assert.deepEqual(
    [...yes, ...no].filter(path => excludes(above(path), path)),
    yes,
  );
  const said = gitSays(t)?.(texts, [...yes, ...no]);
  if (said) assert.deepEqual([...said], yes);
});

test('[F8] names fold where the disk folds them', () => {
  assert.equal(isIgnored([ignoreFile('*.LOG', 0, true)], ['a.Log'], false, true), true);
});

test('[F8] a workspace that is part of a repository keeps its rules', async t => {
  const { base, begin, run, settled, ws } = await stage(t, { 'a.txt': 'a' });
  mkdirSync(join(base, '.git'));
  writeFileSync(join(base, '.gitignore'), '*.log\nws/out\n');
  await settled();
  const { end } = begin();
  run('echo x > a.log; mkdir out; echo x > out/o; echo x > b.txt');
  assert.deepEqual(await end(), ['b.txt: absent > "x" +1 -0']);
  assert.ok(ws.startsWith(base));
});

const many = (count: number, line = '') => Array.from({ length: count }, (_, n) => `${line}${n}\n`).join('');

const counts: readonly (readonly [string, string | Uint8Array | null, string | Uint8Array | null, string])[] = [
  ['the same', 'a\nb\n', 'a\nb\n', '+0 -0'],
  ['created', null, 'a\nb', '+2 -0'],
  ['deleted', 'a\n\n', null, '+0 -2'],
  ['empty', '', '', '+0 -0'],
  ['one line in the middle', 'a\nb\nc\n', 'a\nx\nc\n', '+1 -1'],
  ['an end of line', 'a\nb', 'a\nb\n', '+1 -1'],
  ['a line that ends as another', 'xa\nb\n', 'ya\nxa\nb\n', '+1 -0'],
  ['a line twice', 'a\na\n', 'a\na\na\n', '+1 -0'],
  ['moved', 'a\nb\nc\nd\n', 'b\nc\nd\na\n', '+1 -1'],
  ['two places', 'a\nb\nc\nd\ne\n', 'a\nc\nd\nx\ny\ne\n', '+2 -1'],
  ['more edits than are searched', many(1000), many(1000, 'x'), '+1000 -1000'],
  ['more lines than are searched', `s\n${many(9000)}`, `s\n${many(9000, 'x')}`, '+9000 -9000'],
  ['bytes', 'a', new Uint8Array([0]), 'none'],
  ['no UTF-8', 'a', new Uint8Array([255]), 'none'],
  ['large', 'a', 'x'.repeat(1024 * 1024 + 1), 'none'],
];

test('[F10] the lines of a change are counted as a person would', () => {
  for (const [what, before, after, expected] of counts) {
    const [old, now] = [before, after].map(one => (one === null ? null : new Uint8Array(Buffer.from(one))));
    const lines = lineCount(old ?? null, now ?? null);
    assert.equal(lines ? `+${lines.added} -${lines.removed}` : 'none', expected, what);
  }
});
