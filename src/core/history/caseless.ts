// Finding any text in any other, whatever the case of its letters, character by character: no words, no accents.
// Promises: places are those of the text as it was given, although a letter may be longer in lower case.

import type { Span } from './wordQuery.ts';

/** Both kinds of a small sigma are one letter, whose form depends on where it stands. */
export function lowered(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** `needle` is lowered already. Those that stand further than `within` behind the first are left out. */
export function findCaseless(text: string, needle: string, within = Infinity): readonly Span[] {
  const spans: Span[] = [];
  const low = lowered(text);
  const first = low.indexOf(needle);
  if (needle === '' || first < 0) return spans;
  const place = low.length === text.length ? (at: number) => at : placesIn(text);
  for (let at = first; at >= 0 && at - first <= within; at = low.indexOf(needle, at + needle.length)) {
    const start = place(at);
    spans.push({ at: start, length: Math.max(1, place(at + needle.length) - start) });
  }
  return spans;
}

/** From a place in the lowered text to the one in the text itself. */
function placesIn(text: string): (at: number) => number {
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    // Character by character gives the same lengths as the whole: only the form of a sigma depends on its place.
    for (let index = 0; index < character.toLowerCase().length; index++)
      places.push(at + Math.min(index, character.length - 1));
    at += character.length;
  }
  places.push(text.length);
  return place => places[place] ?? text.length;
}
