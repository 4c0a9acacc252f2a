// When the index is saved: between requests, when enough has come or when it is quiet.
// It is counted in records, because that is what opening costs: about a tenth of a millisecond each. But a snapshot is
// the whole index, so it also waits until as much has come as it will write, as long as opening stays under a second.

import type { Store } from './store.ts';

const after = 1000;
const atLast = 8000;
const whenQuiet = 200;
const quietFor = 30_000;

export interface SnapshotTimes {
  /** Something came into the index. */
  readonly applied: () => void;
  readonly stop: () => void;
}

export function snapshotsOf(store: Store, onFailure: (cause: unknown) => void): SnapshotTimes {
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const take = () => {
    try {
      store.snapshot();
    } catch (cause) {
      // The snapshot is a cache: without it the next opening takes longer, and nothing else changes.
      onFailure(cause);
      store.intake.forgetUnsnapshot();
    }
  };
  return {
    applied() {
      clearTimeout(quiet);
      const { records, bytes } = store.intake.unsnapshot;
      const worth = bytes >= store.snapshotSize || records >= atLast;
      if (records >= after && worth) take();
      else if (records >= whenQuiet) quiet = setTimeout(take, quietFor);
    },
    stop: () => clearTimeout(quiet),
  };
}
