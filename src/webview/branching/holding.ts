// Keeps what a person looks at where it is when the path changes below it. Promises: what is above the first message that
// is another one does not move; where there is less below than before, room is left until the person scrolls. What
// follows the end goes on to do so while an answer comes.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageId, Message, SessionId } from '../../model/message.ts';
import { partingOf } from './parting.ts';
import type { Stick } from '../transcript/stick.ts';

interface Held {
  readonly session: SessionId | undefined;
  readonly ids: readonly MessageId[];
}

/** `messages` are those that are drawn now, `hidden` how many of the oldest are not. */
export function useHolding(
  scroller: RefObject<HTMLDivElement | null>,
  stick: RefObject<Stick | null>,
  now: { readonly session: SessionId | undefined; readonly messages: readonly Message[]; readonly hidden: number },
  isAnswering: boolean,
  onHeld: (atEnd: boolean) => void,
): void {
  const { session, messages, hidden } = now;
  const held = useRef<Held>({ session, ids: [] });
  const before = held.current;
  const parting =
    before.session === session
      ? partingOf(
          before.ids,
          messages.map(({ id }) => id),
        )
      : null;
  // Before the drawing: afterwards the browser has moved it to where there still is something.
  const top = parting === null ? null : (scroller.current?.scrollTop ?? null);
  useLayoutEffect(() => {
    held.current = { session, ids: messages.map(({ id }) => id) };
    if (parting === null || top === null) return;
    const frame = scroller.current;
    const first =
      frame?.querySelectorAll<HTMLElement>('[data-message]')[parting - hidden] ??
      frame?.querySelector<HTMLElement>('.reaching');
    // The end of a long answer may have been in sight, and its beginning is what is another one now.
    const hold = stick.current;
    if (!hold) return;
    const least = messages.length === 0 ? 0 : top;
    hold.hold(first ? Math.min(top, Math.max(0, first.offsetTop - 12)) : least, isAnswering);
    onHeld(hold.scrolled());
  }, [session, messages]);
}
