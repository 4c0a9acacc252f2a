// Makes text of an agent safe to look at. Promises: no control character and no terminal sequence is left, and what
// turns the direction of text around, or hides words in tag characters, stands there in plain sight. The text that is
// kept and copied stays as it came; only what is shown goes through here.

/* oxlint-disable no-control-regex -- they are what this file is about */

// Written with escapes only: a source file with the characters themselves would be the very trap.
const suspicious = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** OSC, DCS, SOS, PM and APC with all that they carry, when they are closed on the same line. */
const strings =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u0080-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/g;
/** CSI: parameters, intermediates, one final character; it may be cut off by the end of the text. */
const commands = /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)/g;
const escapes = /\u001b[ -/]*[0-~]?/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const turns = /[\u202a-\u202e\u2066-\u2069]/g;
/** Tag characters spell flags after a black flag; anywhere else they are ASCII that nobody sees. */
const tags = /(\u{1f3f4}?)([\u{e0000}-\u{e007f}]+)/gu;

export interface Cleaned {
  readonly text: string;
  readonly shown: string;
}

export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(strings, '')
    .replace(commands, '')
    .replace(escapes, '')
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .replace(turns, shown)
    .replace(tags, (all, flag: string, hidden: string) => (flag === '' ? `⟦hidden: ${spelled(hidden)}⟧` : all));
}

/** What has no shape of its own, or changes that of others: controls, directions, marks that are not seen, half letters. */
const shapeless = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Or an emoji, which is made of several characters, and two of those have no shape. */
const shapelessOrEmoji = new RegExp(
  `\\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\\ufe0f?(?:\\u200d(?=\\p{Extended_Pictographic}))?|${shapeless.source}`,
  'gu',
);
const emptyLines = /\n(?:[ \t]*\n){3,}/g;

/**
 * For what a person decides about: nothing is taken away, because it would be done all the same. What cannot be seen
 * stands there by its number, and lines without words cannot push the rest out of sight.
 */
export function exactText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  const seen = shapeless.test(lines) ? lines.replace(shapelessOrEmoji, seenOne) : lines;
  return seen.replace(emptyLines, run => `\n⟦${run.split('\n').length - 2} empty lines⟧\n`);
}

export function exactLine(text: string): string {
  return exactText(text.trim()).replaceAll('\n', ' ⏎ ');
}

function seenOne(one: string): string {
  return one === '\n' || one === '\t' || !shapeless.test(String.fromCodePoint(one.codePointAt(0) ?? 0))
    ? one
    : shown(one);
}

/** The same of a text that grows: where nothing had to be cleaned so far, only what is new is looked at. */
export function cleanGrown(text: string, before: Cleaned): Cleaned {
  // A letter of two characters may have come in two pieces.
  const from = Math.max(0, before.text.length - 1);
  const isClean = before.text === before.shown && text.startsWith(before.text) && !suspicious.test(text.slice(from));
  return { text, shown: isClean ? text : cleanText(text) };
}

/** For titles and names: the same, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

function shown(character: string): string {
  return `⟦U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}⟧`;
}

function spelled(hidden: string): string {
  return Array.from(hidden, tag => String.fromCodePoint(Math.max(0x20, (tag.codePointAt(0) ?? 0) - 0xe0000))).join('');
}
