// Character references in prose, as CommonMark wants them: the numeric ones, and the names of HTML 4 with some of the
// later ones. Promises: an unknown name stays as it was typed. What a reference brings is cleaned where it is drawn.

/** From U+00A0 on, one after the other. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';
/** Capitals from U+0391 on, small ones from U+03B1 on; a minus is no letter. */
const greek = [
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega',
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
] as const;
const pairs =
  'amp & lt < gt > quot " OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ndash – mdash — lsquo ' +
  '‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ' +
  '‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ' +
  '↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ ' +
  'prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ' +
  '≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ ' +
  'rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ thetasym ϑ upsih ϒ piv ϖ ' +
  'check ✓ cross ✗ star ☆ lbrack [ rbrack ] lbrace { rbrace } lpar ( rpar ) ast * lowbar _ grave ` vert | ' +
  'verbar | num # excl ! dollar $ percnt % plus + equals = comma , period . colon : semi ; quest ? commat @ sol ' +
  '/ Hat ^';

const names = new Map<string, string>([
  ['apos', "'"],
  ['bsol', '\\'],
  ['Tab', '\t'],
  ['NewLine', '\n'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
  ...inARow(latin, 0xa0),
  ...inARow(greek[0], 0x391),
  ...inARow(greek[1], 0x3b1),
  ...Array.from(pairs.matchAll(/(\w+) (\S)/g), ([, name = '', character = '']) => [name, character] as const),
]);

const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi;

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return names.get(name) ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}

function inARow(words: string, from: number): readonly (readonly [string, string])[] {
  return words.split(' ').map((name, at) => [name, String.fromCodePoint(from + at)]);
}
