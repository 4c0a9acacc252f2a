// Files that an agent names in its words: which are found, which are files here, and what a panel may open of them.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileNamed, filesNamed, mentionsAt, mentionsIn } from '../../../src/host/chat/mentions.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { temporaryFolder } from '../support/history.ts';
import { assertLinear } from '../support/growth.ts';

const mime = 'text/markdown';

test('[W97] what looks like a file is found, with its line, each once', () => {
  const rows: readonly (readonly [text: string, found: readonly string[]])[] = [
    ['See `src/a.ts:12` and src/b.ts.', ['src/a.ts 12', 'src/b.ts']],
    ['(src/a.ts:12:7), "src/b.ts#L3"; ./c.go!', ['src/a.ts 12', 'src/b.ts 3', './c.go']],
    ['README.md and /w/a/b.py, twice README.md', ['README.md', '/w/a/b.py']],
    ['in src/Makefile, not in Makefile', ['src/Makefile']],
    ['https://x.example/src/a.ts mailto:a@b.de', []],
    // Whether there is such a file is for the disk to say.
    ['1.5 and 3/4 and e.g. this', ['3/4', 'e.g']],
    ['', []],
    [`${'a'.repeat(400)}/b.ts`, []],
  ];
  for (const [text, found] of rows)
    assert.deepEqual(
      mentionsIn(text).map(({ path, line }) => (line === undefined ? path : `${path} ${line}`)),
      found,
      text.slice(0, 60),
    );
  for (const seed of ['a/', 'a.', './', '../', 'a:1', '/', 'a.b ', '-', '@a/'])
    assertLinear(seed, 1_000_000, size => {
      assert.ok(mentionsIn(seed.repeat(size / seed.length)).length <= 100);
    });
});

test('[W97] only a file that really lies in a folder of the workspace is one', async t => {
  const above = temporaryFolder(t);
  const folder = join(above, 'ws');
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const name of ['ws/src/a.ts', 'ws/b.md', 'outside.ts']) writeFileSync(join(above, name), '');
  symlinkSync(join(above, 'outside.ts'), join(folder, 'src/link.ts'));
  const guard = guardIn(() => [folder]);
  const rows: readonly (readonly [path: string, is: boolean])[] = [
    ['src/a.ts', true],
    ['./src/a.ts', true],
    [`${basename(folder)}/src/a.ts`, true],
    [join(folder, 'b.md'), true],
    ['src', false],
    ['src/none.ts', false],
    ['src/link.ts', false],
    ['../outside.ts', false],
    ['src/../../outside.ts', false],
    [join(above, 'outside.ts'), false],
    ['/etc/passwd', false],
    ['src/a.ts\0', false],
  ];
  for (const [path, is] of rows) assert.equal((await fileNamed(path, [folder], guard)) !== null, is, path);
  assert.deepEqual(await filesNamed(mentionsIn('none/x.ts, src/a.ts:4, ../outside.ts, b.md'), [folder], guard), [
    { at: 1, words: 'src/a.ts:4' },
    { at: 3, words: 'b.md' },
  ]);
  assert.deepEqual(await filesNamed(mentionsIn('src/a.ts'), [], guard), []);
});

test('[W97] only words of an answer name files', () => {
  const text = (words: string): Block => ({ kind: 'text', mime, text: words });
  const said = (id: string, role: Message['role'], blocks: readonly Block[]): Message => ({
    ...{ id, session: 's', parent: null, role, created: 0, blocks },
  });
  const messages = [
    said('u', 'user', [text('src/a.ts')]),
    said('a', 'assistant', [{ kind: 'thought', mime, text: 'src/b.ts' }, text('src/c.ts')]),
  ];
  const rows = [
    ['u', 0, 0],
    ['a', 0, 0],
    ['a', 1, 1],
    ['a', 2, 0],
    ['b', 0, 0],
  ] as const;
  for (const [message, block, count] of rows) assert.equal(mentionsAt(messages, { message, block }).length, count);
});
