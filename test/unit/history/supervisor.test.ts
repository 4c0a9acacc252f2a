// A history whose worker ends: nothing is lost, nothing is doubled, and the window goes on without being reloaded.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { HistoryError, type HistoryErrorCode } from '../../../src/core/history/historyError.ts';
import { textOf } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { openHistory, type HistoryStart, type OpenedHistory } from '../../../src/node/history/history.ts';
import { segmentsIn } from '../../../src/node/history/journal/segmentName.ts';
import { readFrom } from '../../../src/node/history/journal/segmentReader.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Tail } from '../../../src/node/history/tail.ts';
import type { Crash } from '../support/crashingWorker.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { closesWith, ids, openTestHistory, temporaryFolder, wasmFile, workerFile } from '../support/history.ts';

const patience = { timeout: 60_000 };
const crashingWorker = new URL('../support/crashingWorker.ts', import.meta.url);

interface Window {
  readonly folder: string;
  readonly history: OpenedHistory;
  readonly crashes: HistoryError[];
  /** How many workers were started. */
  readonly starts: () => number;
  /** Ends the worker that runs now, wherever it is. */
  readonly kill: () => Promise<void>;
}

async function openWindow(
  t: TestContext,
  folder: string,
  crash: Crash | null = null,
  more: Partial<HistoryStart> = {},
): Promise<Window> {
  const workers: Worker[] = [];
  const writer = ids.writer();
  const note = (worker: Worker) => void (worker.threadName?.startsWith(`history ${writer}`) && workers.push(worker));
  process.on('worker', note);
  if (crash) process.env['THROUGHLINE_CRASH'] = JSON.stringify(crash);
  t.after(() => {
    process.off('worker', note);
    delete process.env['THROUGHLINE_CRASH'];
  });
  const crashes: HistoryError[] = [];
  const history = await openHistory({
    folder,
    writer,
    workerFile: crash ? crashingWorker : workerFile,
    wasmFile,
    onCrash: cause => void crashes.push(cause),
    ...more,
  });
  closesWith(folder, () => history.close());
  const kill = async () => void (await workers.at(-1)?.terminate());
  return { folder, history, crashes, starts: () => workers.length, kill };
}

/** A folder with a copy of the engine, which a test can take away. */
function ownEngine(t: TestContext) {
  const folder = temporaryFolder(t);
  const wasm = join(folder, 'copy.wasm');
  copyFileSync(wasmFile, wasm);
  return { folder, wasm };
}

async function appendOnceBack(history: OpenedHistory, session: string, facts: readonly Fact[]): Promise<void> {
  for (; ; await new Promise(resolve => setImmediate(resolve)))
    try {
      return await history.append(session, facts);
    } catch (cause) {
      assert.ok(failsWith('restarting')(cause), String(cause));
    }
}

/** The texts of every message in the journal, as often as a record begins it. */
function begunIn(folder: string): readonly string[] {
  const journal = join(folder, 'journal');
  return segmentsIn(journal).flatMap(segment =>
    readFrom(journal, segment, 0, false).records.flatMap(({ record }) =>
      record.facts.flatMap(fact => (fact.type === 'message' ? textOf({ ...fact.message, session: fact.session }) : [])),
    ),
  );
}

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `text ${n}`);

/** Appends so many messages, each before the one before it is acknowledged. */
function appendAll(history: OpenedHistory, session: string, count: number): readonly Promise<void>[] {
  const appends = [history.append(session, [sessionFact(session)])];
  let parent: string | null = null;
  for (const text of numbered(count)) {
    const id = ids.message();
    appends.push(history.append(session, [userFact(session, id, parent, text)]));
    parent = id;
  }
  return appends;
}

async function pathOf(history: OpenedHistory, session: string): Promise<readonly string[] | undefined> {
  return (await history.open(session))?.path.map(textOf);
}

const failsWith = (code: HistoryErrorCode) => (cause: unknown) => cause instanceof HistoryError && cause.code === code;

const lostAnswers: readonly Crash[] = [
  { call: 'append', when: 'asked', nth: 1, workers: 'first' },
  { call: 'append', when: 'asked', nth: 7, workers: 'first' },
  { call: 'append', when: 'done', nth: 1, workers: 'first' },
  { call: 'append', when: 'done', nth: 7, workers: 'first' },
  { call: 'append', when: 'done', nth: 3, workers: 'all' },
];

for (const crash of lostAnswers) {
  const { when, nth, workers } = crash;
  test(`[J36] appends are there once when ${workers} workers end with append ${nth} ${when}`, patience, async t => {
    const { folder, history, crashes } = await openWindow(t, temporaryFolder(t), crash);
    const session = ids.session();
    await Promise.all(appendAll(history, session, 12));
    assert.ok(crashes.length > 0, 'the worker ended');
    assert.deepEqual(await pathOf(history, session), numbered(12));
    assert.deepEqual(begunIn(folder).toSorted(), numbered(12).toSorted());
    await history.close();
    assert.deepEqual(await pathOf(await openTestHistory(folder), session), numbered(12));
  });
}

test('[J36] facts that were saved are saved again when they are appended again', patience, async t => {
  const crash: Crash = { call: 'append', when: 'asked', nth: 4, workers: 'first' };
  const { history } = await openWindow(t, temporaryFolder(t), crash);
  const session = ids.session();
  const facts: readonly Fact[] = [{ type: 'set', session, name: 'title', value: 'the same' }];
  await history.append(session, [sessionFact(session)]);
  await history.append(session, facts);
  await history.append(session, [{ type: 'set', session, name: 'title', value: 'another' }]);
  await history.append(session, facts);
  assert.equal((await history.sessions())[0]?.title, 'the same');
});

test('[J36] a worker killed at any moment of a stream loses and doubles nothing', patience, async t => {
  const { folder, history, crashes, kill } = await openWindow(t, temporaryFolder(t));
  const session = ids.session();
  const appends = appendAll(history, session, 300);
  for (const at of [20, 90, 91, 200]) {
    await appends[at];
    await kill();
  }
  await Promise.all(appends);
  assert.equal(crashes.length, 4);
  assert.deepEqual(await pathOf(history, session), numbered(300));
  assert.equal(begunIn(folder).length, 300);
});

const asked: readonly {
  readonly what: Crash['call'];
  readonly ask: (history: OpenedHistory, file: string) => Promise<unknown>;
}[] = [
  { what: 'search', ask: async history => (await history.search('text')).hits.length },
  {
    what: 'scan',
    async ask(history) {
      const seen: (string | null)[] = [];
      const { signal } = new AbortController();
      const { hits } = await history.scan(
        'text 1',
        ({ hits: more }) => seen.push(...more.map(hit => hit.message)),
        signal,
      );
      assert.equal(new Set(seen).size, seen.length, 'each hit is told once');
      assert.equal(seen.length, hits.length);
      return hits.length;
    },
  },
  {
    what: 'exportJson',
    async ask(history, file) {
      const sessions = (await history.sessions()).map(({ id }) => id);
      await history.exportJson(sessions, file, { signal: new AbortController().signal, onProgress() {} });
      return readFileSync(file, 'utf8');
    },
  },
  { what: 'check', ask: async history => (await history.check()).findings },
  { what: 'tree', ask: async history => history.tree((await history.sessions())[0]?.id ?? '') },
  { what: 'open', ask: async history => history.open((await history.sessions())[0]?.id ?? '') },
];

for (const { what, ask } of asked) {
  for (const when of ['asked', 'done'] as const) {
    test(`[J36] ${what} is answered when the worker ends with it ${when}`, patience, async t => {
      const folder = temporaryFolder(t);
      const { history, crashes } = await openWindow(t, folder, { call: what, when, nth: 1, workers: 'first' });
      await Promise.all(appendAll(history, ids.session(), 20));
      const answer = await ask(history, join(folder, 'export-1.json'));
      assert.equal(crashes.length, 1);
      assert.deepEqual(answer, await ask(history, join(folder, 'export-2.json')));
    });
  }
}

test('[J36] a call that ends each worker is refused, and the others are answered', patience, async t => {
  const crash: Crash = { call: 'statistics', when: 'asked', nth: 'each', workers: 'all' };
  const { history, crashes } = await openWindow(t, temporaryFolder(t), crash);
  const session = ids.session();
  const appends = appendAll(history, session, 5);
  const statistics = assert.rejects(history.statistics(), failsWith('crashed'));
  await Promise.all([...appends, statistics]);
  assert.equal(crashes.length, 3);
  assert.deepEqual(await pathOf(history, session), numbered(5));
});

test('[J36] an import that was interrupted says so, and can be done again', patience, async t => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'export.json');
  const running = { signal: new AbortController().signal, onProgress() {} };
  const session = ids.session();
  const other = await openTestHistory(temporaryFolder(t));
  await Promise.all(appendAll(other, session, 20));
  await other.exportJson([session], file, running);
  const { history } = await openWindow(t, folder, { call: 'importJson', when: 'asked', nth: 1, workers: 'first' });
  await assert.rejects(history.importJson(file, running), failsWith('restarting'));
  assert.equal((await history.importJson(file, running)).added.length, 1);
  assert.deepEqual(await pathOf(history, session), numbered(20));
});

test('[J36] without a worker calls fail with the reason, and work again when one can be started', patience, async t => {
  const { folder, wasm } = ownEngine(t);
  const { history, kill } = await openWindow(t, folder, null, { wasmFile: wasm, patience: 300 });
  const session = ids.session();
  await Promise.all(appendAll(history, session, 3));
  renameSync(wasm, `${wasm}.away`);
  await kill();
  const facts: readonly Fact[] = [{ type: 'set', session, name: 'title', value: 'saved later' }];
  await assert.rejects(history.append(session, facts), failsWith('restarting'));
  await assert.rejects(history.sessions(), failsWith('restarting'));
  renameSync(`${wasm}.away`, wasm);
  await appendOnceBack(history, session, facts);
  assert.equal((await history.sessions())[0]?.title, 'saved later');
});

test('[J36] a worker that can’t be started because a file of the product is missing is no missing history', async t => {
  const { folder, wasm } = ownEngine(t);
  const { history, kill, starts } = await openWindow(t, folder, null, { wasmFile: wasm, patience: 100 });
  renameSync(wasm, `${wasm}.away`);
  await kill();
  await assert.rejects(history.sessions(), failsWith('restarting'));
  // Another start shows that those before it have failed.
  const before = starts();
  for (; starts() < before + 2; await new Promise(resolve => setImmediate(resolve)))
    await assert.rejects(history.sessions(), failsWith('restarting'));
  await assert.rejects(history.sessions(), failsWith('restarting'));
  await assert.rejects(
    openHistory({ folder, writer: ids.writer(), workerFile, wasmFile: wasm }),
    failsWith('internal'),
  );
});

test('[J36] what was written, and said to have failed, is found when it is appended again', patience, async t => {
  const { folder, wasm } = ownEngine(t);
  const crash: Crash = { call: 'append', when: 'done', nth: 2, workers: 'first' };
  const { history } = await openWindow(t, folder, crash, { wasmFile: wasm, patience: 300 });
  const session = ids.session();
  await history.append(session, [sessionFact(session)]);
  renameSync(wasm, `${wasm}.away`);
  const facts: readonly Fact[] = [userFact(session, ids.message(), null, 'once')];
  await assert.rejects(history.append(session, facts), failsWith('restarting'));
  assert.deepEqual(begunIn(folder), ['once'], 'it was written');
  renameSync(`${wasm}.away`, wasm);
  await appendOnceBack(history, session, facts);
  assert.deepEqual(begunIn(folder), ['once']);
  assert.deepEqual(await pathOf(history, session), ['once']);
});

test('[J36] closing waits for appends that were asked for while the worker is restarted', patience, async t => {
  const { folder, history, kill } = await openWindow(t, temporaryFolder(t));
  const session = ids.session();
  await history.append(session, [sessionFact(session)]);
  await kill();
  const append = history.append(session, [userFact(session, ids.message(), null, 'just before the end')]);
  await Promise.all([append, history.close()]);
  await assert.rejects(history.sessions(), failsWith('closed'));
  assert.deepEqual(await pathOf(await openTestHistory(folder), session), ['just before the end']);
});

test('[J36] [J41] what another window does meanwhile is told once the worker is back', patience, async t => {
  const { folder, history, kill } = await openWindow(t, temporaryFolder(t));
  const other = await openTestHistory(folder);
  const [written, erased] = [ids.session(), ids.session()];
  for (const session of [written, erased]) await Promise.all(appendAll(other, session, 2));
  while ((await history.sessions()).length < 2) await new Promise(resolve => setImmediate(resolve));
  const told = new Map<string, boolean>();
  history.onDidAppend(({ session, all }) => told.set(session, all));
  const killed = kill();
  await other.append(written, [{ type: 'set', session: written, name: 'title', value: 'new' }]);
  await other.erase(erased);
  await killed;
  while (!told.has(written) || !told.has(erased)) await history.alive();
  assert.deepEqual([told.get(written), told.get(erased)], [true, true], 'all of it is to be looked at');
  assert.deepEqual(
    (await history.sessions()).map(({ title }) => title),
    ['new'],
  );
});

test('[J36] a window keeps its id through restarts, and its running answer stays its own', patience, async t => {
  const { folder, history, kill } = await openWindow(t, temporaryFolder(t));
  const other = await openTestHistory(folder);
  const session = ids.session();
  const answer = ids.message();
  await history.append(session, [sessionFact(session)]);
  await kill();
  await history.append(session, [
    { type: 'message', session, message: { id: answer, parent: null, role: 'assistant', created: 1, blocks: [] } },
  ]);
  const told = new Promise<string | null>(resolve => other.onDidAppend(({ writer }) => resolve(writer)));
  await history.append(session, [{ type: 'set', session, name: 'title', value: 'told' }]);
  assert.equal(await told, history.writer);
  while (!(await other.open(session))?.path.length) await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(await other.alive(), new Set([history.writer, other.writer]));
  assert.equal((await other.open(session))?.writing, answer);
  assert.equal((await history.open(session))?.writing, null);
});

test('[J36] a folder of tombstones that cannot be read does not end the history', patience, async t => {
  const { folder, history, crashes } = await openWindow(t, temporaryFolder(t));
  const session = ids.session();
  await Promise.all(appendAll(history, session, 2));
  const erased = join(folder, 'erased');
  rmSync(erased, { recursive: true, force: true });
  // Whoever follows it comes back to it: the system refuses to look inside.
  symlinkSync(erased, erased);
  const other = await openTestHistory(folder);
  await other.append(session, [{ type: 'set', session, name: 'title', value: 'seen' }]);
  while ((await history.sessions())[0]?.title !== 'seen') await new Promise(resolve => setImmediate(resolve));
  // The folder is looked at every second.
  await new Promise<void>(resolve => {
    history.onDidAppend(() => resolve());
    setTimeout(() => void other.append(session, [{ type: 'set', session, name: 'title', value: 'later' }]), 1500);
  });
  assert.deepEqual(crashes, []);
});

test('[J36] a folder watcher that is stopped tells nothing of what it noticed before', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'aaaaaaaaaaaa~writer22.0.seg'), '');
  const told: string[] = [];
  const tail = new Tail({
    journal: folder,
    erased: join(folder, 'erased'),
    writer: 'writer33',
    alive: () => new Set(),
    onNews: segments => void told.push(...segments),
  });
  tail.start([]);
  tail.stop();
  for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(told, []);
});

test('[J36] an index that was closed says so to whoever comes too late', async () => {
  const db = (await loadSqlite(wasmFile))();
  db.exec('CREATE TABLE one(value)');
  db.close();
  assert.throws(() => db.all('SELECT value FROM one', []), failsWith('closed'));
  assert.throws(() => db.bytes(), failsWith('closed'));
});

test('[J36] closing is no crash when the exit of the worker comes right behind its answer', patience, async t => {
  const crash: Crash = { call: 'close', when: 'answered', nth: 1, workers: 'all' };
  const { history, crashes } = await openWindow(t, temporaryFolder(t), crash);
  await history.close();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(crashes, []);
});

test('[J36] history closes in order while it searches, scans and exports', patience, async t => {
  const folder = temporaryFolder(t);
  const { history, crashes } = await openWindow(t, folder);
  const session = ids.session();
  await Promise.all(appendAll(history, session, 400));
  const { signal } = new AbortController();
  const file = join(folder, 'export.json');
  const jobs = [
    history.search('text'),
    history.scan('text', () => {}, signal),
    history.check(),
    history.exportJson([session], file, { signal, onProgress() {} }),
  ];
  const ended = Promise.allSettled(jobs);
  await history.close();
  for (const job of await ended) assert.ok(job.status === 'fulfilled' || failsWith('closed')(job.reason));
  assert.deepEqual(crashes, []);
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('unfinished')),
    [],
  );
});
