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
  /** The place in the path of the first of them. */
  readonly first: number;
  readonly ids: readonly MessageId[];
}

/** `messages` are those that are shown now, drawn or not. */
export function useHolding(
  scroller: RefObject<HTMLDivElement | null>,
  stick: RefObject<Stick | null>,
  now: { readonly session: SessionId | undefined; readonly first: number; readonly messages: readonly Message[] },
  isAnswering: boolean,
  onHeld: (atEnd: boolean) => void,
): void {
  const { session, first: begins, messages } = now;
  const held = useRef<Held>({ session, first: 0, ids: [] });
  const before = held.current;
  const parting =
    before.session === session
      ? partingOf(
          before,
          begins,
          messages.map(({ id }) => id),
        )
      : null;
  // Before the drawing: afterwards the browser has moved it to where there still is something.
  const top = parting === null ? null : (scroller.current?.scrollTop ?? null);
  useLayoutEffect(() => {
    held.current = { session, first: begins, ids: messages.map(({ id }) => id) };
    if (parting === null || top === null) return;
    const frame = scroller.current;
    const changed = messages[parting];
    const first =
      (changed && frame?.querySelector<HTMLElement>(`[data-message="${CSS.escape(changed.id)}"]`)) ??
      frame?.querySelector<HTMLElement>('.reaching');
    // The end of a long answer may have been in sight, and its beginning is what is another one now.
    const hold = stick.current;
    if (!hold) return;
    const least = messages.length === 0 ? 0 : top;
    hold.hold(first ? Math.min(top, Math.max(0, first.offsetTop - 12)) : least, isAnswering);
    onHeld(hold.scrolled());
  }, [session, begins, messages]);
}
