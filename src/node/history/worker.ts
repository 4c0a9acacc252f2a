// The worker thread of history: the store lives here, so that neither the disk nor SQL ever blocks the host.
// Requests are answered one after another; an append is answered when it is durable, before it is applied.

import { parentPort, workerData } from 'node:worker_threads';
import { historyErrorOf, HistoryError } from '../../core/history/historyError.ts';
import { openMemoryDatabase } from './sqlite.ts';
import { Store } from './store.ts';
import type { FromWorker, ToWorker, WorkerStart } from './workerMessages.ts';

const port = parentPort;
if (!port) throw new Error('This is the history worker: it runs in a worker thread only.');
const post = (message: FromWorker) => port.postMessage(message);

async function start({ folder, writer, wasmFile }: WorkerStart): Promise<void> {
  let store: Store;
  try {
    store = new Store(folder, writer, await openMemoryDatabase(wasmFile), Date.now);
  } catch (cause) {
    post({ type: 'failed', failure: failureOf(cause) });
    return;
  }
  post({ type: 'opened', recovery: store.recovery });
  port?.on('message', (message: ToWorker) => answer(store, message));
}

function answer(store: Store, message: ToWorker): void {
  const { id } = message;
  try {
    switch (message.type) {
      case 'append': {
        const finish = store.append(message.session, message.facts);
        post({ type: 'answer', id, value: undefined });
        finish();
        post({ type: 'appended', session: message.session });
        return;
      }
      case 'sessions':
        post({ type: 'answer', id, value: store.sessions() });
        return;
      case 'open':
        post({ type: 'answer', id, value: store.open(message.session) });
        return;
      case 'close':
        store.close();
        post({ type: 'answer', id, value: undefined });
        port?.close();
        return;
    }
  } catch (cause) {
    post({ type: 'refused', id, failure: failureOf(cause) });
  }
}

function failureOf(cause: unknown) {
  const error = cause instanceof HistoryError ? cause : historyErrorOf(cause);
  return { code: error.code, detail: error.cause instanceof Error ? error.cause.message : '' };
}

void start(workerData as WorkerStart);
