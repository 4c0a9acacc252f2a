// A line of text around a hit, with the hits in it marked. Promises: the snippet is what stands in the text, with every
// run of white space as one space and `…` where it was cut; each mark is inside of the snippet and holds something; no
// character is cut in two.

import type { Span } from './wordQuery.ts';

export interface Snippet {
  readonly snippet: string;
  readonly marks: readonly Span[];
}

const before = 50;
const longest = 160;
/** So far is looked for the beginning or the end of a word. */
const nearBy = 16;

/** `hits` are places in the text, in any order; the snippet begins a little before `first`. */
export function snippetOf(text: string, first: number, hits: readonly Span[]): Snippet {
  const from = startNear(text, Math.max(0, first - before), first);
  const to = endNear(text, from + longest);
  let snippet = from > 0 ? '…' : '';
  // Where each place of the text went to.
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    const character = text[at] ?? '';
    const isSpace = /\s/.test(character);
    places.push(isSpace && /[\s…]$/.test(snippet) ? snippet.length - 1 : snippet.length);
    if (!isSpace) snippet += character;
    else if (snippet !== '' && !/[\s…]$/.test(snippet)) snippet += ' ';
  }
  places.push(snippet.length);
  const marks = joined(hits).flatMap(({ at, length }) => {
    const start = places[Math.max(at, from) - from];
    const end = places[Math.min(at + length, to) - from];
    return start === undefined || end === undefined || end <= start ? [] : [{ at: start, length: end - start }];
  });
  return { snippet: to < text.length ? `${snippet.trimEnd()}…` : snippet.trimEnd(), marks };
}

function startNear(text: string, at: number, first: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, Math.min(at + nearBy, first)).search(/\s/);
  const start = space < 0 ? at : at + space + 1;
  return isInside(text, start) ? start - 1 : start;
}

function endNear(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = /\s\S*$/.exec(text.slice(at - nearBy, at));
  const end = space ? at - nearBy + space.index : at;
  return isInside(text, end) ? end + 1 : end;
}

/** Between the two halves of one character. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** In order, and those that touch or overlap as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.at - other.at)) {
    const last = result.at(-1);
    if (!last || last.at + last.length < span.at) result.push(span);
    else result[result.length - 1] = { at: last.at, length: Math.max(last.length, span.at + span.length - last.at) };
  }
  return result;
}
