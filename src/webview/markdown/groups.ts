// Gathers the pieces of a text into stretches of about a screen or two, which the browser may skip while they are out
// of sight. Promises: a stretch that did not change is the same array as before.

import type { Piece } from './pieces.ts';

const longest = 6_000;
const most = 24;

export type Group = readonly Piece[];

export function groupPieces(pieces: readonly Piece[], before: readonly Group[] = []): readonly Group[] {
  const groups: Group[] = [];
  let group: Piece[] = [];
  let size = 0;
  const close = () => {
    const old = before[groups.length];
    groups.push(old && isSame(old, group) ? old : group);
    group = [];
    size = 0;
  };
  for (const piece of pieces) {
    group.push(piece);
    size += piece.raw.length;
    if (size > longest || group.length >= most) close();
  }
  if (group.length > 0) close();
  return groups;
}

function isSame(old: Group, now: Group): boolean {
  return old.length === now.length && old.every((piece, at) => piece === now[at]);
}
