// What is said when sessions came in, without VS Code.

import assert from 'node:assert/strict';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HistoryError, historyErrorOf } from '../../../src/core/history/historyError.ts';
import { writeAtomic } from '../../../src/node/atomicWrite.ts';
import { temporaryFolder } from '../support/history.ts';
import { exchangeTrouble, importWords, type ImportedFrom } from '../../../src/host/history/exchangeWords.ts';
import { sessionRow } from '../../../src/host/sessions/sessionRows.ts';

const some = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `s${at}`, title: 'T', messages: 1 }));
const nothing: ImportedFrom = { file: 'a.json', added: [], grown: [], here: [], unread: [], erased: 0, stopped: false };
const cut = { title: 'Fix it', words: 'Its messages answer one another in a circle.' };

const rows: readonly (readonly [Partial<ImportedFrom>, string])[] = [
  [{}, 'There are no sessions in it.'],
  [{ added: some(1) }, '1 session imported.'],
  [{ added: some(3), here: some(2) }, '3 sessions imported, 2 were here already.'],
  [{ grown: some(1), here: some(1) }, '1 session was here already and got what was missing, 1 was here already.'],
  [
    { added: some(3), here: some(2), unread: [cut] },
    '3 sessions imported, 2 were here already, 1 could not be read: “Fix it” in a.json. Its messages answer one another in a circle.',
  ],
  [
    { unread: [{ title: '', words: 'It is not JSON, or its end is missing.' }] },
    '1 file could not be read: “a.json”. It is not JSON, or its end is missing.',
  ],
  [{ added: some(1), stopped: true }, 'Stopped. 1 session imported.'],
  [
    { here: some(1), erased: 2 },
    '1 session was here already. 2 messages that were deleted permanently here stayed away.',
  ],
];

test('[H94] one sentence says what came, what was here and what could not be read', () => {
  for (const [result, words] of rows) {
    const said = importWords([{ ...nothing, ...result }]);
    assert.equal(said.words, words);
    assert.equal(said.details, null);
    assert.equal(said.isTrouble, (result.unread ?? []).length > 0);
  }
});

test('[H94] of several that could not be read the first is in the sentence and all are in the details', () => {
  const said = importWords([
    { ...nothing, added: some(1) },
    { ...nothing, file: 'b.json', unread: [cut, { title: '', words: 'It is a folder.' }] },
  ]);
  assert.match(said.words, /^1 session imported, 2 could not be read: “Fix it” in b\.json\. .* details\.$/);
  assert.match(said.details ?? '', /b\.json, Fix it\n {4}Its messages[^]*b\.json\n {4}It is a folder\.\n$/);
});

test('[H94] a full disk is said in words about files, and other trouble as it is', () => {
  assert.equal((exchangeTrouble(new HistoryError('disk-full'), 'written') as Error).message, 'The disk is full.');
  const other = new HistoryError('export-too-long');
  assert.equal(exchangeTrouble(other, 'written'), other);
});

test('[H94] a Markdown file that cannot be written is told in words, leaves nothing, and the old one stays', async t => {
  const folder = temporaryFolder(t);
  const [file, missing] = [join(folder, 'a.md'), join(folder, 'missing', 'a.md')];
  await writeAtomic(file, 'before');
  const trouble = async (at: string) => {
    const cause: unknown = await writeAtomic(at, 'after').then(
      () => null,
      (refused: unknown) => refused,
    );
    return (exchangeTrouble(historyErrorOf(cause), 'written') as Error).message;
  };
  assert.equal(await trouble(missing), 'The folder is gone.');
  chmodSync(folder, 0o555);
  // Who may do everything may write there, too.
  if (process.getuid?.() !== 0) assert.equal(await trouble(file), 'The system does not let it be written there.');
  chmodSync(folder, 0o755);
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOSPC']) {
    const words = exchangeTrouble(
      historyErrorOf(Object.assign(new Error(`${code}: /secret/path`), { code })),
      'written',
    );
    assert.doesNotMatch((words as Error).message, /secret|conversation/);
  }
  assert.deepEqual(readdirSync(folder), ['a.md']);
});

test('[H94] the row of an imported session says so', () => {
  const agent = { id: 'one', name: 'One' };
  const base = { id: 'a', title: 'T', agent, model: null, mode: null, cwd: null, key: null, created: 0, active: 0 };
  const flags = {
    expires: null,
    messages: 2,
    trashed: false,
    archived: false,
    pinned: false,
    labels: [],
    metadata: {},
  };
  const row = (origin: string | null) => sessionRow({ ...base, ...flags, forked: false, origin }, 'nothing', 60_000);
  assert.match(row('import:session:x').description, / · One · imported$/);
  assert.match(row('import').spoken, /imported/);
  assert.doesNotMatch(row('session:import').description, /imported/);
});
