// What a word is, for full-text search: the one place that decides it, used for what is indexed, for what is asked and
// for what is marked in a snippet, so that they cannot differ. Promises: it takes any text; a word's place is its place
// in the text as it was given; a word's own text holds letters, digits and marks only, in lower case, without accents.
//
// Scripts that set no spaces between words (Han, kana, Thai and its neighbours) give a word for each character, and
// what is asked for is then a run of them. Hangul does the same, because its particles stand at the end of a word
// without a space. So do emoji. `getUserName` is one word, with its parts `get`, `user` and `name` beside it.

export interface Word {
  readonly text: string;
  readonly at: number;
  readonly length: number;
  /** A part of the word before it, and no neighbour of the words around that. */
  readonly isPart: boolean;
}

/** To be counted up with every change of what a word is: a full-text index that was made before is not used. */
export const wordsVersion = 1;

/** Of a longer word only this much counts; its place is the whole. */
export const longestWord = 64;

export function wordsOf(text: string): readonly Word[] {
  const words: Mutable[] = [];
  let start = -1;
  let folded = '';
  const close = (end: number) => {
    if (start >= 0) addWord(words, text, start, end, folded);
    start = -1;
    folded = '';
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      let end = at;
      while (isAsciiWord(text.charCodeAt(end))) end++;
      if (end === at) {
        close(at++);
        continue;
      }
      if (start < 0) start = at;
      folded += text.slice(at, end).toLowerCase();
      at = end;
      continue;
    }
    const point = text.codePointAt(at) ?? code;
    const length = point > 0xffff ? 2 : 1;
    const { kind, fold } = characterOf(point);
    const last = words.at(-1);
    const before = start < 0 && last && last.at + last.length === at ? last : undefined;
    if (kind === 'none') close(at);
    else if (kind === 'single') {
      close(at);
      words.push({ text: fold, at, length, isPart: false });
    } else if (before && kind !== 'letter') {
      // What stands behind a character that is a word is a part of it: a vowel of Thai, the dots of kana, a jamo.
      before.length += length;
      if (kind === 'mark') before.text = (before.text + fold).normalize('NFC');
    } else if (kind === 'letter' || kind === 'mark') {
      if (start < 0) start = at;
      folded += fold;
    }
    at += length;
  }
  close(text.length);
  return words;
}

interface Mutable {
  text: string;
  readonly at: number;
  length: number;
  readonly isPart: boolean;
}

function addWord(words: Mutable[], text: string, start: number, end: number, folded: string): void {
  words.push({ text: cut(folded), at: start, length: end - start, isPart: false });
  // Without a capital letter there is nothing to part, and most words have none.
  const original = end - start <= longestWord ? text.slice(start, end) : folded;
  if (original === folded) return;
  const pieces = original.split(hump);
  if (pieces.length === 1) return;
  let at = start;
  for (const piece of pieces) {
    // A single letter would only be noise, and identifiers made at random are full of them.
    const part = piece.length > 1 ? wordsOf(piece)[0] : undefined;
    if (part) words.push({ text: part.text, at, length: piece.length, isPart: true });
    at += piece.length;
  }
}

const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

function cut(word: string): string {
  if (word.length <= longestWord) return word;
  // Not through the middle of a character.
  return word.slice(0, (word.codePointAt(longestWord - 1) ?? 0) > 0xffff ? longestWord - 1 : longestWord);
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

interface Character {
  /** A letter goes on with the word, a mark with whatever stands before it; `silent` is there but says nothing. */
  readonly kind: 'letter' | 'single' | 'mark' | 'silent' | 'none';
  readonly fold: string;
}

const characters = new Map<number, Character>();

function characterOf(point: number): Character {
  let character = characters.get(point);
  if (!character) characters.set(point, (character = classify(point)));
  return character;
}

const zeroWidthSpace = 0x200b;
const tatweel = 0x640;
/** Of scripts where such a mark is an accent or a vowel that may be left out. Elsewhere it tells words apart. */
const accent =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Cyrillic}]/gu;
const silent = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/u;
const unspaced = new RegExp(
  `(?=[\\p{L}\\p{N}])[${['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Yi', 'Thai', 'Lao', 'Khmer', 'Myanmar']
    .map(script => `\\p{Script_Extensions=${script}}`)
    .join('')}]|\\p{Extended_Pictographic}|\\p{Regional_Indicator}`,
  'u',
);
const wordly = /[\p{L}\p{N}\p{M}]/u;
/** What Unicode does not take apart, but everybody types. */
const plainly: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

function classify(point: number): Character {
  const character = String.fromCodePoint(point);
  if (point === zeroWidthSpace) return { kind: 'none', fold: '' };
  if (point === tatweel || silent.test(character)) return { kind: 'silent', fold: '' };
  if (isVoiceOrJamo(point)) return { kind: 'mark', fold: character.normalize('NFKC') };
  if (unspaced.test(character)) {
    return { kind: 'single', fold: onlyWordly(character.normalize('NFKC').toLowerCase()) || character };
  }
  if (!wordly.test(character)) return { kind: 'none', fold: '' };
  const decomposed = character.toLowerCase().normalize('NFKD').toLowerCase().replace(accent, '');
  const fold = onlyWordly(decomposed.replace(/[ßæœøłđħıς]/g, one => plainly[one] ?? one));
  if (fold === '') return { kind: 'silent', fold };
  return { kind: /\p{M}/u.test(character) ? 'mark' : 'letter', fold };
}

/** The dots of kana, and the vowels and last consonants of Hangul, where they come as characters of their own. */
function isVoiceOrJamo(point: number): boolean {
  return (
    (point >= 0x3099 && point <= 0x309a) || (point >= 0xff9e && point <= 0xff9f) || (point >= 0x1160 && point <= 0x11ff)
  );
}

function onlyWordly(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}
