// What stands where in the panel, as lines that a person can read, and how much of it may differ. Promises: another font,
// another height of a line or another place of a break is no difference; what is missing, new, at the other edge, or above
// what it was below, is one.

import type { Frame } from 'playwright-core';

/** `button "Send"  beside  88  4`: what it is, how it stands to the line before, how far it is from the left and right. */
export interface Line {
  readonly what: string;
  /** Empty for what goes where a break of the line leaves it. */
  readonly stands: string;
  /** In percent of the width. */
  readonly left: number;
  readonly right: number;
}

interface Box {
  readonly what: string;
  readonly flows: boolean;
  /** It is scrolled, or is what scrolls. */
  readonly scrolls: 'itself' | 'with' | null;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Nearer than this to an edge is at that edge; further from both is in the middle, wherever a font puts it. */
const atEdge = 25;
const tolerance = 7;

export async function layoutOf(frame: Frame): Promise<readonly Line[]> {
  const boxes = await frame.evaluate(boxesOf);
  let before: Box | undefined;
  const scroller = boxes.find(({ scrolls }) => scrolls === 'itself');
  return boxes.map(box => {
    // How far it is scrolled says nothing.
    const isIn = box.scrolls === 'with';
    if (isIn !== (before?.scrolls === 'with')) before = isIn ? undefined : scroller;
    const { what } = box;
    if (box.flows) return { what, stands: '', left: 0, right: 0 };
    const stands = before ? relationOf(before, box) : isIn ? 'inside' : 'first';
    before = box;
    return { what, stands, left: Math.round(box.left), right: Math.round(box.right) };
  });
}

function relationOf(a: Box, b: Box): string {
  const [middle, other] = [(a.top + a.bottom) / 2, (b.top + b.bottom) / 2];
  const areLow = a.bottom - a.top < 48 && b.bottom - b.top < 48;
  if (areLow && Math.abs(middle - other) <= 7) return 'beside';
  if (b.top >= a.bottom - 5) return 'below';
  if (b.bottom <= a.top + 5) return 'above';
  return 'within';
}

export function written(lines: readonly Line[]): string {
  return lines
    .map(({ what, stands, left, right }) => `${stands === '' ? what : [what, stands, left, right].join('\t')}\n`)
    .join('');
}

export function read(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [what = '', stands = '', left = '0', right = '0'] = line.split('\t');
      return { what, stands, left: Number(left), right: Number(right) };
    });
}

/** In words; none where it is the same. */
export function differences(golden: readonly Line[], now: readonly Line[]): readonly string[] {
  const rest = [...now];
  const found = golden.flatMap((line): readonly string[] => {
    const at = rest.findIndex(({ what }) => what === line.what);
    if (at < 0) return [`missing: ${line.what}`];
    const skipped = rest.splice(0, at + 1);
    const [same] = skipped.slice(-1);
    const before = skipped.slice(0, -1).map(({ what }) => `new: ${what}`);
    return same ? [...before, ...moved(line, same)] : before;
  });
  return [...found, ...rest.map(({ what }) => `new: ${what}`)];
}

function moved(was: Line, now: Line): readonly string[] {
  const { what } = was;
  if (was.stands !== now.stands)
    return [`${what} stands ${now.stands || 'anywhere'} and not ${was.stands || 'anywhere'}`];
  // One edge is enough: the other one is where its words end.
  const isThere = (['left', 'right'] as const).some(edge => Math.abs(was[edge] - now[edge]) <= tolerance);
  const isBetween = [was, now].every(({ left, right }) => Math.min(left, right) > atEdge - tolerance);
  return isThere || isBetween
    ? []
    : [`${what} is at ${now.left} and ${now.right} and not at ${was.left} and ${was.right}`];
}

/** Runs in the page. */
function boxesOf(): readonly Box[] {
  for (const one of document.querySelectorAll<HTMLElement>('.message, .group')) one.style.contentVisibility = 'visible';
  const named = 'button, h1, h2, textarea, input, select, a[href], img, pre, table, article, [role], [aria-label]';
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll<HTMLElement>('#root *')].flatMap(one => {
    const isNamed = one.matches(named);
    const own = [...one.childNodes].map(node => (node instanceof Text ? node.data : '')).join('');
    if (!isNamed && own.trim() === '') return [];
    if (one.parentElement?.closest('pre, table, button, a, svg, .hidden') || one.matches('.hidden, svg')) return [];
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2 || !one.checkVisibility() || isClear(one)) return [];
    const kind = one.getAttribute('role') ?? one.tagName.toLowerCase();
    const words = one.getAttribute('aria-label') ?? (isNamed && kind !== 'article' ? one.textContent : own);
    const name = one.matches('time') ? '' : words.trim().replace(/\s+/g, ' ').slice(0, 44);
    const scrolls = one.matches('.scroller')
      ? ('itself' as const)
      : one.closest('.scroller')
        ? ('with' as const)
        : null;
    const box = { what: `${kind} "${name}"`, flows: flows(one), scrolls, top, bottom };
    return [{ ...box, left: (left / width) * 100, right: ((width - right) / width) * 100 }];
  });

  function isClear(one: HTMLElement): boolean {
    for (let around: Element | null = one; around; around = around.parentElement)
      if (Number(getComputedStyle(around).opacity) < 0.1) return true;
    return false;
  }

  function flows(one: HTMLElement): boolean {
    const parent = one.parentElement;
    if (!parent || getComputedStyle(one).position === 'absolute') return false;
    const { display, flexWrap } = getComputedStyle(parent);
    if (display.endsWith('flex')) return flexWrap === 'wrap' || flows(parent);
    return getComputedStyle(one).display.startsWith('inline') || (parent.id !== 'root' && flows(parent));
  }
}
