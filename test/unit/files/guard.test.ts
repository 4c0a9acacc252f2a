// Every spelling by which an agent might reach what it should not, and what the guard makes of it.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { FileUse } from '../../../src/core/files.ts';
import { guardIn, type Guard } from '../../../src/node/files/guard.ts';
import { place, type Place } from './stage.ts';

/** What came of it, and where it is: below the workspace, or the words. */
async function outcome(guard: Guard, where: Place, path: string, use: FileUse): Promise<string> {
  const guarded = await guard.resolve(path, use);
  if (guarded.kind === 'refused') return `refused: ${guarded.words.slice(path.length + 2)}`;
  return `${guarded.kind} ${guarded.real.slice(where.ws.length)}`;
}

interface Row {
  readonly what: string;
  readonly path: (place: Place) => string;
  readonly becomes: RegExp;
}

const inWs = (name: string) => (where: Place) => `${where.ws}/${name}`;
const outside = /^refused: .*outside of the folders/;
const leadsOut = /^refused: .*leads out/;

const rows: readonly Row[] = [
  { what: 'a file', path: inWs('a.txt'), becomes: /^inside \/a\.txt$/ },
  { what: 'a file that is missing', path: inWs('new.txt'), becomes: /^inside \/new\.txt$/ },
  { what: 'a file in folders that are missing', path: inWs('x/y/z.txt'), becomes: /^inside \/x\/y\/z\.txt$/ },
  { what: 'dots and slashes that say nothing', path: inWs('.//sub/./b.txt'), becomes: /^inside \/sub\/b\.txt$/ },
  { what: 'the workspace by a link to it', path: ({ base }) => `${base}/wsLink/a.txt`, becomes: outside },
  { what: 'a link that stays inside', path: inWs('folderIn/b.txt'), becomes: /^inside \/sub\/b\.txt$/ },
  { what: 'a new file behind a link that stays inside', path: inWs('folderIn/n'), becomes: /^inside \/sub\/n$/ },
  { what: 'another composition of a name', path: inWs('e\u0301'), becomes: /^inside \/e\u0301$/ },
  { what: 'up and out', path: inWs('../outside/b.txt'), becomes: /^refused: .*“\.\.”/ },
  { what: 'up and in again', path: inWs('sub/../a.txt'), becomes: /^refused: .*“\.\.”/ },
  { what: 'up with backslashes', path: inWs('sub\\..\\..\\outside'), becomes: /^refused: .*“\.\.”/ },
  { what: 'a backslash', path: inWs('sub\\b.txt'), becomes: /^refused: .*backslash/ },
  { what: 'a sibling with the same beginning', path: ({ base }) => `${base}/ws-evil/b.txt`, becomes: outside },
  { what: 'the folder above', path: ({ base }) => base, becomes: outside },
  { what: 'the root', path: () => '/', becomes: outside },
  { what: 'a file elsewhere', path: () => '/etc/passwd', becomes: outside },
  { what: 'a file by two slashes', path: () => '//etc/passwd', becomes: outside },
  { what: 'the workspace in another case', path: ({ base }) => `${base}/WS/a.txt`, becomes: outside },
  { what: 'a linked file', path: inWs('linkOut.txt'), becomes: leadsOut },
  { what: 'a linked parent', path: inWs('folderOut/b.txt'), becomes: leadsOut },
  { what: 'a linked parent, new file', path: inWs('folderOut/n.txt'), becomes: leadsOut },
  { what: 'a linked parent, new folders', path: inWs('folderOut/x/y/n.txt'), becomes: leadsOut },
  { what: 'a linked parent by a relative link', path: inWs('sub/relativeOut/b.txt'), becomes: /^refused/ },
  { what: 'a link to a sibling with the same beginning', path: inWs('siblingOut/b.txt'), becomes: leadsOut },
  { what: 'a link out that leads to nothing', path: inWs('nothingOut.txt'), becomes: /^refused: .*to nothing/ },
  {
    what: 'below a link out that leads to nothing',
    path: inWs('noFolderOut/n.txt'),
    becomes: /^refused: .*to nothing/,
  },
  { what: 'a link in that leads to nothing', path: inWs('nothingIn.txt'), becomes: /^refused: .*to nothing/ },
  { what: 'a link to itself', path: inWs('loop'), becomes: /^refused: .*ELOOP/ },
  { what: 'below a file', path: inWs('a.txt/b'), becomes: /^refused: .*ENOTDIR/ },
  { what: 'a name that is too long', path: inWs('x'.repeat(300)), becomes: /^refused: .*ENAMETOOLONG/ },
  { what: 'a pipe', path: inWs('pipe'), becomes: /^refused: .*neither a file/ },
  { what: 'the working folder of the process', path: () => '/proc/self/cwd/package.json', becomes: outside },
  { what: 'the root of the process', path: ({ ws }) => `/proc/self/root${ws}/a.txt`, becomes: outside },
  { what: 'an open file of the process', path: () => '/proc/self/fd/0', becomes: outside },
  { what: 'an address', path: ({ ws }) => pathToFileURL(`${ws}/a.txt`).href, becomes: /^refused: .*an address/ },
  { what: 'an address with one slash', path: ({ ws }) => `file:${ws}/a.txt`, becomes: /^refused: .*an address/ },
  { what: 'a path that is encoded', path: inWs('%2e%2e/outside/b.txt'), becomes: /^inside \/%2e%2e\/outside\/b\.txt$/ },
  { what: 'home', path: () => '~/a.txt', becomes: /^refused: .*not absolute/ },
  { what: 'a relative path', path: () => 'a.txt', becomes: /^refused: .*not absolute/ },
  { what: 'a drive', path: () => 'C:\\a.txt', becomes: /^refused: .*not absolute/ },
  { what: 'a server', path: () => '\\\\server\\share\\a.txt', becomes: /^refused: .*not absolute/ },
  { what: 'nothing', path: () => '', becomes: /^refused: .*empty/ },
  { what: 'a NUL', path: inWs('a.txt\0.png'), becomes: /^refused: .*control/ },
  { what: 'a line break', path: inWs('a\nb'), becomes: /^refused: .*control/ },
  { what: 'half a character', path: inWs('\ud800'), becomes: /^refused: .*half a character/ },
  { what: 'a second content on a Mac', path: inWs('.env/..namedfork/data'), becomes: /^refused: .*stream/ },
  { what: 'secrets', path: inWs('.env'), becomes: /^ask \/\.env$/ },
  { what: 'a link to secrets', path: inWs('notes.txt'), becomes: /^ask \/\.env$/ },
  { what: 'a link with the name of secrets', path: inWs('.env.link'), becomes: /^ask \/a\.txt$/ },
  { what: 'secrets in another case', path: inWs('.ENV'), becomes: /^ask \/\.ENV$/ },
  { what: 'version control in another case', path: inWs('.Git/Config'), becomes: /^ask \/\.Git\/Config$/ },
];

test('[F1] a path is given only where its real path lies in a folder', async t => {
  const where = place(t);
  const guard = guardIn(() => [where.ws]);
  for (const { what, path, becomes } of rows)
    for (const use of ['read', 'write'] as const)
      await t.test(`${use}: ${what}`, async () => assert.match(await outcome(guard, where, path(where), use), becomes));
});

test('[F1] a folder that was opened by a link is known by both its names, and one that is gone holds nothing', async t => {
  const where = place(t);
  let folders = [join(where.base, 'wsLink')];
  const guard = guardIn(() => folders);
  assert.equal(await outcome(guard, where, `${where.base}/wsLink/a.txt`, 'read'), 'inside /a.txt');
  assert.equal(await outcome(guard, where, `${where.ws}/a.txt`, 'read'), 'inside /a.txt');
  assert.match(await outcome(guard, where, `${where.base}/wsLink/folderOut/b.txt`, 'read'), leadsOut);
  folders = [where.ws, where.outside];
  assert.equal((await guard.resolve(`${where.ws}/folderOut/b.txt`, 'read')).kind, 'inside');
  renameSync(where.ws, join(where.base, 'gone'));
  assert.match(await outcome(guard, where, `${where.ws}/a.txt`, 'read'), leadsOut);
  folders = [];
  assert.match(await outcome(guard, where, `${where.outside}/b.txt`, 'read'), outside);
});

test('[F1] a person is asked about the extension’s own folder, by whichever way', async t => {
  const where = place(t);
  const own = join(where.ws, 'storage');
  mkdirSync(own);
  symlinkSync('storage', join(where.ws, 'innocent'));
  const guard = guardIn(() => [where.ws], [own, join(where.base, 'none')]);
  assert.equal(await outcome(guard, where, `${where.ws}/storage/j`, 'read'), 'ask /storage/j');
  assert.equal(await outcome(guard, where, `${where.ws}/innocent/j`, 'write'), 'ask /storage/j');
  assert.equal(existsSync(join(own, 'j')), false);
});
