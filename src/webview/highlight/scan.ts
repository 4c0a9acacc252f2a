// What every language has in common: one pattern of alternatives, tried from left to right. Promises: the tokens are in
// order and do not overlap; the work is in step with the length, whatever the text, because each alternative either takes
// all that it has looked at or looks only a bounded way. So whoever adds a rule: no rule may fail late. A comment or
// a string that never ends is taken to the end, and what may fail counts its letters.

export type Kind =
  | 'comment'
  | 'string'
  | 'number'
  | 'keyword'
  | 'type'
  | 'function'
  | 'name'
  | 'heading'
  | 'added'
  | 'removed';

export interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

/** Of a `word` the lists say what it is; an alternative without groups of its own, in the order of their rank. */
export type Rule = readonly [Kind | 'word', string];

export interface Language {
  readonly rules: readonly Rule[];
  readonly keywords?: ReadonlySet<string>;
  readonly types?: ReadonlySet<string>;
  /** Words are written in any case. */
  readonly caseless?: boolean;
  /** A word that begins with a capital is the name of a type. */
  readonly capitals?: boolean;
}

/** Where the text ends; `$` is where a line does. */
export const end = '(?![^])';

export const doubleQuoted: Rule = ['string', String.raw`"(?:[^"\\\n]|\\[^])*"?`];
export const singleQuoted: Rule = ['string', String.raw`'(?:[^'\\\n]|\\[^])*'?`];
export const number: Rule = [
  'number',
  String.raw`(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*`,
];
export const word: Rule = ['word', String.raw`[\p{L}_$][\p{L}\w$]*`];
export const slashComments: Rule = ['comment', `//.*|/\\*[^]*?(?:\\*/|${end})`];
export const hashComment: Rule = ['comment', String.raw`(?<=^|[\s;])#.*`];

export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

const patterns = new WeakMap<Language, RegExp>();

export function scan(code: string, language: Language): readonly Token[] {
  const tokens: Token[] = [];
  for (const found of code.matchAll(patternOf(language))) {
    const at = found.findIndex((group, index) => index > 0 && group !== undefined);
    const text = found[0];
    const rule = language.rules[at - 1]?.[0];
    const stop = found.index + text.length;
    const kind = rule === 'word' ? kindOfWord(text, code, found.index, stop, language) : rule;
    if (kind) tokens.push({ start: found.index, end: stop, kind });
  }
  return tokens;
}

function patternOf(language: Language): RegExp {
  const known = patterns.get(language) ?? new RegExp(language.rules.map(([, rule]) => `(${rule})`).join('|'), 'gmu');
  patterns.set(language, known);
  return known;
}

function kindOfWord(text: string, code: string, start: number, stop: number, language: Language): Kind | undefined {
  const known = language.caseless === true ? text.toLowerCase() : text;
  // A member may be called like a word of the language.
  const isMember = code.charAt(start - 1) === '.' && code.charAt(start - 2) !== '.';
  if (!isMember && language.keywords?.has(known) === true) return 'keyword';
  if (!isMember && language.types?.has(known) === true) return 'type';
  if (code.charAt(stop) === '(') return 'function';
  return language.capitals === true && /^\p{Lu}.*\p{Ll}/u.test(text.slice(0, 80)) ? 'type' : undefined;
}
