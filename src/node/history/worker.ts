// The worker thread of history: the store lives here, so that neither the disk nor SQL ever blocks the host.
// Requests are answered one after another; an append is answered when it is durable, before it is applied. Between
// requests run snapshots and tidying, and the slices of what takes long: a scan, a search that builds its index, a
// check, an export. Trouble of the disk is answered or warned of. A bug that no request waits for ends this thread, and
// the window starts another one, whose index is made from the journal.

import { parentPort, workerData } from 'node:worker_threads';
import type { ExchangeProgress } from '../../core/exchange/exchange.ts';
import { changedAltogether } from '../../core/history/historyChange.ts';
import { historyErrorOf, stackOf } from '../../core/history/historyError.ts';
import type { Exchanging } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import { Changes, type Change } from './changes.ts';
import { check, repair } from './check/check.ts';
import { Erasing } from './erasing/erasing.ts';
import { exportJson } from './export/exportJson.ts';
import { exportSqlite } from './export/exportSqlite.ts';
import { serveExchange, type ReadExchange } from './import/exchangeThread.ts';
import { importJson } from './import/importJson.ts';
import { randomIds } from '../ids.ts';
import { Heartbeat } from './heartbeat.ts';
import { findBoundSessions, listSessions, trashedSince } from './index/listSessions.ts';
import { branchesOf, listNodes } from './index/messageTree.ts';
import { openEnd } from './index/openEnd.ts';
import { listMessages, openSession, readAudit, readBlob, readMessages } from './index/readMessages.ts';
import { ChangedSessions } from './search/changedSessions.ts';
import { Scan } from './search/scan.ts';
import { SearchIndex } from './search/searchIndex.ts';
import { snapshotsOf } from './snapshotTimes.ts';
import { LongTexts } from './longTexts.ts';
import { loadSqlite } from './index/sqlite.ts';
import { storedFields } from './index/storedFields.ts';
import { statisticsOf } from './statistics.ts';
import { Store } from './store.ts';
import { Tail } from './tail.ts';
import type { Failure, FromWorker, ToWorker, WorkerData } from './workerMessages.ts';

const port = parentPort;
if (!port) throw new Error('This is the history worker: it runs in a worker thread only.');
const post = (message: FromWorker) => port.postMessage(message);
const warn = (cause: unknown) => post({ type: 'warned', failure: failureOf(cause) });

/** After opening, what is cheaper to read in one piece is put into one. */
const tidyAfter = 60_000;

async function start({ folder, writer, wasmFile, workerFile, resumeAfter }: WorkerData): Promise<void> {
  // A file of the product's own that is missing says nothing of the history folder.
  const openDatabase = await loadSqlite(wasmFile);
  let store: Store;
  try {
    store = new Store(folder, writer, openDatabase, Date.now);
  } catch (cause) {
    post({ type: 'failed', failure: failureOf(cause) });
    return;
  }
  const { db } = store;
  const changes = new Changes(store, Date.now);
  const erasing = new Erasing(store);
  const changedSessions = new ChangedSessions(store.journal);
  const search = new SearchIndex(store, changedSessions);
  const scan = new Scan(store, changedSessions);
  const heartbeat = new Heartbeat(folder, writer, Date.now);
  const closing = new AbortController();
  /** For callbacks that no request waits for. */
  const inBackground =
    <Args extends readonly unknown[]>(run: (...args: Args) => void) =>
    (...args: Args): void => {
      if (closing.signal.aborted) return;
      try {
        run(...args);
      } catch (cause) {
        if (failureOf(cause).code === 'internal') throw cause;
        warn(cause);
      }
    };
  const snapshots = snapshotsOf(store, warn);
  /** Tells what the index has taken in since the last time, and that these sessions are other than they were. */
  const changed = (sessions: Iterable<SessionId>) => {
    for (const session of sessions) store.intake.changes.add(changedAltogether(session));
    for (const change of store.intake.changes.take()) {
      search.changed(change.session);
      post({ type: 'appended', change, tick: store.latestTick });
    }
    snapshots.applied();
  };
  const clean = () => {
    try {
      erasing.clean();
    } catch (cause) {
      // What is left of something erased is met again, and tried again, by whoever opens the folder next.
      warn(cause);
    }
  };
  const tail = new Tail({
    journal: store.journal,
    erased: store.tombstones.folder,
    writer,
    alive: () => heartbeat.alive(),
    onNews: inBackground(segments => {
      for (const segment of segments) store.intake.catchUp(segment);
      store.learnErasures();
      changed([]);
      clean();
    }),
  });
  const tidy = setTimeout(
    inBackground(() => erasing.join(heartbeat.alive(), Date.now(), null)),
    tidyAfter,
  );

  /** Answers, and returns what follows: a failure of that is not the answer's. */
  const done = <Value>({ value, session, finish }: Change<Value>, answer: (value: Value) => void): (() => void) => {
    answer(value);
    return () => {
      finish();
      if (session !== null) changed([]);
    };
  };
  /** The exports and imports that run, by the number of their call. */
  const exchanges = new Map<number, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  const exchange = <Value>(id: number, run: (running: Exchanging) => Promise<Value>, give: (value: Value) => void) => {
    const stop = new AbortController();
    const onProgress = (progress: ExchangeProgress) => post({ type: 'progress', id, progress });
    const ended = run({ signal: stop.signal, onProgress })
      .then(give, refuse(id))
      .finally(() => exchanges.delete(id));
    exchanges.set(id, { stop, ended });
  };
  const close = async () => {
    closing.abort();
    clearTimeout(tidy);
    scan.stop();
    tail.stop();
    heartbeat.stop();
    snapshots.stop();
    search.close();
    for (const { stop } of exchanges.values()) stop.abort();
    // An export that is stopped removes its unfinished file first.
    await Promise.all([...exchanges.values()].map(({ ended }) => ended));
    store.close();
  };
  const onImported = (session: SessionId) => changed([session]);
  const longTexts = new LongTexts();
  /** Returns what is to be done after the answer. */
  const answer = (call: ToWorker): (() => void) | undefined => {
    const { id, asText } = call;
    const give = (value: unknown) =>
      post(asText ? { type: 'answerText', id, json: JSON.stringify(value) } : { type: 'answer', id, value });
    /** With messages in it. */
    const giveLong = (value: unknown) => {
      if (asText) return give(value);
      post({ type: 'answer', id, ...longTexts.takeOut(id, value) });
    };
    switch (call.name) {
      case 'append': {
        const [session, facts, { number, writers }] = call.args;
        const isDone = writers.length > 0 && store.hasAppend(session, number, writers);
        const finish = isDone
          ? () => store.intake.changes.add(changedAltogether(session))
          : store.append(session, facts, number);
        return done({ value: undefined, session, finish }, give);
      }
      case 'openByKey':
        return done(changes.openByKey(...call.args), give);
      case 'resetKey':
        return done(changes.resetKey(...call.args), give);
      case 'trashedSince':
        give(trashedSince(db));
        return;
      case 'trash':
        return done(changes.trash(...call.args), give);
      case 'restore':
        return done(changes.restore(...call.args), give);
      case 'erase':
        give(erasing.erase(...call.args));
        return () => {
          search.forget(call.args[0]);
          changed([call.args[0]]);
        };
      case 'sessions':
        give(listSessions(db, ...call.args));
        return;
      case 'open':
        giveLong(openSession(store, ...call.args, heartbeat.alive()));
        return;
      case 'fields':
        giveLong(storedFields(store, ...call.args, heartbeat.alive()));
        return;
      case 'erased':
        store.learnErasures();
        give(new Set(call.args[0].filter(session => store.erasure.hasSession(session))));
        return () => changed([]);
      case 'openEnd':
        giveLong(openEnd(store, ...call.args, heartbeat.alive()));
        return;
      case 'branches':
        give(branchesOf(db, ...call.args));
        return;
      case 'alive':
        give(heartbeat.windows());
        return;
      case 'messages':
        giveLong(readMessages(store, ...call.args));
        return;
      case 'list':
        giveLong(listMessages(store, ...call.args));
        return;
      case 'audit':
        give(readAudit(store, ...call.args));
        return;
      case 'tree':
        give(listNodes(db, ...call.args));
        return;
      case 'bound':
        give(findBoundSessions(db, ...call.args));
        return;
      case 'blob':
        give(readBlob(store, ...call.args));
        return;
      case 'search':
        search.search(...call.args).then(give, refuse(id));
        return;
      case 'scan':
        scan
          .start(call.args[0], progress => post({ type: 'progress', id, progress }), call.args[1])
          .then(give, refuse(id));
        return;
      case 'stopScan':
        scan.stop();
        give(undefined);
        return;
      case 'check':
        check(store, { now: Date.now(), alive: heartbeat.alive() }).then(give, refuse(id));
        return;
      case 'repair': {
        const moment = { now: Date.now(), alive: heartbeat.alive() };
        const joinSession = (session: SessionId) => erasing.join(moment.alive, moment.now, session);
        repair(store, { ...moment, clean, joinSession, changed }).then(give, refuse(id));
        return;
      }
      case 'statistics':
        give(statisticsOf(store));
        return;
      case 'exportSqlite':
        exportSqlite(store, call.args[0], Date.now()).then(give, refuse(id));
        return;
      case 'exportJson': {
        const [sessions, file] = call.args;
        exchange(id, running => exportJson(store, { sessions, file, ...running }), give);
        return;
      }
      case 'importJson': {
        const [file] = call.args;
        const who = { newWriter: randomIds().writer, alive: () => heartbeat.alive() };
        const what = { file, workerFile, now: Date.now(), ...who, onImported };
        exchange(id, running => importJson(store, { ...what, ...running }), give);
        return;
      }
      case 'stop':
        exchanges.get(call.args[0])?.stop.abort();
        give(undefined);
        return;
      case 'textPart':
        give(longTexts.part(...call.args));
        return;
      case 'join':
        erasing.join(heartbeat.alive(), Date.now(), call.args[0]);
        give(undefined);
        return;
      case 'close':
        close()
          .then(give, refuse(id))
          .finally(() => port?.close());
        return;
    }
  };

  post({ type: 'opened', recovery: store.recovery, tick: store.latestTick });
  tail.start(store.intake.segments());
  heartbeat.start();
  clean();
  if (resumeAfter !== null) changed(store.changedSince(resumeAfter));
  port?.on('message', (message: ToWorker) => {
    let follow: (() => void) | undefined;
    try {
      follow = answer(message);
    } catch (cause) {
      // A bug is no reason to drop what a conversation wants saved: with a new index the append may go through.
      if (message.name === 'append' && failureOf(cause).code === 'internal') throw cause;
      refuse(message.id)(cause);
    }
    // The answer was given: what goes wrong now leaves the index behind the journal, so it ends the thread.
    follow?.();
  });
}

function refuse(id: number): (cause: unknown) => void {
  return cause => {
    const failure = failureOf(cause);
    post({ type: 'refused', id, failure });
    if (failure.code === 'internal') post({ type: 'warned', failure });
  };
}

function failureOf(cause: unknown): Failure {
  const error = historyErrorOf(cause);
  const detail = error.code === 'internal' ? stackOf(error.cause) : messageOf(error.cause);
  return { code: error.code, detail };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : '';
}

const data = workerData as WorkerData | ReadExchange;
if ('readExchange' in data) serveExchange(port, data);
else void start(data);
