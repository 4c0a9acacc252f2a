// Keeps a conversation where its reader is: it listens to the scroller and to what changes its height, and tells whether the
// end is followed. A hook of its own, because what listens as long as a session is shown must not hold the messages of the
// drawing in which it began to.

import { useSignal, type Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { stickToEnd, type Stick } from './stick.ts';
import type { ScrollAnchor } from '../vscodeApi.ts';

interface Place {
  readonly current: HTMLElement | null;
}

export interface Following {
  readonly following: Signal<boolean>;
  readonly stick: { readonly current: Stick | null };
}

/** `restore` is where the page before this one was; `onPlaced` is told when the session stands where it belongs. */
export function useFollowing(
  scroller: Place,
  content: Place,
  session: string | undefined,
  restore: ScrollAnchor | null,
  onPlaced: () => void,
): Following {
  const { scroll } = usePanel();
  const following = useSignal(true);
  const stick = useRef<Stick>(null);
  useLayoutEffect(() => {
    const frame = scroller.current;
    if (!frame || !content.current) return undefined;
    const hold = stickToEnd(frame);
    stick.current = hold;
    if (!restore || !hold.toAnchor(restore)) hold.toEnd();
    onPlaced();
    following.value = hold.scrolled();
    const watch = new ResizeObserver(() => hold.grown());
    watch.observe(content.current);
    watch.observe(frame);
    let asked = false;
    const onScroll = () => {
      following.value = hold.scrolled();
      if (asked) return;
      asked = true;
      setTimeout(() => {
        asked = false;
        scroll.value = hold.anchor();
      }, 250);
    };
    const ended = new AbortController();
    const quietly = { passive: true, signal: ended.signal };
    frame.addEventListener('scroll', onScroll, quietly);
    for (const hand of ['wheel', 'pointerdown', 'keydown']) frame.addEventListener(hand, hold.released, quietly);
    return () => {
      watch.disconnect();
      ended.abort();
    };
  }, [session]);
  return { following, stick };
}
