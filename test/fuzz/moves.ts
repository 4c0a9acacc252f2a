// The moves of a run as data: a name, a place on the screen, and two numbers, whose meaning is each row's own. A row does
// nothing where what it needs is not there, so that any part of a sequence is a sequence.

import { agentMoves } from './agentMoves.ts';
import { diskMoves } from './diskMoves.ts';
import { personMoves } from './personMoves.ts';
import type { Row } from './row.ts';
import type { World } from './world.ts';

const tables = [personMoves, agentMoves, diskMoves];
const table = { ...personMoves, ...agentMoves, ...diskMoves };

export type MoveName = keyof typeof table;
export type Move = readonly [name: MoveName, place: number, n: number, m: number];

const rows: { readonly [name in MoveName]: Row } = table;
const names = Object.keys(table) as readonly MoveName[];
if (names.length < tables.flatMap(Object.keys).length)
  throw new Error('Two tables have a move of the same name, and one of the two would never be played.');
const sumOfWeights = names.reduce((sum, name) => sum + rows[name].weight, 0);

/** How often a move that would do nothing is drawn again. */
const draws = 6;

const isName = (text: string): text is MoveName => Object.hasOwn(table, text);

/** Moves as a person reads them: `open 1; send 1 0 35`, where numbers at the end that are 0 are left out. */
export function wordsOf(moves: readonly Move[]): string {
  return moves.map(move => move.join(' ').replace(/( 0)+$/, '')).join('; ');
}

/** What `wordsOf` wrote. Throws where there is no such move. */
export function movesOf(words: string): readonly Move[] {
  return words
    .split(';')
    .map(one => one.trim().split(/\s+/))
    .filter(([name]) => name !== '')
    .map(([name = '', ...numbers]): Move => {
      if (!isName(name)) throw new Error(`There is no move “${name}”.`);
      const [place = 0, n = 0, m = 0] = numbers.map(Number);
      return [name, place, n, m];
    });
}

/** One that does something now, as far as a few draws find one. */
export function drawMove(world: World, random: () => number): Move {
  let move: Move = ['wait', 0, 0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const n = Math.floor(random() * 1000);
    const m = Math.floor(random() * 1000);
    move = [drawName(random), random() < 0.6 ? 0 : 1, n, m];
    if (makeOf(world, move)) return move;
  }
  return move;
}

/** What is to be done for a move, or null. */
export function makeOf(world: World, [name, place, n, m]: Move): (() => void | Promise<void>) | null {
  return rows[name].make(world, place, n, m);
}

function drawName(random: () => number): MoveName {
  let at = random() * sumOfWeights;
  for (const name of names) if ((at -= rows[name].weight) < 0) return name;
  return 'wait';
}
