// The history as the rest of the product sees it: the async `History` port before a worker thread. Promises: requests
// are answered in their order; when the worker dies, everything that waits and everything that comes later fails
// with a HistoryError, and nothing is acknowledged that is not durable.

import { Worker } from 'node:worker_threads';
import { HistoryError } from '../../core/history/historyError.ts';
import type { History, SessionSummary, StoredSession } from '../../core/ports.ts';
import type { SessionId } from '../../model/message.ts';
import type { Recovery } from './store.ts';
import type { Failure, FromWorker, Request, ToWorker, WorkerStart } from './workerMessages.ts';

export interface OpenedHistory extends History {
  readonly recovery: Recovery;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

export interface HistoryStart extends WorkerStart {
  readonly workerFile: string | URL;
  readonly onWarning?: (warning: HistoryError) => void;
}

export async function openHistory(start: HistoryStart): Promise<OpenedHistory> {
  const { folder, writer, wasmFile } = start;
  const worker = new Worker(start.workerFile, { workerData: { folder, writer, wasmFile } satisfies WorkerStart });
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(session: SessionId) => void>();
  let nextId = 0;
  let dead: HistoryError | null = null;

  const die = (error: HistoryError) => {
    dead ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const ask = <Value>(request: Request): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      if (dead) {
        reject(dead);
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve: value => resolve(value as Value), reject });
      worker.postMessage({ ...request, id } satisfies ToWorker);
    });

  const recovery = await new Promise<Recovery>((resolve, reject) => {
    worker.on('error', cause => {
      die(new HistoryError('io', cause));
      reject(new HistoryError('io', cause));
    });
    worker.on('exit', () => die(new HistoryError('closed')));
    worker.on('message', (message: FromWorker) => {
      switch (message.type) {
        case 'opened':
          resolve(message.recovery);
          break;
        case 'failed':
          reject(errorOf(message.failure));
          break;
        case 'answer':
          waiting.get(message.id)?.resolve(message.value);
          waiting.delete(message.id);
          break;
        case 'refused':
          waiting.get(message.id)?.reject(errorOf(message.failure));
          waiting.delete(message.id);
          break;
        case 'appended':
          for (const listener of listeners) listener(message.session);
          break;
        case 'warned':
          start.onWarning?.(errorOf(message.failure));
          break;
      }
    });
  });

  return {
    recovery,
    append: (session, facts) => ask<void>({ type: 'append', session, facts }),
    sessions: (page = {}) =>
      ask<readonly SessionSummary[]>({ type: 'sessions', limit: page.limit ?? -1, offset: page.offset ?? 0 }),
    open: session => ask<StoredSession | undefined>({ type: 'open', session }),
    onDidAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (dead) return;
      await ask<void>({ type: 'close' });
      dead = new HistoryError('closed');
    },
  };
}

function errorOf({ code, detail }: Failure): HistoryError {
  return new HistoryError(code, detail === '' ? undefined : new Error(detail));
}
