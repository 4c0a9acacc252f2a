// When the index is saved: between requests, when enough has come or when it is quiet.
// It is counted in records, because that is what opening costs: about a tenth of a millisecond each. But a snapshot is
// the whole index, however little has come: so it also waits until what came is worth writing all of it, and longer
// while there is no pause, as long as opening stays under a second.

import type { Store } from './store.ts';

interface Due {
  /** Not before so many records. */
  readonly from: number;
  /** Of the index's size must have come, in bytes of the journal. */
  readonly times: number;
  /** Whatever it writes. */
  readonly atLast: number;
}

const busy: Due = { from: 1000, times: 3, atLast: 8000 };
const quiet: Due = { from: 200, times: 1, atLast: 2000 };
const quietFor = 30_000;

export interface SnapshotTimes {
  /** Something came into the index. */
  readonly applied: () => void;
  readonly stop: () => void;
}

export function snapshotsOf(store: Store, onFailure: (cause: unknown) => void): SnapshotTimes {
  let pause: ReturnType<typeof setTimeout> | undefined;
  const isDue = ({ from, times, atLast }: Due): boolean => {
    const { records, bytes } = store.intake.unsnapshot;
    return records >= atLast || (records >= from && bytes >= times * store.snapshotSize);
  };
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
      clearTimeout(pause);
      if (isDue(busy)) take();
      else if (isDue(quiet)) pause = setTimeout(take, quietFor);
    },
    stop: () => clearTimeout(pause),
  };
}
