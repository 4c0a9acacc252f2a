// What is found and which of it is looked at: pure, so that a table can prove it. Promises: a text that is folded has the
// same length, so that a place in it is a place in what is shown; a hit that is looked at stays the one that is looked at
// while the conversation grows.

import type { MessageId } from '../../model/message.ts';

/** `line` is always seen; `inside` may be folded. */
export type Where = 'words' | 'line' | 'inside';

/** A stretch of text that is searched by itself. */
export interface Part {
  readonly where: Where;
  /** Folded already. */
  readonly text: string;
}

export interface Hit {
  readonly message: MessageId;
  readonly block: number;
  readonly where: Where;
  /** Which one in its part, from nought. */
  readonly nth: number;
}

export interface Found {
  /** As it was typed. */
  readonly query: string;
  readonly hits: readonly Hit[];
  /** Its place in `hits`; −1 where there is none. */
  readonly current: number;
}

export const mostHits = 10_000;
export const nothing: Found = { query: '', hits: [], current: -1 };

/** Case does not count, and every white space is the same; a break between blocks is for the caller to put in. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  // A few capitals become two letters; they stay as they are.
  const same = lower.length === text.length ? lower : Array.from(text, lowered).join('');
  return same.replace(/\s/g, ' ');
}

function lowered(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** Where it begins, one after the other and none inside another. */
export function placesIn(text: string, needle: string, most = mostHits): readonly number[] {
  const places: number[] = [];
  if (needle === '') return places;
  for (let at = text.indexOf(needle); at >= 0 && places.length < most; at = text.indexOf(needle, at + needle.length))
    places.push(at);
  return places;
}

/** `parts` are all those of one block. */
export function hitsIn(message: MessageId, block: number, parts: readonly Part[], query: string): readonly Hit[] {
  const needle = folded(query);
  return parts.flatMap(({ where, text }) => placesIn(text, needle).map((_, nth) => ({ message, block, where, nth })));
}

/** The same query again, over what is there now. */
export function grown(before: Found, hits: readonly Hit[]): Found {
  const old = before.hits[before.current];
  if (!old) return { ...before, hits, current: hits.length === 0 ? -1 : 0 };
  const same = hits.findIndex(hit => isSame(hit, old));
  // It is gone: what stands at its place now is the next one.
  return { ...before, hits, current: same >= 0 ? same : Math.min(before.current, hits.length - 1) };
}

/** Another query begins where the person is: at the first hit that is not before. */
export function begun(query: string, hits: readonly Hit[], isBefore: (hit: Hit) => boolean): Found {
  const first = hits.findIndex(hit => !isBefore(hit));
  return { query, hits, current: first >= 0 ? first : hits.length > 0 ? 0 : -1 };
}

/** Around the end. */
export function stepped(found: Found, by: 1 | -1): Found {
  const { length } = found.hits;
  if (length === 0) return found;
  return { ...found, current: (found.current + by + length) % length };
}

export function foundWords({ query, hits, current }: Found): string {
  if (query === '') return '';
  if (hits.length === 0) return 'No results';
  return `${current + 1} of ${hits.length}${hits.length >= mostHits ? '+' : ''}`;
}

function isSame(one: Hit, other: Hit): boolean {
  return (
    one.message === other.message && one.block === other.block && one.where === other.where && one.nth === other.nth
  );
}
