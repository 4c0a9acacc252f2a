// Draws a long conversation from its end upwards: the newest messages at once, the older ones a few at a time while
// nothing else is to do. Promises: in the end every message is there, so that find and screen readers reach all.

import { useEffect, useState } from 'preact/hooks';

const atOnce = 30;
const perStep = 25;

export interface Paging {
  /** How many of the oldest are not drawn yet. */
  readonly hidden: number;
  /** Draws what stands at this position, and all after it. */
  readonly show: (position: number) => void;
}

/** `wanted` is a position that must be drawn from the start. */
export function usePaging(key: string | undefined, count: number, wanted: number | undefined): Paging {
  const [page, setPage] = useState({ key, hidden: firstHidden(count, wanted) });
  // Another conversation starts anew, in the same drawing and not after it.
  const now = page.key === key ? page : { key, hidden: firstHidden(count, wanted) };
  // Another branch may be shorter than what is not drawn yet.
  const hidden = Math.min(now.hidden, Math.max(0, count - atOnce));
  useEffect(() => {
    if (now !== page) setPage(now);
    if (hidden === 0) return undefined;
    const next = Math.max(0, hidden - perStep);
    // Somebody may have asked for more meanwhile, and what is drawn stays.
    const step = () => setPage(page => (page.key === key && page.hidden <= next ? page : { key, hidden: next }));
    const idle = requestIdleCallback(step, { timeout: 400 });
    return () => cancelIdleCallback(idle);
  }, [key, hidden]);
  const show = (position: number) =>
    setPage(before => {
      const least = firstHidden(count, position);
      return before.key === key && before.hidden <= least ? before : { key, hidden: least };
    });
  return { hidden, show };
}

function firstHidden(count: number, wanted: number | undefined): number {
  return Math.max(0, Math.min(count - atOnce, (wanted ?? count) - 5));
}
