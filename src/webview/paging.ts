// Draws a long conversation from its end upwards: the newest messages at once, the older ones a few at a time while
// nothing else is to do. Promises: in the end every message is there, so that find and screen readers reach all.

import { useEffect, useState } from 'preact/hooks';

const atOnce = 30;
const perStep = 25;

/** How many of the oldest are not drawn yet. `wanted` is a position that must be drawn from the start. */
export function usePaging(key: string | undefined, count: number, wanted: number | undefined): number {
  const [page, setPage] = useState({ key, hidden: firstHidden(count, wanted) });
  // Another conversation starts anew, in the same drawing and not after it.
  const now = page.key === key ? page : { key, hidden: firstHidden(count, wanted) };
  const hidden = Math.min(now.hidden, count);
  useEffect(() => {
    if (now !== page) setPage(now);
    if (hidden === 0) return undefined;
    const idle = requestIdleCallback(() => setPage({ key, hidden: Math.max(0, hidden - perStep) }), { timeout: 400 });
    return () => cancelIdleCallback(idle);
  }, [key, hidden]);
  return hidden;
}

function firstHidden(count: number, wanted: number | undefined): number {
  return Math.max(0, Math.min(count - atOnce, (wanted ?? count) - 5));
}
