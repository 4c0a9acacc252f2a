// Makes text of an agent safe to look at. Promises: no control character and no terminal sequence is left, and what
// turns the direction of text around, or hides words in tag characters, stands there in plain sight. The text that is
// kept and copied stays as it came; only what is shown goes through here.

import { numbered } from '../../model/exactText.ts';

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
    .replace(turns, numbered)
    .replace(tags, (all, flag: string, hidden: string) => (flag === '' ? `⟦hidden: ${spelled(hidden)}⟧` : all));
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

function spelled(hidden: string): string {
  return Array.from(hidden, tag => String.fromCodePoint(Math.max(0x20, (tag.codePointAt(0) ?? 0) - 0xe0000))).join('');
}
