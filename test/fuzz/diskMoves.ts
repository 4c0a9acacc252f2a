// What happens to the history, and time.

import { failures } from './diskOfWindow.ts';
import { nth, type Row, type Rows } from './row.ts';
import type { Window } from './window.ts';

const spans = [10, 100, 200, 1000, 2000, 2000, 5000, 10_000, 16_000, 31_000];

function ofDisk(weight: number, act: (way: Window['way'], n: number, m: number) => (() => void) | null): Row {
  return {
    weight,
    make(world, place, n, m) {
      const window = world.windows[place];
      return window && !window.isGone ? act(window.way, n, m) : null;
    },
  };
}

export const diskMoves = {
  /** It is drawn where nothing else would do anything. */
  wait: { weight: 18, make: (world, _place, n) => () => world.advance(nth(spans, n) ?? 10) },
  slow: ofDisk(4, way => (way.isSlow ? null : () => void (way.isSlow = true))),
  release: ofDisk(26, way => (way.isIdle ? null : () => void way.release())),
  releaseAll: ofDisk(4, way => {
    if (!way.isSlow && way.isIdle) return null;
    return () => {
      way.isSlow = false;
      while (way.release());
    };
  }),
  fall: ofDisk(2, (way, n, m) => {
    const kind = nth(failures, n);
    if (!kind || way.failure) return null;
    return () => void (way.failure = { kind, isWritten: m % 3 === 0 });
  }),
  recover: ofDisk(8, way => (way.failure ? () => void (way.failure = null) : null)),
  behind: ofDisk(3, way => (way.isBehind ? null : () => void (way.isBehind = true))),
  catchUp: ofDisk(8, way => (way.isBehind ? () => void (way.isBehind = false) : null)),
  hide: ofDisk(1, way => (way.isHidden ? null : () => void (way.isHidden = true))),
  comeBack: ofDisk(8, way => {
    if (!way.isHidden) return null;
    return () => {
      way.isHidden = false;
      way.tell();
    };
  }),
  /** The window is not heard of for a while, and lives. */
  stall: {
    weight: 3,
    make(world, place, n) {
      const window = world.windows[place];
      return world.hasStalls && window && !window.isGone
        ? () => void (window.way.stalledUntil = world.time.now + 5000 * ((n % 6) + 1))
        : null;
    },
  },
  eraseBranch: {
    weight: 0.4,
    make(world, _place, n) {
      const id = nth(world.disk.truth.ids, n);
      return id === undefined || world.disk.truth.ids.length < 5 ? null : () => world.erase(id);
    },
  },
  trashBranch: {
    weight: 0.4,
    make(world, place, n) {
      const id = nth(world.disk.truth.ids, n);
      const window = world.windows[place];
      if (id === undefined || !window || window.isGone || world.disk.truth.ids.length < 5) return null;
      return () => {
        const message = world.disk.truth.message(id);
        if (message) {
          void window.watch('trash', true, () =>
            window.way.history.trash(world.session, { message: message.id, subtree: true }),
          );
        }
      };
    },
  },
} satisfies Rows;
