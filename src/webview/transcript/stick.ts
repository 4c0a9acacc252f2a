// Where a conversation is scrolled to. Promises: it follows the end only while the person is at the end; a scroll of
// their own ends that, and growth above or below never moves what they read; what waits for them at the end is read from
// its beginning. Pure bookkeeping over one element.

import type { ScrollAnchor } from '../vscodeApi.ts';

/** This near to the end is at the end. */
const slack = 32;
/** Above what is read from its beginning. */
const gap = 12;

export interface Stick {
  /** After the person or the browser scrolled; answers whether the end is followed. */
  scrolled(): boolean;
  /** After anything changed its height. */
  grown(): void;
  toEnd(): void;
  /** Stays at this height where there is less below than before, and there as `toAnchor` does, or goes on with the end. */
  hold(height: number, follows: boolean): void;
  /** Stays there while what is above still finds its height, until the person takes over. */
  toAnchor(anchor: ScrollAnchor): boolean;
  /** Something else than the end is gone to: growth until it is reached does not lead back. */
  leave(): void;
  /** The person is about to scroll. */
  readonly released: () => void;
  anchor(): ScrollAnchor | null;
}

export function stickToEnd(scroller: HTMLElement): Stick {
  let following = true;
  let top = 0;
  let pin: ScrollAnchor | null = null;
  const content = scroller.firstElementChild as HTMLElement | null;
  /** How high the content is made, so that there is somewhere to stay. */
  let room = 0;
  const makeRoom = (height: number) => {
    room = height;
    if (content) content.style.minHeight = height > 0 ? `${height}px` : '';
  };
  makeRoom(0);
  const left = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  const settle = () => {
    // The first screen is read from its top, also where it does not fit.
    if (!scroller.querySelector('[data-message]')) return;
    const question = asked();
    scroller.scrollTop = question ? Math.min(scroller.scrollHeight, placeOf(question) - gap) : scroller.scrollHeight;
    top = scroller.scrollTop;
  };
  /** The first of what waits for a person at the end. */
  const asked = () => {
    let first: Element | null = null;
    for (let one = content?.lastElementChild; one; one = one.previousElementSibling) {
      if (!one.matches('.ask, .permission')) return one.querySelector('.permission') ?? first;
      first = one;
    }
    return first;
  };
  const placeOf = (one: Element) =>
    one.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  const place = ({ message, offset }: ScrollAnchor) => {
    const article = scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(message)}"]`);
    if (!article) return false;
    scroller.scrollTop = article.offsetTop + offset;
    top = scroller.scrollTop;
    return true;
  };
  return {
    scrolled() {
      // Only a move upwards is a wish: growth alone must not look like one before `grown` has caught up.
      const up = scroller.scrollTop < top - 1;
      top = scroller.scrollTop;
      if (room > top + scroller.clientHeight) makeRoom(top + scroller.clientHeight);
      if (pin) return following || left() <= slack;
      if (left() <= slack) following = true;
      else if (up) following = false;
      return following;
    },
    grown() {
      if (following) settle();
      else if (pin) place(pin);
    },
    toEnd() {
      following = true;
      pin = null;
      settle();
    },
    hold(height, follows) {
      makeRoom(height + scroller.clientHeight);
      scroller.scrollTop = height;
      top = scroller.scrollTop;
      following = follows;
      pin = follows ? null : topmost();
    },
    toAnchor(anchor) {
      if (!place(anchor)) return false;
      following = false;
      pin = anchor;
      return true;
    },
    leave() {
      following = false;
      pin = null;
    },
    released: () => void (pin = null),
    anchor() {
      return following || pin ? pin : topmost();
    },
  };

  function topmost(): ScrollAnchor | null {
    for (const article of scroller.querySelectorAll<HTMLElement>('[data-message]')) {
      if (article.offsetTop + article.offsetHeight <= scroller.scrollTop) continue;
      return {
        message: article.dataset['message'] ?? '',
        offset: Math.round(scroller.scrollTop - article.offsetTop),
      };
    }
    return null;
  }
}
