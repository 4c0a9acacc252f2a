// The history of a window whose history could not be opened: it has no sessions and saves nothing, and says why every
// time, so that a person can still talk, sees that it is not saved, and loses nothing in silence.

import type { History } from './history.ts';
import type { HistoryError } from './historyError.ts';

export function unavailableHistory(reason: HistoryError): History {
  const refuse = (): Promise<never> => Promise.reject(reason);
  return {
    writer: '',
    unavailable: reason,
    alive: () => Promise.resolve(new Set()),
    append: refuse,
    openByKey: refuse,
    resetKey: refuse,
    sessions: () => Promise.resolve([]),
    open: () => Promise.resolve(undefined),
    fields: () => Promise.resolve(undefined),
    erased: () => Promise.resolve(new Set()),
    openEnd: () => Promise.resolve(null),
    branches: () => Promise.resolve(undefined),
    messages: refuse,
    list: () => Promise.resolve([]),
    audit: () => Promise.resolve(undefined),
    blob: refuse,
    tree: () => Promise.resolve([]),
    bound: () => Promise.resolve(new Map()),
    trashedSince: () => Promise.resolve(new Map()),
    trash: refuse,
    restore: refuse,
    erase: refuse,
    search: refuse,
    scan: refuse,
    check: refuse,
    repair: refuse,
    statistics: refuse,
    exportSqlite: refuse,
    exportJson: refuse,
    importJson: refuse,
    onDidAppend: () => () => {},
    close: () => Promise.resolve(),
  };
}
