// How well typed words fit a name or a path. Pure, the same where files are looked for and where commands are filtered.
// Promises: every typed word must be there, its letters in order and in any case; a name that holds a word whole stands
// before one that has only its letters, a beginning before a middle, the last part of a path before its folders, and
// what fits equally stays in its order.

export function fitting<Item>(items: readonly Item[], typed: string, textOf: (item: Item) => string): readonly Item[] {
  const words = wordsIn(typed);
  if (words.length === 0) return items;
  return items
    .map((item, at) => ({ item, at, fit: fitOf(textOf(item), words) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((one, other) => other.fit - one.fit || one.at - other.at)
    .map(({ item }) => item);
}

export function wordsIn(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
}

function fitOf(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const fit = fitOfWord(lower, word);
    if (fit === 0) return 0;
    sum += fit;
  }
  // Of two that fit alike, the shorter one is more probably meant.
  return sum + 1 / (1 + text.length);
}

function fitOfWord(text: string, word: string): number {
  const name = text.slice(text.lastIndexOf('/') + 1);
  if (name === word) return 60;
  if (name.startsWith(word)) return 50;
  if (name.includes(word)) return 40;
  if (text.includes(word)) return 30;
  if (hasInOrder(name, word)) return 20;
  return hasInOrder(text, word) ? 10 : 0;
}

function hasInOrder(text: string, word: string): boolean {
  let at = 0;
  for (const character of word) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
