// Makes a sequence of moves that fails shorter: whole stretches of it first, then single moves, then the numbers in them.
// It may take any part, because a move that finds nothing to do does nothing.

import type { Move } from './moves.ts';

const mostTries = 2500;

export async function shrink(
  moves: readonly Move[],
  stillFails: (moves: readonly Move[]) => Promise<boolean>,
): Promise<readonly Move[]> {
  let tries = 0;
  const attempt = async (candidate: readonly Move[]) => ++tries <= mostTries && (await stillFails(candidate));
  let kept = moves;
  for (let before = Infinity; kept.length < before;) {
    before = kept.length;
    kept = await withSmallNumbers(await withoutStretches(kept, attempt), attempt);
  }
  return kept;
}

async function withoutStretches(
  moves: readonly Move[],
  attempt: (moves: readonly Move[]) => Promise<boolean>,
): Promise<readonly Move[]> {
  let kept = moves;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = Math.max(0, kept.length - size); ; at -= size) {
      const candidate = kept.toSpliced(Math.max(0, at), size);
      if (candidate.length < kept.length && (await attempt(candidate))) kept = candidate;
      if (at <= 0) break;
    }
  }
  return kept;
}

async function withSmallNumbers(
  moves: readonly Move[],
  attempt: (moves: readonly Move[]) => Promise<boolean>,
): Promise<readonly Move[]> {
  let kept = moves;
  for (let at = 0; at < kept.length; at++) {
    for (const field of [1, 2, 3] as const) {
      const move = kept[at];
      if (!move || move[field] === 0) continue;
      const smaller: [Move[0], number, number, number] = [...move];
      smaller[field] = 0;
      const candidate = kept.with(at, smaller);
      if (await attempt(candidate)) kept = candidate;
    }
  }
  return kept;
}
