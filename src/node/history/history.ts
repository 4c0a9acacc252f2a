// The history as the rest of the product sees it: the async `History` port before a worker thread. Promises: requests
// are answered in their order; when the worker dies, everything that waits and everything that comes later fails
// with a HistoryError, and nothing is acknowledged that is not durable.

import { Worker } from 'node:worker_threads';
import type { ExchangeProgress } from '../../core/exchange/exchange.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { Exchanging, History, ScanProgress } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import type { Recovery } from './intake.ts';
import { putBack } from './longTexts.ts';
import type { Calls, Failure, FromWorker, ToWorker, WorkerStart } from './workerMessages.ts';

export interface OpenedHistory extends History {
  readonly recovery: Recovery;
  /** Fewer files for sessions that nobody writes to, or for this one, whoever writes. It happens by itself, too. */
  join(session?: SessionId): Promise<void>;
}

interface Waiting {
  readonly message: ToWorker;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

export interface HistoryStart extends WorkerStart {
  readonly workerFile: string | URL;
  readonly onWarning?: (warning: HistoryError) => void;
}

const takeTheirTime: ReadonlySet<string> = new Set<keyof Calls>(['scan', 'exportJson', 'importJson']);

export async function openHistory(start: HistoryStart): Promise<OpenedHistory> {
  const { folder, writer, wasmFile } = start;
  const worker = new Worker(start.workerFile, {
    workerData: { folder, writer, wasmFile } satisfies WorkerStart,
    // Building the full-text index makes much garbage: without a limit the heap grows by 100 MB to hold it.
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
  });
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(session: SessionId) => void>();
  const progress = new Map<number, (progress: ScanProgress | ExchangeProgress) => void>();
  let nextId = 0;
  let dead: HistoryError | null = null;

  const die = (error: HistoryError) => {
    dead ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const ask = <Name extends keyof Calls>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> => {
    const id = nextId++;
    return askAs(id, name, ...args);
  };
  const askAs = <Name extends keyof Calls>(
    id: number,
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> =>
    new Promise((resolve, reject) => {
      if (dead) {
        reject(dead);
        return;
      }
      // The compiler does not follow which arguments belong to which name.
      const message = { name, args, id } as unknown as ToWorker;
      worker.postMessage(message);
      waiting.set(id, { message, resolve: value => resolve(value as ReturnType<Calls[Name]>), reject });
    });

  /** Answers of which the long texts are on their way. */
  const assembling = new Set<Promise<void>>();
  const answered = ({ id, value, texts = [] }: Extract<FromWorker, { type: 'answer' }>) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (texts.length === 0) return asked?.resolve(value);
    const whole = putBack(value, texts, (text, offset) => ask('textPart', id, text, offset)).then(
      () => asked?.resolve(value),
      (cause: unknown) => asked?.reject(cause),
    );
    assembling.add(whole);
    void whole.finally(() => assembling.delete(whole));
  };

  /** A call that takes its time, and can be stopped. */
  const exchange = async <Name extends 'exportJson' | 'importJson'>(
    { signal, onProgress }: Exchanging,
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> => {
    signal.throwIfAborted();
    const id = nextId++;
    progress.set(id, told => onProgress(told as ExchangeProgress));
    const stop = () => void ask('stop', id).catch(() => {});
    signal.addEventListener('abort', stop);
    try {
      return await askAs(id, name, ...args);
    } finally {
      signal.removeEventListener('abort', stop);
      progress.delete(id);
    }
  };

  const recovery = await new Promise<Recovery>((resolve, reject) => {
    worker.on('error', cause => {
      die(new HistoryError('io', cause));
      reject(new HistoryError('io', cause));
    });
    worker.on('exit', () => die(new HistoryError('closed')));
    worker.on('messageerror', () => {
      // Something in the answer is nested deeper than this thread can take from another; as text it can be read. Answers
      // come in the order of their requests, so it is the oldest one's, of those that do not take their time.
      const unread = [...waiting].find(([, { message }]) => !takeTheirTime.has(message.name));
      if (!unread) return;
      const [id, entry] = unread;
      waiting.delete(id);
      waiting.set(id, entry);
      worker.postMessage({ ...entry.message, asText: true } satisfies ToWorker);
    });
    worker.on('message', (message: FromWorker) => {
      switch (message.type) {
        case 'opened':
          resolve(message.recovery);
          break;
        case 'failed':
          reject(errorOf(message.failure));
          break;
        case 'answer':
          answered(message);
          break;
        case 'answerText':
          waiting.get(message.id)?.resolve(JSON.parse(message.json));
          waiting.delete(message.id);
          break;
        case 'progress':
          progress.get(message.id)?.(message.progress);
          break;
        case 'refused':
          waiting.get(message.id)?.reject(errorOf(message.failure));
          waiting.delete(message.id);
          break;
        case 'appended': {
          const tell = () => listeners.forEach(listener => listener(message.session));
          // Whoever waits for an answer has it before they hear of what came after it.
          if (assembling.size === 0) tell();
          else void Promise.all(assembling).then(tell);
          break;
        }
        case 'warned':
          start.onWarning?.(errorOf(message.failure));
          break;
      }
    });
  });

  return {
    recovery,
    writer,
    alive: () => ask('alive'),
    append: (session, facts) => ask('append', session, facts),
    openByKey: (key, fresh) => ask('openByKey', key, fresh),
    resetKey: key => ask('resetKey', key),
    sessions: (query = {}) => ask('sessions', query),
    open: (session, at) => ask('open', session, at ?? null),
    glimpse: session => ask('glimpse', session),
    branches: (session, head) => ask('branches', session, head),
    messages: wanted => ask('messages', wanted),
    list: query => ask('list', query),
    audit: session => ask('audit', session),
    blob: (session, ref) => ask('blob', session, ref),
    tree: session => ask('tree', session),
    bound: agent => ask('bound', agent),
    forked: of => ask('forked', of ?? null),
    trashedSince: () => ask('trashedSince'),
    trash: (session, branch) => ask('trash', session, branch ?? null),
    restore: (session, message) => ask('restore', session, message ?? null),
    erase: (session, branch) => ask('erase', session, branch ?? null),
    search: (words, query = {}) => ask('search', words, query),
    async scan(text, onProgress, signal, filter = {}) {
      signal.throwIfAborted();
      const id = nextId++;
      // What a call tells is of its own kind.
      progress.set(id, told => onProgress(told as ScanProgress));
      const stop = () => void ask('stopScan').catch(() => {});
      signal.addEventListener('abort', stop);
      try {
        return await askAs(id, 'scan', text, filter);
      } finally {
        signal.removeEventListener('abort', stop);
        progress.delete(id);
      }
    },
    check: () => ask('check'),
    repair: () => ask('repair'),
    statistics: () => ask('statistics'),
    exportSqlite: file => ask('exportSqlite', file),
    exportJson: (sessions, file, running) => exchange(running, 'exportJson', sessions, file),
    importJson: (file, running) => exchange(running, 'importJson', file),
    join: session => ask('join', session ?? null),
    onDidAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (dead) return;
      await ask('close');
      dead = new HistoryError('closed');
    },
  };
}

function errorOf({ code, detail }: Failure): HistoryError {
  return new HistoryError(code, detail === '' ? undefined : new Error(detail));
}
