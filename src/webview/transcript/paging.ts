// Which pages of a long conversation are drawn: the newest at once, the others where they come near the eye. Promises: a
// conversation of ordinary length is drawn whole while nothing else is to do, so that screen readers reach all of it; of
// a longer one what is far away is a place of its height and no more, so that neither opening, nor one more message, nor
// paging through all of it costs in step with its length. What the person is in stays drawn.

import { useEffect, useRef, useState } from 'preact/hooks';
import { firstGiven, messagesPerPage } from '../../model/portions.ts';

const perPage = messagesPerPage;
const atOnce = 30;
/** Of a longer conversation, what is far away is not kept. */
export const mostKept = 600;
/** Beyond what is drawn, what was given is let go of only where it is more than this. */
const keptMore = 10 * perPage;
/** What is nearer than this to what is seen is drawn. */
const near = '2400px 0px';
/** As styles/transcript.css has a message that is not laid out yet, and the room between two. */
const unseen = 160;
const between = 16;

export interface Paging {
  readonly isDrawn: (page: number) => boolean;
  /** Of a page that is not drawn. */
  readonly heightOf: (page: number) => number;
  /** Draws what stands at this position. */
  readonly show: (position: number) => void;
  /** Takes the element in which a page stands; the answer lets go of it. */
  readonly watch: (page: number, element: HTMLElement) => () => void;
  /** Something that is not here yet has to be drawn. */
  readonly lacks: boolean;
  /** How many pages were drawn and are not any more. */
  readonly left: { readonly current: number };
  /** The place before which nothing is drawn or was lately, where there is much: else null. */
  readonly spare: number | null;
}

export interface Pages<Item> {
  /** The number of the first of them. */
  readonly first: number;
  readonly pages: readonly (readonly Item[])[];
}

/** The same array as before where nothing of a page changed. `earlier` items are not here yet: whole pages. */
export function cutIntoPages<Item>(items: readonly Item[], earlier: number, before: Pages<Item>): Pages<Item> {
  const first = pageOf(earlier);
  const pages: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += perPage) {
    const old = before.pages[first + pages.length - before.first];
    const length = Math.min(perPage, items.length - from);
    let isSame = old?.length === length;
    for (let at = 0; isSame && at < length; at++) isSame = old?.[at] === items[from + at];
    pages.push(old && isSame ? old : items.slice(from, from + length));
  }
  return { first, pages };
}

interface Drawn {
  readonly key: string | undefined;
  readonly pages: ReadonlySet<number>;
}

/** `count` is of the whole path, of which `earlier` messages are not here yet; `wanted` must be drawn from the start. */
export function usePaging(
  key: string | undefined,
  count: number,
  earlier: number,
  wanted: number | undefined,
  scroller: { readonly current: HTMLElement | null },
): Paging {
  const fresh = (): Drawn => ({ key, pages: new Set(wanted === undefined ? [] : [pageOf(wanted)]) });
  const [state, setState] = useState(fresh);
  // Another conversation starts anew, in the same drawing and not after it.
  const drawn = state.key === key ? state : fresh();
  const newest = firstAtOnce(count);
  const isLong = count > mostKept;
  const heights = useRef(new Map<number, number>());
  const elements = useRef(new Map<Element, number>());
  const observer = useRef<IntersectionObserver | null>(null);
  const left = useRef(0);

  const change = (edit: (pages: Set<number>) => void) =>
    setState(before => {
      const pages = new Set(before.key === key ? before.pages : drawn.pages);
      edit(pages);
      const isSame =
        before.key === key && pages.size === before.pages.size && [...pages].every(one => before.pages.has(one));
      return isSame ? before : { key, pages };
    });

  useEffect(() => {
    const onChange = (entries: readonly IntersectionObserverEntry[]) =>
      change(pages => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          const page = elements.current.get(target);
          if (page === undefined) continue;
          if (isIntersecting) pages.add(page);
          else if (isLong && pages.has(page) && !target.contains(document.activeElement)) {
            heights.current.set(page, boundingClientRect.height);
            pages.delete(page);
            left.current += 1;
          }
        }
      });
    const watching = new IntersectionObserver(onChange, { root: scroller.current, rootMargin: near });
    for (const element of elements.current.keys()) watching.observe(element);
    observer.current = watching;
    return () => {
      watching.disconnect();
      observer.current = null;
    };
  }, [key, isLong]);

  const missing = lastMissing(newest - 1, drawn.pages);
  const next = isLong || missing < pageOf(earlier) ? -1 : missing;
  useEffect(() => {
    heights.current.clear();
  }, [key]);
  useEffect(() => {
    if (next < 0) return undefined;
    const idle = requestIdleCallback(() => change(pages => pages.add(next)), { timeout: 400 });
    return () => cancelIdleCallback(idle);
  }, [key, next]);

  const watch = useRef<Paging['watch']>((page, element) => {
    elements.current.set(element, page);
    observer.current?.observe(element);
    return () => {
      elements.current.delete(element);
      observer.current?.unobserve(element);
    };
  });
  return {
    isDrawn: page => page >= newest || drawn.pages.has(page),
    heightOf: page => heights.current.get(page) ?? perPage * unseen + (perPage - 1) * between,
    show: position => change(pages => pages.add(pageOf(position))),
    watch: watch.current,
    left,
    spare: isLong ? spareOf(count, earlier, drawn.pages) : null,
    lacks: isLong ? [...drawn.pages].some(page => page < pageOf(earlier)) : earlier > 0,
  };
}

/** What is near the end stays, and as much before what is drawn as comes at once when it is asked for. */
export function spareOf(count: number, earlier: number, drawn: ReadonlySet<number>): number | null {
  const needed = Math.min(firstGiven(count) - keptMore, ...[...drawn].map(page => page * perPage - keptMore));
  return needed > earlier + keptMore ? needed : null;
}

function pageOf(position: number): number {
  return Math.floor(position / perPage);
}

/** The first page that is always drawn. */
export function firstAtOnce(count: number): number {
  return pageOf(Math.max(0, count - atOnce));
}

function lastMissing(from: number, pages: ReadonlySet<number>): number {
  let page = from;
  while (page >= 0 && pages.has(page)) page -= 1;
  return page;
}
