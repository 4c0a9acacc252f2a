// Going to a message by its name or by the keyboard. Promises: a message that is not drawn yet is drawn first; whoever goes
// somewhere is not pulled back to where they were before.

import { useEffect, useRef } from 'preact/hooks';
import type { Message, MessageId } from '../../model/message.ts';
import { usePanel } from '../panel.ts';
import type { Stick } from './stick.ts';

/** Frames in which a message is drawn that was not. */
const patience = 120;
/** Above a message that is gone to. */
const margin = 8;

export interface Moves {
  readonly reveal: (message: MessageId, then: (article: HTMLElement) => void) => void;
}

export function useMoves(
  messages: readonly Message[],
  show: (position: number) => void,
  scroller: { readonly current: HTMLElement | null },
  stick: { readonly current: Stick | null },
): Moves {
  const wanted = usePanel().goTo;
  const now = useRef({ messages, show });
  now.current = { messages, show };

  const reveal: Moves['reveal'] = (message, then) => {
    const position = now.current.messages.findIndex(({ id }) => id === message);
    if (position < 0) return;
    stick.current?.leave();
    now.current.show(position);
    const look = (frames: number) => {
      const article = scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(message)}"]`);
      if (article) then(article);
      else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
    };
    look(patience);
  };

  const goTo = (message: MessageId) =>
    reveal(message, article => {
      article.focus({ preventScroll: true });
      stick.current?.toAnchor({ message, offset: -margin });
    });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = stepOf(event);
      if (by === 0 || isWriting(event.target) || !scroller.current) return;
      const mine = now.current.messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
      const to = nextOf(mine, by, placeOf(now.current.messages, scroller.current));
      event.preventDefault();
      const message = to === undefined ? undefined : now.current.messages[to];
      if (message) goTo(message.id);
      else if (by > 0) stick.current?.toEnd();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const asked = wanted.value;
  useEffect(() => {
    const on = asked?.on;
    // Not the argument: the listener above would hold these messages with it, for as long as the panel stands.
    const path = now.current.messages;
    // One of a path that is on its way waits for it.
    const to = on === 'lastMessage' ? path.at(-1) : path.find(({ id }) => id === on?.message);
    if (!to) return;
    wanted.value = null;
    goTo(to.id);
  }, [asked, messages]);

  return { reveal };
}

function stepOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): -1 | 0 | 1 {
  if (!altKey || ctrlKey || metaKey || shiftKey) return 0;
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
}

/** There the keys may mean something else. */
function isWriting(target: EventTarget | null): boolean {
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== '';
}

/** `from` stands between two where it is a half. */
export function nextOf(places: readonly number[], by: -1 | 1, from: number): number | undefined {
  return by < 0 ? places.findLast(place => place < from) : places.find(place => place > from);
}

/** The message that has the focus, else the one at the upper edge; behind all of them where the end is seen. */
function placeOf(messages: readonly Message[], scroller: HTMLElement): number {
  const focused = document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset['message'];
  const known = messages.findIndex(({ id }) => id === focused);
  if (known >= 0) return known;
  if (scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < margin) return messages.length;
  const edge = scroller.scrollTop + 2 * margin;
  const articles = [...scroller.querySelectorAll<HTMLElement>('[data-message]')];
  const seen = articles.find(article => article.offsetTop + article.offsetHeight > edge);
  const at = messages.findIndex(({ id }) => id === seen?.dataset['message']);
  // One whose beginning is out of sight is itself a place to go up to.
  return seen && seen.offsetTop < scroller.scrollTop ? at + 0.5 : at;
}
