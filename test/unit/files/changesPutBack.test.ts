// Putting one file back on a real disk, with editors that have it open, and with everything that may have happened to it
// in between.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { PutBack } from '../../../src/core/changes.ts';
import type { OpenEditors } from '../../../src/core/files.ts';
import type { FileState } from '../../../src/model/changes.ts';
import { never, stage, type Stage } from './changesStage.ts';

const absent: FileState = { kind: 'absent' };

function file(content: string | Uint8Array): FileState {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'file', is: { sha256, size: bytes.length }, content: new Uint8Array(bytes) };
}

function said(answer: PutBack): string {
  return answer.done ? 'done' : `${answer.why}: ${answer.words}`;
}

interface Row {
  readonly what: string;
  readonly name?: string;
  readonly is: FileState;
  readonly becomes: FileState;
  readonly first?: (stage: Stage) => void;
  readonly answer: string | RegExp;
  /** Null: no file. */
  readonly then?: string | null;
}

const changed = 'other: It was changed after the turn.';
const outside = 'failed: It is not in a folder of this workspace.';

/** The file is `a.txt` and holds "now". */
const rows: readonly Row[] = [
  ...['.git/HEAD', '.GIT/hooks/pre-commit', 'sub/.env', '.vscode/tasks.json', 'id_rsa', '.github/workflows/ci.yml'].map(
    (name): Row => ({
      what: `sensitive: ${name}`,
      name,
      is: file('now'),
      becomes: absent,
      first: ({ at }) => {
        mkdirSync(dirname(at(name)), { recursive: true });
        writeFileSync(at(name), 'now');
      },
      answer: /^failed: It can’t be changed from here because /,
      then: 'now',
    }),
  ),
  { what: 'as it was', is: file('now'), becomes: file('before'), answer: 'done', then: 'before' },
  { what: 'created by the turn', is: file('now'), becomes: absent, answer: 'done', then: null },
  { what: 'deleted by the turn', name: 'x/y/n.txt', is: absent, becomes: file('n'), answer: 'done', then: 'n' },
  { what: 'never there', name: 'x/n.txt', is: absent, becomes: absent, answer: 'done', then: null },
  { what: 'changed since', is: file('then'), becomes: file('before'), answer: changed, then: 'now' },
  { what: 'changed since, to be deleted', is: file('then'), becomes: absent, answer: changed, then: 'now' },
  {
    what: 'there again',
    is: absent,
    becomes: file('n'),
    answer: 'other: There is a file of this name again.',
    then: 'now',
  },
  {
    what: 'deleted since',
    is: file('now'),
    becomes: file('before'),
    first: ({ at }) => rmSync(at('a.txt')),
    answer: 'other: It was deleted after the turn.',
    then: null,
  },
  {
    what: 'its folder deleted since',
    name: 'sub/b.txt',
    is: file('b'),
    becomes: file('before'),
    first: ({ at }) => rmSync(at('sub'), { recursive: true }),
    answer: 'other: It was deleted after the turn.',
    then: null,
  },
  {
    what: 'a folder in its place',
    is: file('now'),
    becomes: file('before'),
    first: ({ at }) => {
      rmSync(at('a.txt'));
      mkdirSync(at('a.txt'));
    },
    answer: 'other: It was changed or moved meanwhile.',
  },
  {
    what: 'a link in its place',
    is: file('now'),
    becomes: file('before'),
    first: ({ at }) => {
      renameSync(at('a.txt'), at('real.txt'));
      symlinkSync('real.txt', at('a.txt'));
    },
    answer: 'other: It was changed or moved meanwhile.',
    then: 'now',
  },
  {
    what: 'its folder a link out of the workspace',
    name: 'sub/b.txt',
    is: file('b'),
    becomes: file('before'),
    first: ({ at, base }) => {
      renameSync(at('sub'), join(base, 'sub'));
      symlinkSync('../sub', at('sub'));
    },
    answer: 'other: It was changed or moved meanwhile.',
    then: 'b',
  },
  {
    what: 'read-only',
    is: file('now'),
    becomes: file('before'),
    first: ({ at }) => chmodSync(at('a.txt'), 0o444),
    answer: 'failed: The system does not let it be changed.',
    then: 'now',
  },
  { what: 'bytes', is: file('now'), becomes: file(new Uint8Array([0, 255, 10])), answer: 'done', then: '\0\u00ff\n' },
  { what: 'odd names', name: 'two\nlines', is: absent, becomes: file('n'), answer: 'done', then: 'n' },
  { what: 'outside', name: '../o.txt', is: absent, becomes: file('n'), answer: outside, then: null },
  { what: 'the own folder', name: 'own/o.txt', is: absent, becomes: file('n'), answer: outside, then: null },
  {
    what: 'unknown before',
    is: file('now'),
    becomes: { kind: 'unknown' },
    answer: 'unknown: What the file held was not kept.',
    then: 'now',
  },
  {
    what: 'a place in history',
    is: file('now'),
    becomes: { kind: 'file', is: { sha256: 'x', size: 1 }, content: { sha256: 'x', size: 1 } },
    answer: 'unknown: What the file held was not kept.',
    then: 'now',
  },
];

test('[F9] a file is put back only where it is what the turn left', async t => {
  for (const { what, name = 'a.txt', is, becomes, first, answer, then } of rows)
    await t.test(what, async one => {
      const where = await stage(one, { 'a.txt': 'now', 'sub/b.txt': 'b' }, { own: ['own'] });
      first?.(where);
      const given = said(await where.watch.putBack(where.at(name), is, becomes, never));
      if (typeof answer === 'string') assert.equal(given, answer);
      else assert.match(given, answer);
      if (then === null) assert.equal(existsSync(where.at(name)), false);
      else if (then !== undefined) assert.equal(readFileSync(where.at(name), 'latin1'), then);
      const left = readdirSync(where.ws, { recursive: true, encoding: 'utf8' });
      assert.deepEqual(
        left.filter(one => one.includes('unfinished')),
        [],
      );
    });
});

test('[F9] a file that is put back keeps its mode', async t => {
  const { at, watch } = await stage(t, { 'a.sh': 'now' });
  chmodSync(at('a.sh'), 0o750);
  await watch.putBack(at('a.sh'), file('now'), file('before'), never);
  assert.equal(statSync(at('a.sh')).mode & 0o777, 0o750);
});

test('[F9] nothing is done that was called off', async t => {
  const { at, watch } = await stage(t, { 'a.txt': 'now' });
  const answer = await watch.putBack(at('a.txt'), file('now'), file('before'), AbortSignal.abort());
  assert.equal(said(answer), 'failed: It was called off.');
  assert.equal(readFileSync(at('a.txt'), 'utf8'), 'now');
});

interface EditorRow {
  readonly what: string;
  readonly text: string;
  readonly disk: string;
  readonly becomes: FileState;
  readonly answer: string;
  readonly written: readonly string[];
  readonly then: string | null;
}

const unsaved = 'other: An editor has unsaved changes to it.';
const editorRows: readonly EditorRow[] = [
  { what: 'open', text: 'now', disk: 'now', becomes: file('before'), answer: 'done', written: ['before'], then: 'now' },
  { what: 'unsaved', text: 'typed', disk: 'now', becomes: file('before'), answer: unsaved, written: [], then: 'now' },
  { what: 'unsaved, to go', text: 'typed', disk: 'now', becomes: absent, answer: unsaved, written: [], then: 'now' },
  { what: 'open, to go', text: 'now', disk: 'now', becomes: absent, answer: 'done', written: [], then: null },
  {
    what: 'a mark',
    text: 'now',
    disk: '\ufeffnow',
    becomes: file('\ufeffold'),
    answer: 'done',
    written: ['old'],
    then: '\ufeffnow',
  },
  {
    what: 'a mark less',
    text: 'now',
    disk: '\ufeffnow',
    becomes: file('old'),
    answer: 'done',
    written: [],
    then: 'old',
  },
  {
    what: 'no text',
    text: 'now',
    disk: 'now',
    becomes: file(new Uint8Array([255])),
    answer: 'done',
    written: [],
    then: '\ufffd',
  },
  { what: 'changed', text: 'then', disk: 'then', becomes: file('old'), answer: changed, written: [], then: 'then' },
];

test('[F9] an open editor is written through, and its unsaved text counts', async t => {
  for (const { what, text, disk, becomes, answer, written, then } of editorRows)
    await t.test(what, async one => {
      const wrote: string[] = [];
      const editors: OpenEditors = {
        openText: async () => text,
        writeOpen: async (_path, content) => wrote.push(content) > 0,
      };
      const { at, watch } = await stage(one, { 'a.txt': disk }, { editors });
      const is = file(disk.replace('then', 'now'));
      assert.equal(said(await watch.putBack(at('a.txt'), is, becomes, never)), answer);
      assert.deepEqual(wrote, written);
      if (then === null) assert.equal(existsSync(at('a.txt')), false);
      else assert.equal(readFileSync(at('a.txt'), 'utf8'), then);
    });
});

test('[F9] a turn that runs does not count what was put back', async t => {
  const { at, begin, run, settled, watch } = await stage(t, { 'a.txt': 'now', 'b.txt': 'b' });
  await settled();
  const { end } = begin();
  run('echo x > b.txt');
  assert.equal(said(await watch.putBack(at('a.txt'), file('now'), file('before'), never)), 'done');
  assert.deepEqual(await end(), ['b.txt: "b" > "x" +1 -1']);
});
