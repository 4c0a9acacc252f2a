// What a person types into the search field, as terms, each of which has to be found. Promises: any text is a query, and
// no sign in it is an operator but these two: what stands in quotes is a phrase, and a star at the end of a word makes
// it a beginning. The last word is a beginning anyway while it is being typed: until something stands behind it.

import { wordsOf, type Word } from './words.ts';

export interface Term {
  /** More than one is a phrase: side by side, in this order. */
  readonly words: readonly string[];
  /** Whether the last one may go on. */
  readonly prefix: boolean;
}

export interface Span {
  readonly at: number;
  readonly length: number;
}

const quotes = /["“”„«»]/u;

export function termsOf(query: string): readonly Term[] {
  const terms = new Map<string, Term>();
  const add = (words: readonly Word[], text: string, prefix: boolean) => {
    const last = words.at(-1);
    if (!last) return;
    const term = { words: words.map(word => word.text), prefix: prefix || text[last.at + last.length] === '*' };
    terms.set(`${term.prefix} ${term.words.join(' ')}`, term);
  };
  const pieces = query.split(quotes);
  pieces.forEach((text, index) => {
    const words = wordsOf(text).filter(word => !word.isPart);
    const typed = words.at(-1);
    const isTyped = (word: Word | undefined) =>
      index === pieces.length - 1 && word !== undefined && word === typed && word.at + word.length === text.length;
    if (index % 2 === 1) {
      add(words, text, isTyped(typed));
      return;
    }
    for (let from = 0; from < words.length;) {
      let to = from + 1;
      // Characters that are words stand together where a script sets no spaces: they are meant as they stand.
      while (to < words.length && endOf(words[to - 1]) === words[to]?.at) to++;
      add(words.slice(from, to), text, isTyped(words[to - 1]));
      from = to;
    }
  });
  return [...terms.values()];
}

function endOf(word: Word | undefined): number {
  return word ? word.at + word.length : -1;
}

/** Where each term stands in the text, in the order of the terms; what is not in it has an empty list. */
export function findTerms(text: string, terms: readonly Term[]): readonly (readonly Span[])[] {
  const all = wordsOf(text);
  const whole = all.filter(word => !word.isPart);
  return terms.map(({ words, prefix }) => {
    const last = words.length - 1;
    const fits = (word: Word | undefined, index: number) =>
      word !== undefined &&
      (prefix && index === last ? word.text.startsWith(words[index] ?? '') : word.text === words[index]);
    const among = last > 0 ? whole : all;
    return among.flatMap((first, at) => {
      if (!words.every((_, index) => fits(among[at + index], index))) return [];
      const end = among[at + last] ?? first;
      return [{ at: first.at, length: end.at + end.length - first.at }];
    });
  });
}

/** The same for a title, where a term may also stand inside of words: titles are short, and few. */
export function findInTitle(title: string, terms: readonly Term[]): readonly (readonly Span[])[] {
  const words = wordsOf(title).filter(word => !word.isPart);
  const starts: number[] = [];
  let folded = '';
  for (const { text } of words) {
    starts.push(folded.length);
    folded += `${text} `;
  }
  return terms.map(term => {
    const wanted = term.words.join(' ');
    const spans: Span[] = [];
    for (let found = folded.indexOf(wanted); found >= 0; found = folded.indexOf(wanted, found + wanted.length)) {
      const first = words[starts.findLastIndex(start => start <= found)];
      const end = words[starts.findLastIndex(start => start < found + wanted.length)];
      if (first && end) spans.push({ at: first.at, length: end.at + end.length - first.at });
    }
    return spans;
  });
}
