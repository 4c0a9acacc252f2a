// The worker thread of history: the store lives here, so that neither the disk nor SQL ever blocks the host.
// Requests are answered one after another; an append is answered when it is durable, before it is applied. Snapshots
// are taken between requests, when enough has come or when it is quiet.

import { parentPort, workerData } from 'node:worker_threads';
import { HistoryError, historyErrorOf } from '../../core/history/historyError.ts';
import { Heartbeat } from './heartbeat.ts';
import { parseSegmentName } from './segmentReader.ts';
import { loadSqlite } from './sqlite.ts';
import { Store } from './store.ts';
import { Tail } from './tail.ts';
import type { Failure, FromWorker, ToWorker, WorkerStart } from './workerMessages.ts';

const port = parentPort;
if (!port) throw new Error('This is the history worker: it runs in a worker thread only.');
const post = (message: FromWorker) => port.postMessage(message);

/**
 * Counted in records, because that is what opening costs: about a tenth of a millisecond each. But a snapshot is the
 * whole index, so it also waits until as much has come as it will write, as long as opening stays under a second.
 */
const snapshotAfter = 1000;
const snapshotAtLast = 8000;
const snapshotWhenQuiet = 200;
const quietFor = 30_000;

async function start({ folder, writer, wasmFile }: WorkerStart): Promise<void> {
  let store: Store;
  try {
    store = new Store(folder, writer, await loadSqlite(wasmFile), Date.now);
  } catch (cause) {
    post({ type: 'failed', failure: failureOf(cause) });
    return;
  }
  const heartbeat = new Heartbeat(folder, writer, Date.now);
  const snapshots = snapshotsOf(store);
  const tail = new Tail({
    journal: store.journal,
    writer,
    alive: () => heartbeat.alive(),
    onNews(segments) {
      const sessions = segments.filter(segment => store.catchUp(segment)).map(name => parseSegmentName(name)?.session);
      for (const session of new Set(sessions)) if (session !== undefined) post({ type: 'appended', session });
      snapshots.applied();
    },
  });
  const close = () => {
    tail.stop();
    heartbeat.stop();
    snapshots.stop();
    store.close();
  };
  post({ type: 'opened', recovery: store.recovery });
  tail.start(store.segments());
  port?.on('message', (message: ToWorker) => {
    try {
      answer(store, heartbeat, message);
      if (message.type === 'append') {
        heartbeat.start();
        snapshots.applied();
      }
      if (message.type === 'close') {
        close();
        post({ type: 'answer', id: message.id, value: undefined });
        port.close();
      }
    } catch (cause) {
      post({ type: 'refused', id: message.id, failure: failureOf(cause) });
    }
  });
}

function answer(store: Store, heartbeat: Heartbeat, message: ToWorker): void {
  const { id } = message;
  switch (message.type) {
    case 'append': {
      const finish = store.append(message.session, message.facts);
      post({ type: 'answer', id, value: undefined });
      finish();
      post({ type: 'appended', session: message.session });
      return;
    }
    case 'sessions':
      post({ type: 'answer', id, value: store.sessions(message.limit, message.offset) });
      return;
    case 'open':
      post({ type: 'answer', id, value: store.open(message.session, heartbeat.alive()) });
      return;
    case 'close':
      return;
  }
}

function snapshotsOf(store: Store): { readonly applied: () => void; readonly stop: () => void } {
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const take = () => {
    try {
      store.snapshot();
    } catch (cause) {
      // The snapshot is a cache: without it the next opening takes longer, and nothing else changes.
      post({ type: 'warned', failure: failureOf(historyErrorOf(cause)) });
      store.forgetUnsnapshot();
    }
  };
  return {
    applied() {
      clearTimeout(quiet);
      const { records, bytes } = store.unsnapshot;
      const worth = bytes >= store.snapshotSize || records >= snapshotAtLast;
      if (records >= snapshotAfter && worth) take();
      else if (records >= snapshotWhenQuiet) quiet = setTimeout(take, quietFor);
    },
    stop: () => clearTimeout(quiet),
  };
}

function failureOf(cause: unknown): Failure {
  const error = cause instanceof HistoryError ? cause : historyErrorOf(cause);
  return { code: error.code, detail: error.cause instanceof Error ? error.cause.message : '' };
}

void start(workerData as WorkerStart);
