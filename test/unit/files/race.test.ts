// Somebody who turns a folder into a link while an agent reads and writes below it: all the time, or at the very moment
// between the look and the write; and the look at a folder that is all there is where none can be held open.

import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Moved, openInside, pinByPath, pinFolder } from '../../../src/node/files/pinned.ts';
import { answered, deskIn, namesOutside, place, secret } from './stage.ts';

const rounds = 300;

test('[F1] whatever is swapped while files are read and written, nothing outside is read or written', async t => {
  const where = place(t);
  const [sub, kept, link] = ['sub', 'kept', 'link'].map(name => join(where.ws, name)) as [string, string, string];
  symlinkSync(where.outside, link);
  const before = namesOutside(where);
  /** A write that comes while there is no such folder rightly makes one. */
  const becomeSub = async (from: string): Promise<void> => {
    for (let isDone = false; !isDone;) {
      isDone = await rename(from, sub).then(
        () => true,
        () =>
          rm(sub, { recursive: true, force: true }).then(
            () => false,
            () => false,
          ),
      );
    }
  };
  let isOver = false;
  const swapping = (async () => {
    while (!isOver) {
      await rename(sub, kept);
      await becomeSub(link);
      await rename(sub, link);
      await becomeSub(kept);
      // Some of what is asked for has to be given.
      await delay(1);
    }
  })();
  const { read, write } = deskIn(where);
  const came = { given: 0, refused: 0 };
  for (let n = 0; n < rounds; n++) {
    const [text] = await Promise.allSettled([
      read('sub/b.txt'),
      write('sub/b.txt', `${n}`),
      write(`sub/${n}.txt`, 'x'),
    ]);
    came[text.status === 'fulfilled' ? 'given' : 'refused']++;
    if (text.status === 'fulfilled') assert.notEqual(text.value, secret);
  }
  isOver = true;
  await swapping;
  assert.deepEqual(namesOutside(where), before);
  assert.equal(readFileSync(join(where.outside, 'b.txt'), 'utf8'), secret);
  // Otherwise nothing was tried.
  assert.ok(came.given > 0 && came.refused > 0, JSON.stringify(came));
});

test('[F1] where a folder cannot be held open, one that was replaced is noticed', async t => {
  const where = place(t);
  const sub = join(where.ws, 'sub');
  const folder = await pinByPath(sub);
  await folder.check();
  renameSync(sub, join(where.ws, 'kept'));
  symlinkSync(where.outside, sub);
  await assert.rejects(folder.check(), Moved);
  renameSync(sub, join(where.ws, 'link'));
  mkdirSync(sub);
  await assert.rejects(folder.check(), Moved);
  mkdirSync(join(sub, 'deep'));
  const deep = await pinByPath(join(sub, 'deep'));
  renameSync(sub, join(where.ws, 'kept too'));
  symlinkSync('kept too', sub);
  await assert.rejects(deep.check(), Moved);
  await assert.rejects(pinByPath(join(where.ws, 'folderOut')), Moved);
  await assert.rejects(pinByPath(join(where.ws, 'folderIn')), Moved);
  await assert.rejects(pinByPath(join(where.ws, 'a.txt')), Moved);
});

/** Each turns something into a link out of the workspace, at the last moment that anybody else has a hand in. */
const swaps: readonly { readonly what: string; readonly name: string; readonly at: string; readonly to: string }[] = [
  { what: 'its folder', name: 'sub/b.txt', at: 'sub', to: 'outside' },
  { what: 'its folder, and it is new', name: 'sub/n.txt', at: 'sub', to: 'outside' },
  { what: 'a folder above folders that are missing', name: 'sub/x/y/n.txt', at: 'sub', to: 'outside' },
  { what: 'a folder further up', name: 'sub/deep/n.txt', at: 'sub', to: 'outside' },
];

test('[F3] a folder that becomes a link between the look and the write leads nothing out', async t => {
  for (const { what, name, at, to } of swaps)
    await t.test(what, async group => {
      const where = place(group);
      mkdirSync(join(where.ws, 'sub/deep'));
      mkdirSync(join(where.outside, 'deep'));
      const before = namesOutside(where);
      const openText = async () => {
        renameSync(join(where.ws, at), join(where.ws, 'kept'));
        symlinkSync(join(where.base, to), join(where.ws, at));
        return null;
      };
      const { write, changes } = deskIn(where, { editors: { openText } });
      await assert.rejects(write(name, 'x'), answered(-32602, /was changed or moved/));
      assert.deepEqual(namesOutside(where), before);
      assert.equal(readFileSync(join(where.outside, 'b.txt'), 'utf8'), secret);
      assert.deepEqual(changes, []);
    });
});

test('[F3] a new name that becomes a link between the look and the write is not followed', async t => {
  const where = place(t);
  const openText = async () => {
    symlinkSync(join(where.outside, 'made.txt'), join(where.ws, 'n.txt'));
    return null;
  };
  const before = namesOutside(where);
  await assert.rejects(deskIn(where, { editors: { openText } }).write('n.txt', 'x'), answered(-32602, /was changed/));
  assert.deepEqual(namesOutside(where), before);
  assert.equal(lstatSync(join(where.ws, 'n.txt')).isSymbolicLink(), true);
});

test('[F3] an editor whose file was moved away while the person was asked is not written', async t => {
  const where = place(t);
  mkdirSync(join(where.ws, '.vscode'));
  let wrote = false;
  const ask = async () => {
    renameSync(join(where.ws, '.vscode'), join(where.ws, 'kept'));
    symlinkSync(where.outside, join(where.ws, '.vscode'));
    return true;
  };
  const editors = { openText: async () => '{}', writeOpen: async () => (wrote = true) };
  await assert.rejects(deskIn(where, { ask, editors }).write('.vscode/a.json', 'x'), answered(-32602, /leads out/));
  const other = place(t);
  mkdirSync(join(other.ws, '.vscode'));
  const askOther = async () => {
    renameSync(join(other.ws, '.vscode'), join(other.ws, 'kept'));
    symlinkSync('sub', join(other.ws, '.vscode'));
    return true;
  };
  const desk = deskIn(other, { ask: askOther, editors });
  await assert.rejects(desk.write('.vscode/a.json', 'x'), answered(-32602, /was moved meanwhile/));
  assert.equal(wrote, false);
});

test('[F1] a link that leads to nothing in the place of a file or a folder is seen, and not taken for nothing', async t => {
  const where = place(t);
  const folder = await pinFolder(where.ws, false);
  t.after(() => folder.close());
  assert.equal(await openInside(folder, 'none.txt'), null);
  await assert.rejects(openInside(folder, 'nothingOut.txt'), Moved);
  await assert.rejects(pinFolder(join(where.ws, 'noFolderOut'), false), Moved);
  await assert.rejects(pinFolder(join(where.ws, 'noFolderOut'), true), Moved);
  assert.equal(existsSync(join(where.outside, 'newFolder')), false);
});
