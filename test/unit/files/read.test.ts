// What an agent is given of a file: from the editor or the disk, by lines, and in words where it is not given.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { linesOf } from '../../../src/node/files/agentFiles.ts';
import { answered, deskIn, namesOutside, place, secret } from './stage.ts';

const lines: readonly (readonly [text: string, line: number | null, limit: number | null, becomes: string])[] = [
  ['a\nb\nc\n', null, null, 'a\nb\nc\n'],
  ['a\nb\nc\n', 1, null, 'a\nb\nc\n'],
  ['a\nb\nc\n', 0, null, 'a\nb\nc\n'],
  ['a\nb\nc\n', 2, null, 'b\nc\n'],
  ['a\nb\nc\n', 2, 1, 'b\n'],
  ['a\nb\nc', 3, 5, 'c'],
  ['a\r\nb\r\n', 1, 1, 'a\r\n'],
  ['a\nb', null, 1, 'a\n'],
  ['a\nb', 1, 0, ''],
  ['a\nb', 9, 2, ''],
  ['', 1, 1, ''],
];

test('[F2] lines are counted from one, and pieces put together are the file', async t => {
  for (const [text, line, limit, becomes] of lines)
    await t.test(JSON.stringify([text, line, limit]), () => assert.equal(linesOf(text, line, limit), becomes));
});

test('[F2] a file is given as it is on the disk, whole or by lines, and a missing one as empty', async t => {
  const where = place(t);
  const { read } = deskIn(where);
  assert.equal(await read('a.txt'), 'one\ntwo\nthree\n');
  assert.equal(await read('a.txt', 2, 1), 'two\n');
  assert.equal(await read('folderIn/b.txt'), 'b');
  assert.equal(await read('none.txt'), '');
  assert.equal(await read('no/folder/none.txt'), '');
  assert.equal(existsSync(join(where.ws, 'no')), false);
  writeFileSync(join(where.ws, 'marked.txt'), '\ufeffword');
  assert.equal(await read('marked.txt'), 'word');
});

test('[F2] the text of an open editor comes before that of the disk, by the real path', async t => {
  const where = place(t);
  const asked: string[] = [];
  const openText = async (path: string) => {
    asked.push(path);
    return 'not\nsaved\n';
  };
  const { read } = deskIn(where, { editors: { openText } });
  assert.equal(await read('folderIn/b.txt', 2), 'saved\n');
  assert.equal(await read('none.txt'), 'not\nsaved\n');
  assert.deepEqual(asked, [join(where.ws, 'sub', 'b.txt'), join(where.ws, 'none.txt')]);
  await assert.rejects(read('linkOut.txt'), answered(-32602, /leads out/));
  assert.equal(asked.length, 2);
});

test('[F2] what is no text of a fair size is refused in words', async t => {
  const where = place(t);
  const { read } = deskIn(where);
  writeFileSync(join(where.ws, 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  writeFileSync(join(where.ws, 'large.txt'), '');
  truncateSync(join(where.ws, 'large.txt'), 10 * 1024 * 1024 + 1);
  await assert.rejects(read('latin.txt'), answered(-32602, /latin\.txt” is not text in UTF-8\.$/));
  await assert.rejects(read('large.txt'), answered(-32602, /is larger than 10 MB\.$/));
  await assert.rejects(read('sub'), answered(-32602, /is a folder\.$/));
  await assert.rejects(read('pipe'), answered(-32602, /neither a file nor a folder/));
  await assert.rejects(read('../outside/b.txt'), answered(-32602, /outside of the folders/));
  const huge = deskIn(where, { editors: { openText: async () => 'x'.repeat(10 * 1024 * 1024 + 1) } });
  await assert.rejects(huge.read('a.txt'), answered(-32602, /is larger than 10 MB\.$/));
  truncateSync(join(where.ws, 'large.txt'), 10 * 1024 * 1024);
  assert.equal((await read('large.txt')).length, 10 * 1024 * 1024);
});

test('[F2] a sensitive file is read when the person said so, once, and else not', async t => {
  const where = place(t);
  let says = true;
  const { read, questions } = deskIn(where, { ask: async () => says });
  assert.equal(await read('notes.txt'), 'KEY=1');
  says = false;
  await assert.rejects(read('notes.txt'), answered(-32602, /it may hold secrets, and did not allow/));
  assert.deepEqual(questions.length, 2);
  assert.deepEqual(questions[0], { kind: 'read', path: join(where.ws, '.env'), why: 'it may hold secrets' });
});

test('[F2] a yes that comes after the agent took its request back is none', async t => {
  const where = place(t);
  const request = new AbortController();
  const ask = async () => {
    request.abort();
    return true;
  };
  await assert.rejects(deskIn(where, { ask, signal: request.signal }).read('.env'), answered(-32800, /cancel/i));
});

test('[F2] a folder that becomes a link between the look and the reading gives nothing', async t => {
  const where = place(t);
  const sub = join(where.ws, 'sub');
  const swap = async () => {
    renameSync(sub, join(where.ws, 'kept'));
    symlinkSync(where.outside, sub);
    return null;
  };
  const { read } = deskIn(where, { editors: { openText: swap } });
  await assert.rejects(read('sub/b.txt'), answered(-32602, /was changed or moved/));
});

test('[F2] a file that becomes a pipe between the look and the reading keeps nobody waiting', async t => {
  const where = place(t);
  const openText = async () => {
    renameSync(join(where.ws, 'pipe'), join(where.ws, 'a.txt'));
    return null;
  };
  await assert.rejects(deskIn(where, { editors: { openText } }).read('a.txt'), answered(-32602, /is not a file/));
});

test('[F2] a file that becomes a link, or a folder above its folder, while a person is asked, gives nothing', async t => {
  const where = place(t);
  mkdirSync(join(where.ws, 'deep', 'er'), { recursive: true });
  writeFileSync(join(where.ws, 'deep', 'er', '.env'), 'mine');
  mkdirSync(join(where.outside, 'er'));
  writeFileSync(join(where.outside, 'er', '.env'), secret);
  const swap = (name: string, target: string) => async () => {
    renameSync(join(where.ws, name), join(where.ws, 'kept'));
    symlinkSync(target, join(where.ws, name));
    return true;
  };
  const deep = deskIn(where, { ask: swap('deep', where.outside) });
  await assert.rejects(deep.read('deep/er/.env'), answered(-32602, /was changed or moved/));
  renameSync(join(where.ws, 'kept'), join(where.ws, 'kept before'));
  const file = deskIn(where, { ask: swap('.env', join(where.outside, 'b.txt')) });
  await assert.rejects(file.read('.env'), answered(-32602, /was changed or moved/));
  assert.deepEqual(namesOutside(where), [
    'outside',
    'outside/b.txt',
    'outside/er',
    'outside/er/.env',
    'ws-evil',
    'ws-evil/b.txt',
  ]);
});
