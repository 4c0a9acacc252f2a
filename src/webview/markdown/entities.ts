// Character references in prose, as CommonMark wants them: the numeric ones, and the names that people and models
// write. Promises: an unknown name stays as it was typed, and what comes out is cleaned again, so that a reference
// cannot bring back a character that cleanText takes away.

import { cleanText } from '../transcript/cleanText.ts';

const names: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  plusmn: '±',
  minus: '−',
  deg: '°',
  micro: 'µ',
  para: '¶',
  sect: '§',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  ne: '≠',
  le: '≤',
  ge: '≥',
  asymp: '≈',
  infin: '∞',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  check: '✓',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  sigma: 'σ',
  Sigma: 'Σ',
  omega: 'ω',
  lbrack: '[',
  rbrack: ']',
  lpar: '(',
  rpar: ')',
  ast: '*',
  lowbar: '_',
  grave: '`',
  vert: '|',
  bsol: '\\',
  num: '#',
};

const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi;

export function decodeEntities(text: string): string {
  // The lexer has turned numeric references into their characters by now, so that even a text without any is cleaned.
  if (!text.includes('&')) return cleanText(text);
  const decoded = text.replace(reference, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return names[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
  return cleanText(decoded);
}
