// A fresh sheet for a long conversation through which somebody paged. What was drawn on the way and is gone left holes all
// over the page's memory, and the little that stays drawn keeps all of that from being given back, for as long as the
// session is shown. Promises: only at the end, where the person is back and rests, and only where nothing of what is drawn
// is being read, chosen, written, looked for or opened; what is seen stays as it is.

import { useEffect, useLayoutEffect } from 'preact/hooks';
import { firstGiven } from '../../model/portions.ts';
import { usePanel } from '../panel.ts';

/** In pages: below it there is little to give back. */
const manyLeft = 20;
/** In ms; twice. */
const restsFor = 1500;
/** In ms. */
const settles = 1000;

export interface FreshSheetProps {
  /** At the end, and nothing is going on. */
  readonly rests: boolean;
  /** How many pages were drawn and are not any more. */
  readonly left: { readonly current: number };
  /** Of all messages; those before the end that a panel is given at first go with the sheet. */
  readonly count: number;
  readonly scroller: { readonly current: HTMLElement | null };
}

export function FreshSheet({ rests, left, count, scroller }: FreshSheetProps): null {
  const { sheet, store, branching } = usePanel();
  // What is seen has its height from the first frame on, or it would be seen to find it.
  useLayoutEffect(() => {
    if (!scroller.current || sheet.peek() === 0) return undefined;
    const shown = lastOf(scroller.current);
    const timer = setTimeout(() => {
      for (const article of shown) article.classList.remove('atOnce');
    }, settles);
    return () => clearTimeout(timer);
  }, []);
  const isEditing = branching.editing.value !== null;
  useEffect(() => {
    if (!rests || isEditing) return undefined;
    let isLighter = false;
    const timer = setInterval(() => {
      if (left.current < manyLeft || !isFree(scroller.current)) return;
      // First the messages: what is drawn first on a sheet is held as long as the sheet.
      if (isLighter) sheet.value += 1;
      else store.letGo(firstGiven(count));
      isLighter = true;
    }, restsFor);
    return () => clearInterval(timer);
  }, [rests, isEditing, count]);
  return null;
}

/** As many messages from the end as are seen there, laid out. */
function lastOf(scroller: HTMLElement): readonly Element[] {
  const found: Element[] = [];
  let height = 0;
  for (const article of [...scroller.querySelectorAll('article')].toReversed()) {
    if (height > scroller.clientHeight) break;
    article.classList.add('atOnce');
    height += article.offsetHeight;
    found.push(article);
  }
  return found;
}

function isFree(scroller: HTMLElement | null): boolean {
  const chosen = document.getSelection();
  return (
    scroller !== null &&
    !scroller.contains(document.activeElement) &&
    (chosen === null || chosen.isCollapsed || !scroller.contains(chosen.anchorNode)) &&
    scroller.querySelector('[aria-expanded="true"]') === null &&
    document.querySelector('[role="search"]') === null
  );
}
