// Cuts a growing markdown text into pieces that can be lexed one by one. Promises: the pieces joined are the text;
// text that only grows keeps every piece but the last one as it was, so that only the unfinished tail is lexed again;
// the work per character is bounded, whatever the text. A border is a blank line that is followed by an unindented
// line which cannot continue what was open, or the edge of a fenced code block, which becomes a piece of its own. A line
// that is longer than a piece is cut at a space and shown as it was typed: nobody lays out a megabyte at once.

export interface Piece {
  readonly kind: 'markdown' | 'code' | 'plain';
  /** Where it begins in the whole text. */
  readonly start: number;
  readonly raw: string;
  /** Of a fenced block, only where `kind` is `code`. */
  readonly language?: string;
  readonly code?: string;
  /** It goes on with the line of the piece before it. */
  readonly inLine?: true;
}

/** A piece without a border is cut at this length, between lines. */
const longestPiece = 16_000;
/** A longer line is cut, at the last space of so many letters where there is one. */
const longestLine = 8_000;
const searchedForSpace = 500;

const fence = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** Raw HTML that a blank line does not end, and what does. */
const longHtml: readonly (readonly [begins: RegExp, ends: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];

/** `before` is the answer for a text that this one begins with; anything else may be given and is ignored. */
export function cutPieces(text: string, before?: readonly Piece[]): readonly Piece[] {
  // A border is final when the line after it is whole, so a last piece that is one unfinished line is not yet a piece.
  const unsure = before?.at(-1)?.raw.includes('\n') ? 1 : 2;
  const kept = before && grownFrom(text, before) ? before.slice(0, -unsure) : [];
  const last = kept.at(-1);
  const pieces = [...kept];
  let start = last ? last.start + last.raw.length : 0;
  let at = start;
  let blankBefore = false;
  let inList = false;
  let inHtml = false;
  let htmlEnds: RegExp | undefined;

  const close = (end: number) => {
    if (end > start) pieces.push(markdownPiece(start, text.slice(start, end)));
    start = end;
    inList = false;
    inHtml = false;
    htmlEnds = undefined;
  };

  while (at < text.length) {
    const next = lineEnd(text, at);
    const inLine = at > 0 && text.charAt(at - 1) !== '\n';
    if (inLine || next - at > longestLine) {
      close(at);
      const end = lineCut(text, at, next);
      pieces.push({ kind: 'plain', start, raw: own(text.slice(at, end)), ...(inLine ? { inLine } : {}) });
      start = at = end;
      blankBefore = false;
      continue;
    }
    const line = text.slice(at, Math.min(next, at + 400)).replace(/\n$/, '');
    const blank = line.trim() === '';
    const opening = blank || inHtml ? null : fence.exec(line);
    if (opening && !(inList && opening[1] !== '')) {
      close(at);
      const end = fenceEnd(text, next, opening[2] ?? '');
      pieces.push(codePiece(start, text.slice(start, end.after), text.slice(next, end.code), opening));
      start = at = end.after;
      blankBefore = false;
      continue;
    }
    const item = listItem.test(line);
    const free = blankBefore && !blank && !htmlEnds && !/^[ \t]/.test(line) && !(item && inList);
    if (free || next - start > longestPiece) close(at);
    inList ||= item;
    if (!htmlEnds && /^ {0,3}<[a-z!/?]/i.test(line)) {
      inHtml = true;
      htmlEnds = longHtml.find(([begins]) => begins.test(line))?.[1];
    }
    if (htmlEnds ? htmlEnds.test(text.slice(at, next)) : blank) {
      inHtml = false;
      htmlEnds = undefined;
    }
    blankBefore = blank;
    at = next;
  }
  close(text.length);
  return pieces;
}

function grownFrom(text: string, before: readonly Piece[]): boolean {
  return before.every(piece => text.startsWith(piece.raw, piece.start));
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found + 1;
}

/** Not in the middle of a letter that is two characters long. */
function lineCut(text: string, from: number, lineEnds: number): number {
  const end = from + longestLine;
  if (lineEnds <= end) return lineEnds;
  const space = text.lastIndexOf(' ', end - 1);
  if (space >= end - searchedForSpace) return space + 1;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** What is read is put somewhere, because a compiler leaves out what nobody uses. */
let read = 0;

/**
 * The same letters in a string of their own. A slice keeps the whole text alive that it was cut from, and of a text that
 * streams there is another one in every frame.
 */
function own(slice: string): string {
  const middle = slice.length >> 1;
  const copy = slice.slice(0, middle) + slice.slice(middle);
  // To ask for a character makes it one string.
  if (copy !== '') read ^= copy.charCodeAt(0);
  return copy;
}

function fenceEnd(text: string, from: number, mark: string): { readonly code: number; readonly after: number } {
  const closing = new RegExp(`^ {0,3}\\${mark.charAt(0)}{${mark.length},}[ \\t]*\\n?$`);
  for (let at = from; at < text.length;) {
    const next = lineEnd(text, at);
    // Nothing longer than this closes a fence; a line of a megabyte is not worth a look.
    if (next - at < mark.length + 200 && closing.test(text.slice(at, next))) return { code: at, after: next };
    at = next;
  }
  return { code: text.length, after: text.length };
}

function codePiece(start: number, raw: string, code: string, opening: RegExpExecArray): Piece {
  const indent = opening[1]?.length ?? 0;
  const inner = indent > 0 ? code.replace(new RegExp(`^ {1,${indent}}`, 'gm'), '') : code;
  const language = /^\S*/.exec(opening[3]?.trim() ?? '')?.[0] ?? '';
  return { kind: 'code', start, raw: own(raw), language, code: own(inner.replace(/\n$/, '')) };
}

function markdownPiece(start: number, raw: string): Piece {
  return { kind: isHostile(raw) ? 'plain' : 'markdown', start, raw: own(raw) };
}

/**
 * What would cost a lexer far more than its length, and what no one writes to be read: lines nested dozens deep, words
 * of thousands of letters, and marks without end. It is shown as it is.
 */
function isHostile(raw: string): boolean {
  if (raw.length > longestPiece + 4_000) return true;
  let marks = 0;
  let word = 0;
  let nested = 0;
  let indent = 0;
  let leading = true;
  for (let at = 0; at < raw.length; at++) {
    const letter = raw.charAt(at);
    if (letter === '\n') {
      leading = true;
      nested = indent = word = 0;
    } else if (letter === ' ' || letter === '\t') {
      word = 0;
      if (leading) indent += 1;
    } else {
      word += 1;
      if (leading && '>-+*.)'.includes(letter)) nested += 1;
      else if (leading && !(letter >= '0' && letter <= '9')) leading = false;
      if ('*_[]<`~!&'.includes(letter)) marks += 1;
    }
    if (marks > 2_500 || word > 4_000 || (nested > 24 && indent > 24) || (nested > 0 && indent > 160)) return true;
    if (nested > 24 && letter === '>') return true;
  }
  return false;
}
