// Guards buttons that appear by themselves. Promises: a click or a key that was made before they could be read does
// nothing: not in the first moment after they appeared, nor after what stands around them changed.

import { useLayoutEffect, useRef } from 'preact/hooks';

export const settleTime = 400;

/** `pressed` and `shown` are on the clock of the page; a press may have waited behind a long piece of work. */
export function isAimed(shown: number, pressed: number): boolean {
  return pressed - shown >= settleTime;
}

/** Answers whether an event was meant for what it hit; `change` is anything that moves or replaces the buttons. */
export function useSettled(change: unknown): (event: Event) => boolean {
  const shown = useRef(Infinity);
  useLayoutEffect(() => {
    shown.current = Infinity;
    // Not before it can be seen.
    const frame = requestAnimationFrame(() => void (shown.current = performance.now()));
    return () => cancelAnimationFrame(frame);
  }, [change]);
  return event => isAimed(shown.current, event.timeStamp);
}
