// The worker thread of history: the store lives here, so that neither the disk nor SQL ever blocks the host.
// Requests are answered one after another; an append is answered when it is durable, before it is applied. Between
// requests stand snapshots and tidying, and the slices of what takes long: a scan, a search that builds its index, a
// check, an export.

import { parentPort, workerData } from 'node:worker_threads';
import type { ExchangeProgress } from '../../core/exchange/exchange.ts';
import { HistoryError, historyErrorOf } from '../../core/history/historyError.ts';
import type { SessionId } from '../../model/message.ts';
import { Changes, type Change } from './changes.ts';
import { check, repair } from './check/check.ts';
import { Erasing } from './erasing/erasing.ts';
import { exportJson } from './export/exportJson.ts';
import { exportSqlite } from './export/exportSqlite.ts';
import { importJson } from './import/importJson.ts';
import { randomIds } from '../ids.ts';
import { Heartbeat } from './heartbeat.ts';
import { glimpse } from './glimpse.ts';
import { Queries } from './queries.ts';
import { ChangedSessions } from './search/changedSessions.ts';
import { Scan } from './search/scan.ts';
import { SearchIndex } from './search/searchIndex.ts';
import { parseSegmentName } from './journal/segmentName.ts';
import { snapshotsOf } from './snapshotTimes.ts';
import { LongTexts } from './longTexts.ts';
import { loadSqlite } from './sqlite.ts';
import { statisticsOf } from './statistics.ts';
import { Store } from './store.ts';
import { Tail } from './tail.ts';
import type { Failure, FromWorker, ToWorker, WorkerStart } from './workerMessages.ts';

const port = parentPort;
if (!port) throw new Error('This is the history worker: it runs in a worker thread only.');
const post = (message: FromWorker) => port.postMessage(message);
const warn = (cause: unknown) => post({ type: 'warned', failure: failureOf(historyErrorOf(cause)) });

/** After opening, what is cheaper to read in one piece is put into one. */
const tidyAfter = 60_000;

async function start({ folder, writer, wasmFile }: WorkerStart): Promise<void> {
  let store: Store;
  try {
    store = new Store(folder, writer, await loadSqlite(wasmFile), Date.now);
  } catch (cause) {
    post({ type: 'failed', failure: failureOf(cause) });
    return;
  }
  const queries = new Queries(store);
  const changes = new Changes(store, queries, Date.now);
  const erasing = new Erasing(store, queries);
  const changedSessions = new ChangedSessions(store.journal);
  const search = new SearchIndex(store, queries, changedSessions);
  const scan = new Scan(store, queries, changedSessions);
  const heartbeat = new Heartbeat(folder, writer, Date.now);
  const snapshots = snapshotsOf(store, warn);
  const changed = (sessions: Iterable<SessionId>) => {
    for (const session of new Set([...store.takeUntold(), ...sessions])) {
      search.changed(session);
      post({ type: 'appended', session });
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
    onNews(segments) {
      const sessions = segments
        .filter(segment => store.intake.catchUp(segment))
        .map(name => parseSegmentName(name)?.session);
      store.learnErasures();
      changed(sessions.flatMap(session => session ?? []));
      clean();
    },
  });
  const tidy = setTimeout(() => {
    try {
      erasing.join(heartbeat.alive(), Date.now(), null);
    } catch (cause) {
      warn(cause);
    }
  }, tidyAfter);

  const done = <Value>({ value, session, finish }: Change<Value>, answer: (value: Value) => void): void => {
    answer(value);
    finish();
    if (session === null) return;
    heartbeat.start();
    changed([session]);
  };
  /** Of what takes its time, by the number of its call. */
  const stops = new Map<number, AbortController>();
  const running = (id: number) => {
    const stop = new AbortController();
    stops.set(id, stop);
    const onProgress = (progress: ExchangeProgress) => post({ type: 'progress', id, progress });
    return { signal: stop.signal, onProgress };
  };
  const over = (id: number) => () => void stops.delete(id);
  const onImported = (session: SessionId) => {
    heartbeat.start();
    changed([session]);
  };
  const longTexts = new LongTexts();
  const answer = (call: ToWorker): void => {
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
        const [session, facts] = call.args;
        done({ value: undefined, session, finish: store.append(session, facts) }, give);
        return;
      }
      case 'openByKey':
        done(changes.openByKey(...call.args), give);
        return;
      case 'resetKey':
        done(changes.resetKey(...call.args), give);
        return;
      case 'trashedSince':
        give(queries.trashedSince());
        return;
      case 'trash':
        done(changes.trash(...call.args), give);
        return;
      case 'restore':
        done(changes.restore(...call.args), give);
        return;
      case 'erase':
        give(erasing.erase(...call.args));
        search.forget(call.args[0]);
        changed([call.args[0]]);
        return;
      case 'sessions':
        give(queries.sessions(...call.args));
        return;
      case 'open':
        giveLong(queries.open(...call.args, heartbeat.alive()));
        return;
      case 'glimpse':
        giveLong(glimpse(store.db, queries, ...call.args));
        return;
      case 'branches':
        give(queries.branches(...call.args));
        return;
      case 'alive':
        give(heartbeat.alive());
        return;
      case 'messages':
        giveLong(queries.messages(...call.args));
        return;
      case 'list':
        giveLong(queries.list(...call.args));
        return;
      case 'audit':
        give(queries.audit(...call.args));
        return;
      case 'tree':
        give(queries.tree(...call.args));
        return;
      case 'bound':
        give(queries.bound(...call.args));
        return;
      case 'forked':
        give(queries.forked(...call.args));
        return;
      case 'blob':
        give(queries.blob(...call.args));
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
        exportSqlite(store, queries, call.args[0], Date.now()).then(give, refuse(id));
        return;
      case 'exportJson': {
        const [sessions, file] = call.args;
        exportJson(store, queries, { sessions, file, ...running(id) })
          .then(give, refuse(id))
          .finally(over(id));
        return;
      }
      case 'importJson': {
        const [file] = call.args;
        const who = { newWriter: randomIds().writer, alive: () => heartbeat.alive() };
        const what = { file, now: Date.now(), ...who, ...running(id), onImported };
        importJson(store, queries, what).then(give, refuse(id)).finally(over(id));
        return;
      }
      case 'stop':
        stops.get(call.args[0])?.abort();
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
        clearTimeout(tidy);
        scan.stop();
        for (const stop of stops.values()) stop.abort();
        tail.stop();
        heartbeat.stop();
        snapshots.stop();
        search.close();
        store.close();
        give(undefined);
        port?.close();
        return;
    }
  };

  post({ type: 'opened', recovery: store.recovery });
  tail.start(store.intake.segments());
  clean();
  port?.on('message', (message: ToWorker) => {
    try {
      answer(message);
    } catch (cause) {
      refuse(message.id)(cause);
    }
  });
}

function refuse(id: number): (cause: unknown) => void {
  return cause => post({ type: 'refused', id, failure: failureOf(cause) });
}

function failureOf(cause: unknown): Failure {
  const error = cause instanceof HistoryError ? cause : historyErrorOf(cause);
  return { code: error.code, detail: error.cause instanceof Error ? error.cause.message : '' };
}

void start(workerData as WorkerStart);
