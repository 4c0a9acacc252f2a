// Where a history says what it is, and where a machine says which histories it knows: `workspace.json`, the notes in
// global storage, the first commit of a repository, and the choice of what may be adopted. Real files, real processes.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { gitRootOf } from '../../../src/node/gitRoot.ts';
import { claimHome, type Home, type ServedFolder } from '../../../src/node/history/home/home.ts';
import {
  adoptable,
  knownHistories,
  noteHistory,
  type AdoptReason,
  type KnownHistory,
} from '../../../src/node/history/home/knownHistories.ts';
import { ids, temporaryFolder } from '../support/history.ts';

const hour = 3600_000;
const one: ServedFolder = { uri: 'file:///a/one', name: 'one', gitRoot: null };
const two: ServedFolder = { uri: 'file:///a/two', name: 'two', gitRoot: 'b'.repeat(40) };
const newId = ids.session;

function claim(folder: string, served: readonly ServedFolder[], now = 0): Promise<Home> {
  return claimHome(folder, served, { now, newId });
}

/** Runs as somebody who may read the folder and not write to it, even where tests run as root. */
async function readOnly(folder: string, run: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  chmodSync(folder, 0o555);
  if (isRoot) process.seteuid?.(65534);
  try {
    await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
}

test('[J23] the first claim makes the home, and the list is written only where something is new', async t => {
  const folder = join(temporaryFolder(t), 'deep', 'history');
  const file = join(folder, 'workspace.json');
  const { id } = await claim(folder, [one], 0);
  const rows: readonly [what: string, served: ServedFolder, now: number, writes: boolean, entry: object][] = [
    ['the same day', one, 23 * hour, false, { ...one, first: 0, last: 0 }],
    ['the next day', one, 24 * hour, true, { ...one, first: 0, last: 24 * hour }],
    ['the clock went back', one, 1, false, { ...one, first: 0, last: 24 * hour }],
    ['another folder', two, 25 * hour, true, { ...two, first: 25 * hour, last: 25 * hour }],
    ['git did not answer', { ...two, gitRoot: null }, 26 * hour, false, { ...two, first: 25 * hour, last: 25 * hour }],
    ['a name', { ...one, name: 'x' }, 26 * hour, true, { ...one, name: 'x', first: 0, last: 26 * hour }],
    [
      'a root',
      { ...one, name: 'x', gitRoot: 'c' },
      9,
      true,
      { ...one, name: 'x', gitRoot: 'c', first: 0, last: 26 * hour },
    ],
  ];
  for (const [what, served, now, writes, entry] of rows) {
    const before = statSync(file).ino;
    const home = await claim(folder, [served], now);
    assert.equal(home.id, id, what);
    assert.equal(statSync(file).ino !== before, writes, what);
    assert.deepEqual(
      home.folders.find(({ uri }) => uri === served.uri),
      entry,
      what,
    );
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { format: 1, id, folders: home.folders }, what);
  }
  assert.deepEqual(readdirSync(folder), ['workspace.json']);
});

test(
  '[J23] windows that claim at the same moment have one id and leave one whole file',
  { timeout: 60_000 },
  async t => {
    const root = temporaryFolder(t);
    const home = new URL('../../../src/node/history/home/home.ts', import.meta.url).href;
    // Each process claims each of the folders at the moment that they were told.
    const script = `
    import { claimHome } from ${JSON.stringify(home)};
    const [, root, start, who] = process.argv;
    const found = [];
    for (let n = 0; n < 20; n++) {
      while (Date.now() < Number(start) + n * 40);
      const newId = () => 'id' + who + Math.random().toString(36).slice(2);
      const served = [{ uri: 'file:///' + who, name: who, gitRoot: null }];
      const claims = [1, 2, 3].map(() => claimHome(root + '/' + n, served, { now: 0, newId }));
      found.push((await Promise.all(claims)).map(({ id }) => id));
    }
    console.log(JSON.stringify(found));`;
    const start = String(Date.now() + 1500);
    const runs = ['a', 'b', 'c'].map(who =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, root, start, who]),
    );
    const found = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as string[][]);
    for (let n = 0; n < 20; n++) {
      const used = new Set(found.flatMap(run => run[n] ?? []));
      const { id } = JSON.parse(readFileSync(join(root, String(n), 'workspace.json'), 'utf8')) as Home;
      assert.deepEqual([...used], [id]);
      assert.deepEqual(readdirSync(join(root, String(n))), ['workspace.json']);
    }
  },
);

test('[J23] a damaged file is kept aside and replaced, and everyone comes to the same id', async t => {
  const root = temporaryFolder(t);
  const { id } = await claim(join(root, 'whole'), [one, two]);
  const whole = readFileSync(join(root, 'whole', 'workspace.json'));
  const legibleFrom = whole.indexOf(id) + id.length + 1;
  const rows: (readonly [damage: string, bytes: Buffer, id: string | null])[] = [];
  for (let at = 0; at < whole.length - 1; at += 7) {
    rows.push([`cut at ${at}`, whole.subarray(0, at), at >= legibleFrom ? id : null]);
  }
  for (const text of ['null', '[]', '{}', '\0'.repeat(300), '{"format":1}']) rows.push([text, Buffer.from(text), null]);
  rows.push(['an id that is a path', Buffer.from('{"format":1,"id":"../up","folders":[]}'), null]);
  rows.push(['a format that is none', Buffer.from('{"format":"1","id":"x","folders":[]}'), 'x']);
  const madeUp: string[] = [];
  for (const [n, [damage, bytes, expected]] of rows.entries()) {
    const folder = join(root, String(n));
    mkdirSync(folder);
    writeFileSync(join(folder, 'workspace.json'), bytes);
    const homes = await Promise.all([1, 2, 3, 4].map(() => claim(folder, [one], 5)));
    const used = [...new Set(homes.map(home => home.id))];
    assert.equal(used.length, 1, damage);
    if (expected === null) madeUp.push(...used);
    else assert.deepEqual(used, [expected], damage);
    assert.deepEqual(readFileSync(join(folder, 'workspace.json.damaged')), Buffer.from(bytes), damage);
    assert.deepEqual((await claim(folder, [one], 5)).folders, [{ ...one, first: 5, last: 5 }], damage);
    assert.deepEqual(readdirSync(folder), ['workspace.json', 'workspace.json.damaged'], damage);
  }
  // The same damage in two places is two histories.
  assert.equal(new Set(madeUp).size, madeUp.length);
});

test('[J23] a home of a newer format is read and left alone', async t => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'workspace.json');
  const entry = { ...one, first: 1, last: 2 };
  for (const [text, id, folders] of [
    [JSON.stringify({ format: 2, id: 'abc', folders: [entry, { other: true }], more: 1 }), 'abc', [entry]],
    [JSON.stringify({ format: 7, id: { deep: 'abc' }, folders: 'elsewhere' }), undefined, []],
  ] as const) {
    writeFileSync(file, text);
    const home = await claim(folder, [two], 99 * hour);
    assert.deepEqual(home.folders, folders);
    if (id !== undefined) assert.equal(home.id, id);
    assert.equal((await claim(folder, [], 0)).id, home.id);
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.deepEqual(readdirSync(folder), ['workspace.json']);
  }
});

test('[J23] a home that another window wrote in the meantime is not written over', async t => {
  for (const before of ['{"format":1,"id":"abc","folders":[]}', 'damaged']) {
    const folder = temporaryFolder(t);
    const file = join(folder, 'workspace.json');
    writeFileSync(file, before);
    const newer = JSON.stringify({ format: 2, id: 'def', folders: [] });
    const served = {
      ...two,
      // The file was read when this is.
      get uri() {
        writeFileSync(file, newer);
        return two.uri;
      },
    };
    assert.equal((await claim(folder, [served])).id, 'def');
    assert.equal(readFileSync(file, 'utf8'), newer);
  }
});

test('[J23] where nothing may be written, a home that is there is used, and making one fails by name', async t => {
  const folder = temporaryFolder(t);
  const fails = (cause: unknown) => cause instanceof HistoryError && cause.code === 'no-permission';
  await readOnly(folder, () => assert.rejects(claim(folder, [one]), fails));
  const made = await claim(folder, [one], 0);
  chmodSync(join(folder, 'workspace.json'), 0o644);
  await readOnly(folder, async () => assert.deepEqual(await claim(folder, [two], 0), made));
  writeFileSync(join(folder, 'workspace.json'), 'damaged');
  await readOnly(folder, () => assert.rejects(claim(folder, [one]), fails));
  assert.deepEqual(readdirSync(folder), ['workspace.json']);
});

test('[J23] known histories are listed with what is in them now, and a damaged note hides no other', async t => {
  const root = temporaryFolder(t);
  const [global, folder, moved] = ['global', 'history', 'moved'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ];
  assert.deepEqual(await knownHistories(global), []);
  const home = await claim(folder, [one], 0);
  for (const [name, text] of [
    ['journal/s1~w1.0.seg', '12345'],
    ['journal/s1~w2.0.seg.claimed', '12'],
    ['journal/s2~w1.3.joined', '1'],
    ['journal/s3~w1.0.seg', '1'],
    ['journal/s4~w1.0.joined.unfinished', '1234567'],
    ['blobs/s1/abc', '123'],
    ['erased/s3', ''],
    ['erased/s2~m1', 'm2'],
    ['index-1.db', 'a cache'],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await noteHistory(global, home, folder, 0);
  const notes = join(global, 'histories');
  const note = join(notes, `${home.id}.json`);
  const expected = { id: home.id, folder, folders: home.folders, last: 0, there: true, bytes: 12, sessions: 2 };
  assert.deepEqual(await knownHistories(global), [expected]);

  for (const [now, last] of [
    [23 * hour, 0],
    [24 * hour, 24 * hour],
  ] as const) {
    await noteHistory(global, home, folder, now);
    assert.equal((await knownHistories(global))[0]?.last, last);
  }
  const other = await claim(join(root, 'other'), [two], 0);
  await noteHistory(global, other, join(root, 'other'), 99 * hour);
  for (const text of ['', '{"format":1', 'null', '{"format":1,"id":"../x","folder":"/","folders":[],"last":1}']) {
    writeFileSync(join(notes, `damaged${text.length}.json`), text);
  }
  const newer = JSON.stringify({ format: 2, id: 'newer', folder, folders: [], last: 1, more: true });
  writeFileSync(join(notes, 'newer.json'), newer);
  await noteHistory(global, { ...home, id: 'newer' }, folder, 99 * hour);
  assert.equal(readFileSync(join(notes, 'newer.json'), 'utf8'), newer);
  assert.deepEqual(
    (await knownHistories(global)).map(({ id }) => id),
    [other.id, home.id],
  );

  // A copy of the whole folder has the same id, and both are listed; a folder that moved is listed where it is.
  mkdirSync(moved);
  await noteHistory(global, home, moved, 30 * hour);
  assert.deepEqual(
    (await knownHistories(global)).map(known => known.folder),
    [join(root, 'other'), moved, folder],
  );
  renameSync(folder, join(root, 'gone'));
  const gone = (await knownHistories(global)).find(known => known.folder === folder);
  assert.deepEqual(
    { ...gone, last: 0, folders: [] },
    { ...expected, folders: [], there: false, bytes: 0, sessions: 0 },
  );
  await noteHistory(global, home, join(root, 'gone'), 31 * hour);
  assert.equal((JSON.parse(readFileSync(note, 'utf8')) as { folder: string }).folder, join(root, 'gone'));
});

test('[J23] the histories that seem to belong to an empty window are offered with the reasons, the likeliest first', () => {
  const known = (id: string, folders: readonly ServedFolder[], changes: Partial<KnownHistory> = {}): KnownHistory => {
    const entries = folders.map(folder => ({ ...folder, first: 0, last: 0 }));
    return { id, folder: `/h/${id}`, folders: entries, last: 0, there: true, bytes: 1, sessions: 1, ...changes };
  };
  const at = (uri: string, name: string, gitRoot: string | null = null): ServedFolder => ({ uri, name, gitRoot });
  const served = [at('file:///w/app', 'app', 'root')];
  const gone = at('file:///gone/old', 'old');
  const near = at('file:///w/gone', 'old');
  const other = at('file:///there/other', 'other', 'another');
  const rows: readonly [what: string, known: readonly KnownHistory[], found: readonly [string, ...AdoptReason[]][]][] =
    [
      ['nothing fits', [known('a', [other]), known('b', [])], []],
      ['its folder is gone', [known('a', [gone])], [['a', 'folder-gone']]],
      ['one of its folders is there', [known('a', [gone, other])], []],
      ['the same name', [known('a', [at('file:///there/app', 'app')])], [['a', 'same-name']]],
      ['the same root', [known('a', [at('file:///there/x', 'x', 'root')])], [['a', 'same-git-root']]],
      ['no root is not the same root', [known('a', [at('file:///there/x', 'x')])], []],
      ['a folder was added', [known('a', [...served, other])], [['a', 'same-folder', 'same-git-root', 'same-name']]],
      [
        'itself, an empty one, one that is gone',
        [known('me', served), known('b', served, { sessions: 0 }), known('c', served, { there: false })],
        [],
      ],
      [
        'the order',
        [
          known('gone', [gone]),
          known('later', [gone], { last: 5 }),
          known('near', [near]),
          known('name', [at('file:///there/app', 'app')]),
          known('moved', [at('file:///gone/app', 'app')]),
          known('root', [at('file:///there/x', 'x', 'root')]),
          known('same', [at('file:///w/app', 'renamed')]),
        ],
        [
          ['same', 'same-folder'],
          ['root', 'same-git-root'],
          ['moved', 'same-name', 'folder-gone'],
          ['name', 'same-name'],
          ['near', 'neighbour', 'folder-gone'],
          ['later', 'folder-gone'],
          ['gone', 'folder-gone'],
        ],
      ],
    ];
  const exists = (uri: string) => !uri.includes('gone');
  const rootless = { id: 'me', served: [at('file:///w/app', 'app')], sessions: 0 };
  assert.deepEqual(adoptable([known('a', [at('file:///there/x', 'x')])], rootless, exists), []);
  for (const [what, histories, expected] of rows) {
    const found = adoptable(histories, { id: 'me', served, sessions: 0 }, exists);
    assert.deepEqual(
      found.map(({ history, reasons }) => [history.id, ...reasons]),
      expected,
      what,
    );
    assert.deepEqual(adoptable(histories, { id: 'me', served, sessions: 1 }, exists), [], what);
  }
});

test('[J23] the first commit of a repository is the same in every clone, and null where it is not known', async t => {
  const root = temporaryFolder(t);
  // The same names and times give the same hashes in every run.
  const time = '2020-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  const git = (folder: string, ...args: string[]) => {
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'init.defaultBranch=main'];
    const all = ['-C', join(root, folder), ...who, '-c', 'commit.gpgSign=false', ...args];
    return execFileSync('git', all, { encoding: 'utf8', stdio: 'pipe', env }).trim();
  };
  mkdirSync(join(root, '-repository', 'inside'), { recursive: true });
  mkdirSync(join(root, 'none'));
  git('-repository', 'init');
  assert.equal(await gitRootOf(join(root, '-repository')), null);
  git('-repository', 'commit', '--allow-empty', '-m', 'first');
  const first = git('-repository', 'rev-parse', 'HEAD');
  git('-repository', 'commit', '--allow-empty', '-m', 'second');
  git('.', 'clone', join(root, '-repository'), 'clone');
  git('.', 'clone', '--depth=1', `file://${join(root, '-repository')}`, 'shallow');
  for (const [folder, expected] of [
    ['-repository', first],
    ['-repository/inside', first],
    ['clone', first],
    ['shallow', null],
    ['none', null],
    ['missing', null],
    ['with\0nothing', null],
  ] as const) {
    assert.equal(await gitRootOf(join(root, folder)), expected, folder);
  }
  assert.equal(await gitRootOf(relative(dirname(process.execPath), join(root, 'clone'))), null);
  // What the environment says of another repository is not about this folder.
  process.env['GIT_DIR'] = join(root, 'none');
  t.after(() => delete process.env['GIT_DIR']);
  assert.equal(await gitRootOf(join(root, 'clone')), first);
  delete process.env['GIT_DIR'];
  const beginnings = [first];
  for (const name of ['one', 'two', 'three', 'four']) {
    git('-repository', 'checkout', '--orphan', name);
    git('-repository', 'commit', '--allow-empty', '-m', name);
    beginnings.push(git('-repository', 'rev-parse', 'HEAD'));
    git('-repository', 'merge', '--allow-unrelated-histories', '-m', 'both', 'main');
    git('-repository', 'branch', '-f', 'main');
    assert.equal(await gitRootOf(join(root, '-repository')), beginnings.toSorted()[0], name);
  }
});
