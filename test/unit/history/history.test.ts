// History as the rest of the product sees it: a worker thread, a disk, processes that die.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, unlinkSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { HistoryError, type HistoryErrorCode } from '../../../src/core/history/historyError.ts';
import type { History } from '../../../src/core/history/history.ts';
import { incognitoId } from '../../../src/model/incognito.ts';
import { textOf } from '../../../src/model/message.ts';
import { openSession } from '../../../src/node/history/index/readMessages.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';

function fails(code: HistoryErrorCode): (cause: unknown) => true {
  return cause => {
    assert.ok(cause instanceof HistoryError, String(cause));
    assert.equal(cause.code, code);
    assert.match(cause.message, /^[A-Z].*\.$/, 'words for a person');
    return true;
  };
}

async function begin(
  history: History,
  text = 'first',
): Promise<{ readonly session: string; readonly message: string }> {
  const session = ids.session();
  const message = ids.message();
  await history.append(session, [
    sessionFact(session),
    { type: 'set', session, name: 'title', value: `About ${text}` },
    userFact(session, message, null, text),
    { type: 'set', session, name: 'head', value: message },
  ]);
  return { session, message };
}

test('[J7] what was acknowledged is there after kill -9', async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const random = randomFrom(3);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 6; kill++)
    acknowledged.push(...(await appendAndKill(folder, session, 1 + Math.floor(random() * 60))));
  const history = await openTestHistory(folder);
  const path = (await history.open(session))?.path ?? [];
  const there = new Map(path.map(message => [message.id, textOf(message)]));
  assert.ok(acknowledged.length > 20);
  for (const id of acknowledged) assert.equal(there.get(id), id.repeat(1 + (id.charCodeAt(0) % 40) * 20));
  assert.deepEqual(history.recovery.bad, []);
  // The last message of each process may be there although its word was lost with the process, and nothing else may.
  assert.ok(path.length <= acknowledged.length + 6);
});

function appendAndKill(folder: string, session: string, after: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'appendForever.ts');
    const child = spawn(process.execPath, [script, folder, session], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let killed = false;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (killed || text.split('\n').length <= after) return;
      killed = true;
      child.kill('SIGKILL');
    });
    child.on('error', reject);
    // A line without its end was not read whole, so it is not counted as said.
    child.on('close', () => resolve(text.split('\n').slice(0, -1)));
  });
}

test('[J7] a torn tail is reported, left as it is, and never written to', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const { session, message } = await begin(first);
  await first.close();
  const [segment = ''] = readdirSync(join(folder, 'journal'));
  const file = join(folder, 'journal', segment);
  writeFileSync(file, '1234abcd 00000', { flag: 'a' });
  const torn = readFileSync(file);

  const second = await openTestHistory(folder);
  assert.equal(second.recovery.tails.length, 1);
  const next = ids.message();
  await second.append(session, [
    userFact(session, next, message, 'second'),
    { type: 'set', session, name: 'head', value: next },
  ]);
  assert.deepEqual(readFileSync(file), torn);
  const third = await openTestHistory(folder);
  assert.deepEqual((await third.open(session))?.path.map(textOf), ['first', 'second']);
});

test('[J34] a segment that grows has room ahead, another window reads what is written there, and it goes at the end', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const { session, message } = await begin(first);
  const [segment = ''] = readdirSync(join(folder, 'journal'));
  const file = join(folder, 'journal', segment);
  const other = await openTestHistory(folder);
  const lengths: number[] = [];
  let parent = message;
  for (let at = 0; at < 40; at++) {
    const next = ids.message();
    const told = new Promise<void>(resolve => other.onDidAppend(() => resolve()));
    await first.append(session, [userFact(session, next, parent, `message ${at}`)]);
    await told;
    assert.equal((await other.messages([next])).length, 1);
    lengths.push(statSync(file).size);
    parent = next;
  }
  assert.ok(new Set(lengths).size < lengths.length / 2, 'most records need no longer file');
  assert.match(readFileSync(file, 'utf8'), / $/);
  await first.close();
  assert.match(readFileSync(file, 'utf8'), /}\n$/);
  const again = await openTestHistory(folder);
  assert.deepEqual([again.recovery.tails.length, again.recovery.bad.length], [0, 0]);
});

test('[J8] an append to what does not exist is refused, and nothing is written', async (t: TestContext) => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session } = await begin(history);
  const size = () => readdirSync(join(folder, 'journal')).map(name => statSync(join(folder, 'journal', name)).size);
  const before = size();
  const unknown = ids.session();
  const rows = [
    { code: 'no-session', session: unknown, fact: userFact(unknown, ids.message(), null, 'x') },
    { code: 'no-session', session, fact: userFact(unknown, ids.message(), null, 'x') },
    { code: 'no-parent', session, fact: userFact(session, ids.message(), 'nobody', 'x') },
    { code: 'no-session', session: unknown, fact: { type: 'set', session: unknown, name: 'title', value: 'x' } },
  ] as const;
  for (const row of rows) await assert.rejects(history.append(row.session, [row.fact]), fails(row.code));
  assert.deepEqual(size(), before);
  assert.equal(await history.open(unknown), undefined);
});

test('[J8] [H105] an id of which no file may be named is refused, and nothing is written', async (t: TestContext) => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const journal = () =>
    readdirSync(join(folder, 'journal')).map(name => [name, statSync(join(folder, 'journal', name)).size]);
  const before = journal();
  for (const id of ['../../x', 'x/y', 'x~y', '', 'X', 'x'.repeat(65)])
    await assert.rejects(history.append(session, [userFact(session, id, message, 'x')]), fails('invalid'), id);
  const incognito = incognitoId(ids.session());
  await assert.rejects(history.append(incognito, [sessionFact(incognito)]), fails('invalid'));
  assert.deepEqual(journal(), before);
});

test('[J10] a segment that lost its name is left, and the record goes to the next', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const [segment = ''] = readdirSync(join(folder, 'journal'));
  renameSync(join(folder, 'journal', segment), join(folder, 'taken.seg'));
  const next = ids.message();
  await history.append(session, [
    userFact(session, next, message, 'second'),
    { type: 'set', session, name: 'head', value: next },
  ]);
  const [second = ''] = readdirSync(join(folder, 'journal'));
  assert.match(second, /\.1\.seg$/);
  renameSync(join(folder, 'taken.seg'), join(folder, 'journal', segment));
  const again = await openTestHistory(folder);
  assert.deepEqual((await again.open(session))?.path.map(textOf), ['first', 'second']);
});

test('[J11] a folder that is gone is said, and saving works again when it is back', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  renameSync(join(folder, 'journal'), join(folder, 'away'));
  const next = ids.message();
  const facts = [
    userFact(session, next, message, 'second'),
    { type: 'set', session, name: 'head', value: next },
  ] as const;
  await assert.rejects(history.append(session, facts), fails('gone'));
  renameSync(join(folder, 'away'), join(folder, 'journal'));
  await history.append(session, facts);
  const again = await openTestHistory(folder);
  assert.deepEqual((await again.open(session))?.path.map(textOf), ['first', 'second']);
});

test('[J11] what stood whole in a folder that was away may be saved again when it is back and was read', async t => {
  const folder = temporaryFolder(t);
  const store = new Store(folder, 'writer22', await loadSqlite(wasmFile), Date.now);
  store.append('session2', [sessionFact('session2'), userFact('session2', 'first', null, 'first')])();
  const facts = [userFact('session2', 'second', 'first', 'second')];
  renameSync(join(folder, 'journal'), join(folder, 'away'));
  assert.throws(() => store.append('session2', facts), fails('gone'));
  renameSync(join(folder, 'away'), join(folder, 'journal'));
  for (const segment of readdirSync(join(folder, 'journal'))) store.intake.catchUp(segment);
  store.append('session2', facts)();
  assert.throws(() => store.append('session2', facts), fails('exists'));
  assert.deepEqual(openSession(store, 'session2', 'second')?.path.map(textOf), ['first', 'second']);
  store.close();
});

test('[J11] a history that cannot be opened says so', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'journal'), 'a file where the folder should be');
  await assert.rejects(openTestHistory(folder), (cause: unknown) => cause instanceof HistoryError);
  unlinkSync(join(folder, 'journal'));
});

test('[J11] a closed history refuses by name', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  await history.close();
  await assert.rejects(history.sessions(), fails('closed'));
});

test('[J12] sessions are listed with the latest first, and tell of each append', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const told: string[] = [];
  history.onDidAppend(({ session }) => told.push(session));
  const older = await begin(history, 'older');
  const newer = await begin(history, 'newer');
  await history.append(older.session, [
    userFact(older.session, ids.message(), older.message, 'again', 2000),
    { type: 'set', session: older.session, name: 'trashed', value: true },
  ]);
  const list = await history.sessions();
  assert.deepEqual(
    list.map(({ id, title, messages, trashed }) => ({ id, title, messages, trashed })),
    [
      { id: older.session, title: 'About older', messages: 2, trashed: true },
      { id: newer.session, title: 'About newer', messages: 1, trashed: false },
    ],
  );
  assert.deepEqual(told, [older.session, newer.session, older.session]);
});

test('[J16] a message id that is there already is refused, in this session and in another', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, message } = await begin(history);
  const other = await begin(history);
  await assert.rejects(history.append(session, [userFact(session, message, null, 'again')]), fails('exists'));
  await assert.rejects(history.append(other.session, [userFact(other.session, message, null, 'x')]), fails('exists'));
  assert.deepEqual((await history.open(session))?.path.map(textOf), ['first']);
});

test('[J16] a message whose file is gone says so, and the rest is shown', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const { session, message } = await begin(first);
  const [segment = ''] = readdirSync(join(folder, 'journal'));
  const second = await openTestHistory(folder);
  const next = ids.message();
  await second.append(session, [
    userFact(session, next, message, 'second'),
    { type: 'set', session, name: 'head', value: next },
  ]);
  unlinkSync(join(folder, 'journal', segment));
  const path = (await second.open(session))?.path ?? [];
  assert.deepEqual(
    path.map(({ id }) => id),
    [message, next],
  );
  const [lost, kept] = path;
  assert.match(lost?.blocks[0]?.kind === 'notice' ? lost.blocks[0].text : '', /could not be read/);
  assert.equal(kept && textOf(kept), 'second');
});
