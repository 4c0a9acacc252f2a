// Makes text from outside harmless in VS Code's own user interface. VS Code turns `[label](command:…)` in notifications,
// input prompts and validation messages into links that run commands, and `$(name)` in pickers, input prompts, progress
// and the status bar into icons. Titles, branch names, paths and errors can hold both, so all text is treated as if it came from
// outside: whatever `cleanLine` or `exactLine` returns is one line without a link, an icon or a hidden character.

import { stripVTControlCharacters } from 'node:util';

/** WORD JOINER has no width, and no pattern of VS Code's allows it where it is put. */
const joiner = '\u2060';

/** How many UTF-16 units of a text are shown. VS Code cuts a notification at 1000, and joiners add at most half. */
export const limits = { name: 60, label: 300, line: 600, detail: 4000 } as const;

/** Longer text is not even searched for what has to be removed. */
const mostRead = 40_000;

/** Scripts in which ZERO WIDTH JOINER and NON-JOINER are spelling. */
const joining = [
  ...['Arabic', 'Syriac', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Mongolian'],
]
  .map(script => `\\p{Script=${script}}`)
  .join('');

/** Sequences in which characters without a shape of their own belong to one that has a shape. */
const visible = [
  // The flags of England, Scotland and Wales.
  '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{2,6}\\u{e007f}',
  '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?[\\ufe0e\\ufe0f]?(?:\\u200d(?=\\p{Extended_Pictographic}))?',
  '[#*0-9]\\ufe0f\\u20e3',
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
].join('|');

/** Line breaks are dealt with before. The last one is a blank that Unicode counts among the visible symbols. */
const hidden = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2800]';
const visibleOrHidden = new RegExp(`(${visible})|${hidden}`, 'gu');

/** For what is only read: hidden characters and terminal sequences are removed, and line breaks become spaces. */
export function cleanLine(text: string, most: number = limits.line): string {
  const plain = stripVTControlCharacters(cutMiddle(text, mostRead));
  return finish(plain.replaceAll(/\s+/g, ' ').replace(visibleOrHidden, '$1').replaceAll(/ {2,}/g, ' '), most);
}

/** For what a person decides about: hidden characters stand there by their number, and nothing is removed. */
export function exactLine(text: string, most: number = limits.detail): string {
  return finish(spelled(cutMiddle(text, mostRead)), most);
}

/** How long `exactLine` is if nothing is cut; Infinity where the text is too long to be looked at. */
export function exactLength(text: string): number {
  return text.length > mostRead ? Infinity : spelled(text).length;
}

function spelled(text: string): string {
  return text
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, ' ⏎ ')
    .replaceAll(/[\t\p{Zs}]/gu, ' ')
    .replace(visibleOrHidden, (one, isVisible?: string) => isVisible ?? numbered(one))
    .replaceAll(/ {5,}/g, spaces => ` ⟦${spaces.length} spaces⟧ `);
}

/** The name of a document that is made of a text: its tab shows it, and nothing in it may become a folder. */
export function documentName(text: string, otherwise: string): string {
  return cleanLine(text.replaceAll(/[\\/:*?"<>|]+/g, ' '), limits.name) || otherwise;
}

function finish(line: string, most: number): string {
  return cutMiddle(line.trim(), most).replaceAll('](', `]${joiner}(`).replaceAll('$(', `$${joiner}(`);
}

/** The middle is left out, because our own words stand before and after what comes from outside. */
function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${text.slice(0, most - tail - 1)}…${text.slice(-tail)}`.replaceAll(/\p{Cs}/gu, '');
}

function numbered(character: string): string {
  return `⟦U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}⟧`;
}
