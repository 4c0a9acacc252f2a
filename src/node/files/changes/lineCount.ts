// How many lines a change added and removed: as few as there can be where the change has few edits. Beyond that the
// stretch between the first and the last line that differ counts as replaced, so that the time stays linear in the texts.
// Nothing is counted for what is no text or is large.

import { diffArrays } from 'diff';

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

const mostBytes = 1024 * 1024;
/** Of both stretches together, so that no comparison takes longer than a few milliseconds. */
const mostLines = 8000;
/** The work grows with the square of the edits. */
const mostEdits = 400;

/** Null where either is no text. No file has no lines. */
export function lineCount(before: Uint8Array | null, after: Uint8Array | null): LineCount | null {
  const numbers = new Map<string, number>();
  const old = numberLines(before, numbers);
  const now = numberLines(after, numbers);
  if (!old || !now) return null;
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = old.slice(head, old.length - tail);
  const to = now.slice(head, now.length - tail);
  const replaced = { added: to.length, removed: from.length };
  if (from.length + to.length > mostLines) return replaced;
  const changes = diffArrays(from, to, { maxEditLength: mostEdits });
  if (!changes) return replaced;
  const counted = { added: 0, removed: 0 };
  for (const { added, removed, count } of changes) {
    if (added) counted.added += count;
    if (removed) counted.removed += count;
  }
  return counted;
}

/**
 * The same number for the same line, or null where the bytes are no text. A line holds its end, so that a missing one at
 * the end of the file is seen as a change.
 */
function numberLines(bytes: Uint8Array | null, numbers: Map<string, number>): readonly number[] | null {
  if (!bytes) return [];
  if (bytes.length > mostBytes || bytes.includes(0)) return null;
  try {
    const lines = new TextDecoder('utf-8', { fatal: true }).decode(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return lines.map(line => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  } catch {
    return null;
  }
}
