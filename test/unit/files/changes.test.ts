// Which files a turn changed, as a shell leaves them on a real disk: every kind of change, with and without somebody who
// looked before, named by the agent or by nobody, and what is no change of the turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage, type Files } from './changesStage.ts';

const files: Files = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'b\n',
  'sub/c.txt': 'c\n',
  'sub/deep/d.txt': 'd\n',
  'picture.bin': new Uint8Array([0, 1, 2]),
};

interface Row {
  readonly what: string;
  readonly files?: Files;
  readonly run: string;
  readonly list: readonly string[];
}

/** All of them were looked at before the turn began. */
const rows: readonly Row[] = [
  { what: 'nothing', run: 'cat a.txt', list: [] },
  { what: 'changed', run: 'echo three >> a.txt', list: ['a.txt: "one\\ntwo" > "one\\ntwo\\nthree" +1 -0'] },
  { what: 'created', run: 'echo new > n.txt', list: ['n.txt: absent > "new" +1 -0'] },
  {
    what: 'created in new folders',
    run: 'mkdir -p x/y; echo new > x/y/n.txt',
    list: ['x/y/n.txt: absent > "new" +1 -0'],
  },
  { what: 'deleted', run: 'rm a.txt', list: ['a.txt: "one\\ntwo" > absent +0 -2'] },
  { what: 'empty', run: ': > a.txt; : > n.txt', list: ['a.txt: "one\\ntwo" > "" +0 -2', 'n.txt: absent > "" +0 -0'] },
  { what: 'replaced by a rename', run: 'echo x > t; mv t b.txt', list: ['b.txt: "b" > "x" +1 -1'] },
  { what: 'renamed', run: 'mv b.txt z.txt', list: ['b.txt: "b" > absent +0 -1', 'z.txt: absent > "b" +1 -0'] },
  { what: 'another case', run: 'mv b.txt B.txt', list: ['B.txt: absent > "b" +1 -0', 'b.txt: "b" > absent +0 -1'] },
  {
    what: 'binary',
    run: "printf '\\000\\003' > picture.bin",
    list: ['picture.bin: "\\u0000\\u0001\\u0002" > "\\u0000\\u0003"'],
  },
  { what: 'created and deleted again', run: 'echo x > n.txt; rm n.txt; mkdir f; echo x > f/n; rm -r f', list: [] },
  { what: 'changed and changed back', run: "echo x > b.txt; printf 'b\\n' > b.txt", list: [] },
  { what: 'touched', run: 'touch a.txt; chmod 600 b.txt', list: [] },
  {
    what: 'a folder renamed',
    run: 'mv sub other',
    list: [
      'other/c.txt: absent > "c" +1 -0',
      'other/deep/d.txt: absent > "d" +1 -0',
      'sub/c.txt: "c" > absent +0 -1',
      'sub/deep/d.txt: "d" > absent +0 -1',
    ],
  },
  {
    what: 'a folder deleted',
    run: 'rm -r sub',
    list: ['sub/c.txt: "c" > absent +0 -1', 'sub/deep/d.txt: "d" > absent +0 -1'],
  },
  { what: 'a folder deleted and made again', run: 'cp -a sub t; rm -r sub; mv t sub', list: [] },
  {
    what: 'a folder exchanged for another',
    run: 'mkdir t; echo x > t/c.txt; rm -r sub; mv t sub',
    list: ['sub/c.txt: "c" > "x" +1 -1', 'sub/deep/d.txt: "d" > absent +0 -1'],
  },
  {
    what: 'a file that became a folder',
    run: 'rm b.txt; mkdir b.txt; echo x > b.txt/x',
    list: ['b.txt: "b" > absent +0 -1', 'b.txt/x: absent > "x" +1 -0'],
  },
  {
    what: 'a file that became a folder and a file again',
    run: 'mv b.txt t; mkdir b.txt; rmdir b.txt; mv t b.txt',
    list: [],
  },
  {
    what: 'odd names',
    run: "printf x > 'two\nlines'; printf x > 'a\\b'; printf x > \"$(printf 'broken\\377')\"; printf x > é",
    list: ['a\\b: absent > "x" +1 -0', 'two\nlines: absent > "x" +1 -0', 'é: absent > "x" +1 -0'],
  },
  { what: 'links', run: 'ln -s a.txt l; ln -s . loop; ln -s loop/loop again; mkfifo p', list: [] },
  {
    what: 'what .gitignore excludes',
    files: { '.gitignore': '*.log\n/out/\n!keep.log\n' },
    run: 'echo x > a.log; echo x > keep.log; mkdir out node_modules; echo x > out/o; echo x > node_modules/m; echo x > sub/out',
    list: ['keep.log: absent > "x" +1 -0', 'sub/out: absent > "x" +1 -0'],
  },
  {
    what: 'a rule that is new in the turn',
    run: 'echo x > b.txt; echo b.txt > .gitignore',
    list: ['.gitignore: absent > "b.txt" +1 -0', 'b.txt: "b" > "x" +1 -1'],
  },
  {
    what: 'a rule that goes in the turn',
    files: { '.gitignore': 'x.log', 'x.log': 'x' },
    run: 'rm .gitignore; echo y >> x.log',
    list: ['.gitignore: "x.log" > absent +0 -1', 'x.log: unknown > "xy"'],
  },
  {
    what: 'secrets',
    files: { '.env': 'KEY=1', id_rsa: 'key' },
    run: 'echo KEY=2 > .env; rm id_rsa; echo s > my.pem',
    list: ['.env: 5 bytes > 6 bytes', 'id_rsa: 3 bytes > absent', 'my.pem: absent > 2 bytes'],
  },
  {
    what: 'large files',
    files: { big: 'x'.repeat(1_100_000), same: 'y'.repeat(1_100_000) },
    run: 'echo y >> big; head -c 5000000 /dev/zero > huge; head -c 2000000 /dev/zero > new',
    list: ['big: unknown > 1100002 kept', 'huge: absent > 5000000 bytes', 'new: absent > 2000000 kept'],
  },
];

test('[F4] what a shell changed is listed with before and after', async t => {
  for (const { what, files: more, run, list } of rows)
    await t.test(what, async one => {
      const { settled, begin, run: sh, warnings } = await stage(one, { ...files, ...more });
      await settled();
      const { end } = begin();
      sh(run);
      assert.deepEqual(await end(), list);
      assert.deepEqual(warnings, []);
    });
});

test('[F4] the same without events, once the beginning was looked at', async t => {
  const watch = () => {
    throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
  };
  for (const { what, files: more, run, list } of rows)
    await t.test(what, async one => {
      const { watch: watched, begin, run: sh } = await stage(one, { ...files, ...more }, { watch });
      const { end } = begin();
      await watched.settled();
      sh(run);
      assert.deepEqual(await end(), list);
    });
});
