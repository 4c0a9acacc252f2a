// What has to change in a text to make it another: one piece, as small as it can be, so that cursors, folds and marks
// outside of it stay where they are. Pure. Promises: no line break and no character is cut in two.

export interface TextChange {
  /** From where to where in the old text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Null where both are the same. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && (isInside(before, start) || isInside(after, start))) start--;
  let kept = 0;
  const left = most - start;
  while (kept < left && before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept))
    kept++;
  while (kept > 0 && (isInside(before, before.length - kept) || isInside(after, after.length - kept))) kept--;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}

/** The text with the one kind of line break that a document has. */
export function withBreaks(text: string, lineBreak: '\n' | '\r\n'): string {
  return text.replaceAll(/\r\n|\r|\n/g, lineBreak);
}

/** Between the two halves of a line break, or of a character that takes two. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === 0x0d) return after === 0x0a;
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
