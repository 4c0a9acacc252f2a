// Hits on the page: where they are drawn, coloured by the browser's own highlights without a change to the page, opened
// where they are folded, and brought into sight. It reads the same stretches as shownWords.ts, from what was drawn.

import type { Block, Message } from '../../model/message.ts';
import { folded, placesIn, type Hit } from './matcher.ts';

const inline = new Set(['STRONG', 'EM', 'DEL', 'CODE', 'A', 'SPAN', 'B', 'I']);
/** What stands between the words and is not of them. */
const aside = '.codeHead, .small, .placeList, .prompt, .terminalMore, .terminalEnd, .planHead, .image > .dim, .hidden';

export interface DrawnText {
  readonly text: string;
  readonly nodes: readonly { readonly node: Text; readonly start: number }[];
}

/** The element that a hit is in: null while it is not drawn, or folded. */
export function regionOf(article: Element, message: Message, hit: Hit): HTMLElement | null {
  const block = blockOf(article, message, hit.block);
  if (!block || hit.where === 'words') return block;
  return block.querySelector<HTMLElement>(hit.where === 'line' ? '.lineWords' : '.inside');
}

/** Whether something was opened, and has to be drawn first. */
export function opened(article: Element, message: Message, hit: Hit, isThere: boolean): boolean {
  if (hit.where !== 'inside') return false;
  const block = blockOf(article, message, hit.block);
  const closed = block?.querySelector<HTMLElement>('.fold[aria-expanded="false"]');
  const shortened = isThere ? block?.querySelector<HTMLElement>('.terminalMore button') : null;
  const press = closed ?? shortened;
  if (!press) return false;
  // What is pressed may take the focus; the person is writing what to find.
  const { activeElement } = document;
  press.click();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  return true;
}

function blockOf(article: Element, message: Message, at: number): HTMLElement | null {
  if (message.role === 'summary') return article.querySelector<HTMLElement>(':scope > .block');
  const drawn = message.blocks.slice(0, at).filter(isDrawnInPlace).length;
  return article.querySelectorAll<HTMLElement>(':scope > .blocks > .block')[drawn] ?? null;
}

function isDrawnInPlace(block: Block): boolean {
  return block.kind !== 'changes';
}

export function drawnText(region: Element): DrawnText {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  let last: Element | null = null;
  const walk = document.createTreeWalker(region, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, node =>
    node instanceof Element && node.matches(aside) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node instanceof HTMLBRElement) text += '\n';
    if (!(node instanceof Text)) continue;
    const around = paragraphOf(node);
    if (last && around !== last) text += '\n';
    last = around;
    nodes.push({ node, start: text.length });
    text += folded(node.data);
  }
  return { text, nodes };
}

function paragraphOf(node: Text): Element | null {
  let around = node.parentElement;
  while (around && inline.has(around.tagName)) around = around.parentElement;
  return around;
}

export function rangesIn(region: Element, query: string, most: number): readonly Range[] {
  const { text, nodes } = drawnText(region);
  const needle = folded(query);
  let at = 0;
  const edge = (place: number, isEnd: boolean): [Text, number] | null => {
    // Places only go up, so the nodes are gone through once.
    while (at + 1 < nodes.length && (nodes[at + 1]?.start ?? 0) + (isEnd ? 1 : 0) <= place) at += 1;
    const found = nodes[at];
    return found ? [found.node, Math.min(Math.max(0, place - found.start), found.node.data.length)] : null;
  };
  return placesIn(text, needle, most).flatMap(place => {
    const from = edge(place, false);
    const to = edge(place + needle.length, true);
    if (!from || !to) return [];
    const range = new Range();
    range.setStart(...from);
    range.setEnd(...to);
    return [range];
  });
}

const names = { all: 'found', current: 'found-now' };

export function paint(ranges: readonly Range[], current: Range | null): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set(names.all, new Highlight(...ranges));
  if (current) CSS.highlights.set(names.current, Object.assign(new Highlight(current), { priority: 1 }));
  else CSS.highlights.delete(names.current);
}

export function unpaint(): void {
  if ('highlights' in CSS) for (const name of Object.values(names)) CSS.highlights.delete(name);
}

/** What was out of sight finds its true height only when it comes near, and moves what is below it. */
const mostFrames = 90;
const stillFrames = 30;

/**
 * Scrolls whatever is around it, up to the conversation, until it stays in sight or `isOver`. It is asked for in each
 * frame, because the page around it may be drawn anew: a range in what is gone is nowhere.
 */
export function bringIntoSight(rangeNow: () => Range | null, scroller: HTMLElement, isOver: () => boolean): void {
  let still = 0;
  const look = (frames: number) => {
    if (isOver()) return;
    const range = rangeNow();
    still = !range || scrolledTo(range, scroller) ? 0 : still + 1;
    if (frames > 0 && still < stillFrames) requestAnimationFrame(() => look(frames - 1));
  };
  look(mostFrames);
}

/** Whether anything had to be scrolled. */
function scrolledTo(range: Range, scroller: HTMLElement): boolean {
  const { startContainer } = range;
  let around = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  let isMoved = false;
  for (; around; around = around.parentElement) {
    const place = range.getBoundingClientRect();
    const frame = around.getBoundingClientRect();
    const isScrolled = around.scrollHeight > around.clientHeight + 1 || around.scrollWidth > around.clientWidth + 1;
    if (isScrolled && getComputedStyle(around).overflow !== 'visible') {
      const { scrollTop, scrollLeft } = around;
      const margin = around === scroller ? 48 : 4;
      if (place.top < frame.top + margin || place.bottom > frame.bottom - margin)
        around.scrollTop += (place.top + place.bottom - frame.top - frame.bottom) / 2;
      if (place.left < frame.left || place.right > frame.right)
        around.scrollLeft += (place.left + place.right - frame.left - frame.right) / 2;
      isMoved ||= around.scrollTop !== scrollTop || around.scrollLeft !== scrollLeft;
    }
    if (around === scroller) break;
  }
  return isMoved;
}
