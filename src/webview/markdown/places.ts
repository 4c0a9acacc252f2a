// Where in the tokens of a text the files stand that it names, so that they can be opened. Promises: no letter is lost or
// changed; a name counts only where it stands as a word of its own, in prose or as all of a stretch of code, and not in a
// link, which leads elsewhere.

import type { MarkedToken, Token } from 'marked';

/** A stretch of a text, or of code, that is the name of a file. */
export interface PlaceToken {
  readonly type: 'place';
  readonly raw: string;
  readonly words: string;
  readonly isCode: boolean;
}

/** The tokens themselves are changed. */
export function withPlaces(tokens: readonly MarkedToken[], words: readonly string[]): readonly MarkedToken[] {
  if (words.length === 0) return tokens;
  const known = new Set(words);
  const longestFirst = words.toSorted((one, other) => other.length - one.length).map(escaped);
  const names = new RegExp(`(?<![\\w/.:@%+~-])(?:${longestFirst.join('|')})(?![\\w/@:-]|\\.\\w)`, 'g');
  const inside = (all: Token[]) => {
    const split = all.flatMap(token => one(token as MarkedToken));
    all.splice(0, all.length, ...split);
  };
  const one = (token: MarkedToken): readonly Token[] => {
    if (token.type === 'link' || token.type === 'image') return [token];
    if (token.type === 'codespan' && known.has(token.text)) return [place(token.text, true)];
    if (token.type === 'list') for (const item of token.items) inside(item.tokens);
    else if (token.type === 'table') for (const cell of [token.header, ...token.rows].flat()) inside(cell.tokens);
    else if ('tokens' in token && token.tokens) inside(token.tokens);
    else if (token.type === 'text') return pieces(token.text);
    return [token];
  };
  const pieces = (text: string): readonly Token[] => {
    const found: Token[] = [];
    let from = 0;
    for (const { 0: name, index } of text.matchAll(names)) {
      found.push(plainText(text.slice(from, index)), place(name, false));
      from = index + name.length;
    }
    return [...found, plainText(text.slice(from))];
  };
  return tokens.flatMap(token => one(token)) as readonly MarkedToken[];
}

function place(words: string, isCode: boolean): Token {
  return { type: 'place', raw: words, words, isCode } satisfies PlaceToken as unknown as Token;
}

function plainText(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

function escaped(words: string): string {
  return words.replace(/[^\w]/g, '\\$&');
}
