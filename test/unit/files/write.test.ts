// What becomes of a file that an agent writes: in the editor or on the disk, whole, told, and nowhere else.

import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readText, writeText } from '../../../src/node/files/diskText.ts';
import { guardIn, type Guard } from '../../../src/node/files/guard.ts';
import { Moved } from '../../../src/node/files/pinned.ts';
import { answered, deskIn, namesOutside, place, secret } from './stage.ts';

test('[F3] a write makes the file and its folders, replaces it whole, and is told with what was before', async t => {
  const where = place(t);
  const { write, changes } = deskIn(where);
  await write('x/y/new.txt', 'first');
  await write('x/y/new.txt', 'second\r\n');
  await write('folderIn/b.txt', 'B');
  assert.equal(readFileSync(join(where.ws, 'x/y/new.txt'), 'utf8'), 'second\r\n');
  assert.equal(readFileSync(join(where.ws, 'sub/b.txt'), 'utf8'), 'B');
  const [made, real] = [join(where.ws, 'x/y/new.txt'), join(where.ws, 'sub/b.txt')];
  assert.deepEqual(changes, [
    { path: made, before: null, after: 'first' },
    { path: made, before: 'first', after: 'second\r\n' },
    { path: real, before: 'b', after: 'B' },
  ]);
  assert.deepEqual(readdirSync(join(where.ws, 'x/y')), ['new.txt']);
});

test('[F3] a file keeps its mode and its mark, and another name of the same file keeps the text', async t => {
  const where = place(t);
  const { write, changes } = deskIn(where);
  const script = join(where.ws, 'run.sh');
  writeFileSync(script, '\ufeffold');
  chmodSync(script, 0o750);
  await write('run.sh', 'new');
  assert.equal(statSync(script).mode & 0o777, 0o750);
  assert.equal(readFileSync(script, 'utf8'), '\ufeffnew');
  assert.deepEqual([changes[0]?.before, changes[0]?.after], ['old', 'new']);
  await write('sameFile.txt', 'mine');
  assert.equal(readFileSync(join(where.outside, 'b.txt'), 'utf8'), secret);
});

test('[F3] writes that come at once happen in their order, however long the look at one takes', async t => {
  const where = place(t);
  const inside = guardIn(() => [where.ws]);
  let slow = 30;
  const guard: Guard = {
    resolve: async (path, use) => {
      await delay((slow -= 10));
      return inside.resolve(path, use);
    },
  };
  const { write, changes } = deskIn(where, { guard });
  await Promise.all(['1', '2', '3'].map(content => write('a.txt', content)));
  assert.deepEqual(
    changes.map(({ before, after }) => [before, after]),
    [
      ['one\ntwo\nthree\n', '1'],
      ['1', '2'],
      ['2', '3'],
    ],
  );
});

test('[F3] a write does not wait for a person who is asked about another file', async t => {
  const where = place(t);
  let say: (yes: boolean) => void = () => {};
  const { write, changes } = deskIn(where, { ask: () => new Promise(resolve => (say = resolve)) });
  const first = write('.env', 'KEY=2');
  await write('a.txt', 'x');
  assert.equal(changes.length, 1);
  say(true);
  await first;
  assert.equal(readFileSync(join(where.ws, '.env'), 'utf8'), 'KEY=2');
});

test('[F3] what somebody else wrote since a file was read is not overwritten', async t => {
  const { ws } = place(t);
  const [old, made] = [join(ws, 'a.txt'), join(ws, 'n.txt')];
  const before = await readText(old);
  writeFileSync(old, 'theirs');
  await assert.rejects(writeText(old, 'mine', before), Moved);
  writeFileSync(made, 'theirs');
  await assert.rejects(writeText(made, 'mine', null), Moved);
  assert.deepEqual([readFileSync(old, 'utf8'), readFileSync(made, 'utf8')], ['theirs', 'theirs']);
});

test('[F3] a file that is open is written in its editor, and by itself where the editor let go of it', async t => {
  const where = place(t);
  const written: unknown[] = [];
  let takes = true;
  const editors = {
    openText: async () => 'not saved',
    writeOpen: async (path: string, content: string) => takes && written.push([path, content]) > 0,
  };
  const { write, changes } = deskIn(where, { editors });
  await write('folderIn/b.txt', 'B');
  assert.deepEqual(written, [[join(where.ws, 'sub/b.txt'), 'B']]);
  assert.equal(readFileSync(join(where.ws, 'sub/b.txt'), 'utf8'), 'b');
  takes = false;
  await write('folderIn/b.txt', 'C');
  assert.equal(readFileSync(join(where.ws, 'sub/b.txt'), 'utf8'), 'C');
  assert.deepEqual(
    changes.map(({ before, after }) => [before, after]),
    [
      ['not saved', 'B'],
      ['b', 'C'],
    ],
  );
});

test('[F3] what may not be written stays as it is, is told to nobody, and is refused in words', async t => {
  const where = place(t);
  const { write, changes } = deskIn(where);
  writeFileSync(join(where.ws, 'latin.txt'), Buffer.from([0xe9]));
  writeFileSync(join(where.ws, 'fixed.txt'), 'fixed', { mode: 0o444 });
  const before = namesOutside(where);
  await assert.rejects(write('linkOut.txt', 'x'), answered(-32602, /leads out/));
  await assert.rejects(write('nothingOut.txt', 'x'), answered(-32602, /to nothing/));
  await assert.rejects(write('folderOut/n.txt', 'x'), answered(-32602, /leads out/));
  await assert.rejects(write('sub', 'x'), answered(-32602, /is a folder/));
  await assert.rejects(write('latin.txt', 'x'), answered(-32602, /is not text in UTF-8/));
  await assert.rejects(write('fixed.txt', 'x'), answered(-32602, /is read-only/));
  await assert.rejects(write('a.txt', 'x'.repeat(10 * 1024 * 1024 + 1)), answered(-32602, /larger than 10 MB/));
  await assert.rejects(write('a.txt', '\ud800'), answered(-32602, /half a character/));
  assert.deepEqual(namesOutside(where), before);
  assert.equal(readFileSync(join(where.outside, 'b.txt'), 'utf8'), secret);
  assert.deepEqual(readFileSync(join(where.ws, 'latin.txt')), Buffer.from([0xe9]));
  assert.equal(readFileSync(join(where.ws, 'a.txt'), 'utf8'), 'one\ntwo\nthree\n');
  assert.deepEqual(changes, []);
});

test('[F3] what makes programs run is written when the person saw all of it and said so', async t => {
  const where = place(t);
  let says = true;
  const { write, questions, changes } = deskIn(where, { ask: async () => says });
  await write('.vscode/tasks.json', '{}');
  says = false;
  await assert.rejects(write('.VSCODE/tasks.json', '[]'), answered(-32602, /did not allow/));
  const path = join(where.ws, '.vscode/tasks.json');
  const why = 'it sets up the editor, which can run programs';
  assert.deepEqual(questions[0], { kind: 'write', path, why, content: '{}' });
  assert.deepEqual([questions.length, changes.length], [2, 1]);
  assert.equal(readFileSync(path, 'utf8'), '{}');
});
