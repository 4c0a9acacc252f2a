// The history of a window whose history could not be opened: it has no sessions and saves nothing, and says why every
// time, so that a person can still talk, sees that it is not saved, and loses nothing in silence.

import type { History } from '../ports.ts';
import type { HistoryError } from './historyError.ts';

export function unavailableHistory(reason: HistoryError): History {
  return {
    append: () => Promise.reject(reason),
    sessions: () => Promise.resolve([]),
    open: () => Promise.resolve(undefined),
    onDidAppend: () => () => {},
    close: () => Promise.resolve(),
  };
}
