// How many lines a change added and removed. Promises: the smallest such change where it has few edits; beyond that the
// stretch between the first and the last line that differ counts as replaced, so that the time stays linear in the
// texts. Nothing is counted for what is no text or is large.

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

const mostBytes = 1024 * 1024;
/** Of both stretches together, so that no comparison takes longer than a few milliseconds. */
const mostLines = 8000;
/** The work grows with the square of the edits. */
const mostEdits = 400;
const lineEnd = 10;

/** Null where either is no text. No file has no lines. */
export function lineCount(before: Uint8Array | null, after: Uint8Array | null): LineCount | null {
  const old = before ?? new Uint8Array();
  const now = after ?? new Uint8Array();
  if (!isText(old) || !isText(now)) return null;
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  head = head === 0 ? 0 : old.lastIndexOf(lineEnd, head - 1) + 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  // Whole lines only: what is cut off begins where a line begins on both sides.
  const firstEnd = old.indexOf(lineEnd, old.length - tail);
  const isWhole = [old, now].every(({ length }, side, both) => {
    const at = length - tail;
    return at === head || both[side]?.[at - 1] === lineEnd;
  });
  if (!isWhole) tail = firstEnd === -1 ? 0 : old.length - firstEnd - 1;
  return middleCount(old.subarray(head, old.length - tail), now.subarray(head, now.length - tail));
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.length > mostBytes || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * E. W. Myers, "An O(ND) difference algorithm" (1986), without the way back: the number of edits and the difference of
 * the lengths give both counts.
 */
function middleCount(old: Uint8Array, now: Uint8Array): LineCount {
  const all = { added: linesIn(now), removed: linesIn(old) };
  const sum = all.added + all.removed;
  if (all.added === 0 || all.removed === 0 || sum > mostLines) return all;
  const numbers = new Map<string, number>();
  const [from, to] = [numbered(old, numbers), numbered(now, numbers)];
  const more = to.length - from.length;
  const most = Math.min(mostEdits, sum);
  /** How far into the old lines each diagonal came. */
  const reached = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const above = reached[middle + diagonal + 1] ?? 0;
      const left = reached[middle + diagonal - 1] ?? 0;
      let x = diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
      reached[middle + diagonal] = x;
      if (x >= from.length && x - diagonal >= to.length)
        return { added: (edits + more) / 2, removed: (edits - more) / 2 };
    }
  }
  return all;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== lineEnd ? lines + 1 : lines;
}

/** A line holds its end, so that a missing one at the end of the file is seen as a change. */
function numbered(bytes: Uint8Array, numbers: Map<string, number>): Int32Array {
  const lines = new TextDecoder().decode(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return Int32Array.from(lines, line => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
}
