// The history as the rest of the product sees it: the async `History` port before a worker thread. Requests are answered
// in their order. What happens when the worker ends is the supervisor's.

import type { ExchangeProgress } from '../../core/exchange/exchange.ts';
import type { HistoryChange } from '../../core/history/historyChange.ts';
import type { HistoryError } from '../../core/history/historyError.ts';
import type { History, ScanProgress, SearchHit } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import type { Recovery } from './intake.ts';
import { WorkerSupervisor, type SupervisorStart } from './workerSupervisor.ts';

export interface OpenedHistory extends History {
  readonly recovery: Recovery;
  /** Fewer files for sessions that nobody writes to, or for this one, whoever writes. It happens by itself, too. */
  join(session?: SessionId): Promise<void>;
}

export interface HistoryStart extends SupervisorStart {
  readonly onWarning?: (warning: HistoryError) => void;
  readonly onCrash?: (cause: HistoryError) => void;
}

export async function openHistory({ onWarning, onCrash, ...start }: HistoryStart): Promise<OpenedHistory> {
  const listeners = new Set<(change: HistoryChange) => void>();
  const worker = new WorkerSupervisor(start, {
    onAppended: change => listeners.forEach(listener => listener(change)),
    onWarning: warning => onWarning?.(warning),
    onCrash: cause => onCrash?.(cause),
  });
  const recovery = await worker.opened;
  return {
    recovery,
    writer: start.writer,
    alive: () => worker.ask('alive'),
    append: (session, facts) => worker.append(session, facts),
    openByKey: (key, fresh) => worker.ask('openByKey', key, fresh),
    resetKey: key => worker.ask('resetKey', key),
    sessions: (query = {}) => worker.ask('sessions', query),
    open: (session, at) => worker.ask('open', session, at ?? null),
    fields: session => worker.ask('fields', session),
    erased: wanted => worker.ask('erased', wanted),
    openEnd: session => worker.ask('openEnd', session),
    branches: (session, head) => worker.ask('branches', session, head),
    messages: wanted => worker.ask('messages', wanted),
    list: query => worker.ask('list', query),
    audit: session => worker.ask('audit', session),
    blob: (session, ref) => worker.ask('blob', session, ref),
    tree: session => worker.ask('tree', session),
    bound: agent => worker.ask('bound', agent),
    trashedSince: () => worker.ask('trashedSince'),
    trash: (session, branch) => worker.ask('trash', session, branch ?? null),
    restore: (session, message) => worker.ask('restore', session, message ?? null),
    erase: (session, branch) => worker.ask('erase', session, branch ?? null),
    search: (words, query = {}) => worker.ask('search', words, query),
    scan(text, onProgress, signal, filter = {}) {
      const told = new Set<string>();
      const isNew = ({ session, message, block }: SearchHit) => {
        const key = `${session} ${message} ${block}`;
        return told.size < told.add(key).size;
      };
      // A scan that begins again, with another worker, finds the same once more.
      const tell = (progress: ScanProgress) => onProgress({ ...progress, hits: progress.hits.filter(isNew) });
      // The progress of a call is of its own kind.
      return worker.askWithProgress(signal, progress => tell(progress as ScanProgress), 'scan', text, filter);
    },
    check: () => worker.ask('check'),
    repair: () => worker.ask('repair'),
    statistics: () => worker.ask('statistics'),
    exportSqlite: file => worker.ask('exportSqlite', file),
    exportJson: (sessions, file, { signal, onProgress }) =>
      worker.askWithProgress(signal, told => onProgress(told as ExchangeProgress), 'exportJson', sessions, file),
    importJson: (file, { signal, onProgress }) =>
      worker.askWithProgress(signal, told => onProgress(told as ExchangeProgress), 'importJson', file),
    join: session => worker.ask('join', session ?? null),
    onDidAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => worker.close(),
  };
}
