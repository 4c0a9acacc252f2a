// Runs seeds, each a world of its own with some hundred moves and an end, and counts what they violate. The same seed is the
// same run everywhere.

import { randomFrom } from '../unit/support/random.ts';
import { finish } from './atTheEnd.ts';
import type { CanResume } from './fakeAgent.ts';
import type { FakeDisk } from './fakeDisk.ts';
import type { Code } from './invariants.ts';
import { drawMove, type Move } from './moves.ts';
import { shrink } from './shrink.ts';
import { World, type Violation } from './world.ts';

export const stepsPerSeed = 400;

/** One of so many seeds has stalls, so that what needs none is found without. */
const seedsOfAStall = 4;

/** Of so many runs with the same code the shortest is kept. */
const shrunkOfEach = 4;

/** A run as data: what a seed decides, and the moves. */
export interface Sequence {
  readonly seed: number;
  readonly moves: readonly Move[];
}

export interface FuzzOptions {
  readonly steps: number;
  readonly firstSeed?: number;
  /** Also windows that are silent for so long that others take them for gone, though they live. Usually they are. */
  readonly stalls?: boolean;
  /** Goes on after the first violation. */
  readonly all?: boolean;
  readonly onSeed?: (result: FuzzResult) => void;
}

export interface Found {
  readonly words: string;
  readonly sequence: Sequence;
}

export interface FuzzResult {
  steps: number;
  seeds: number;
  /** In how many seeds each was seen. */
  readonly counts: Map<Code, number>;
  /** Of each code a short sequence. */
  readonly found: Map<Code, Found>;
}

const abilities: readonly CanResume[] = ['loads', 'resumes', 'both', 'forgets', 'forks'];

/** The world whose promises are being rejected now. */
let current: World | null = null;

export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { steps, firstSeed = 1, stalls = true, all = false, onSeed } = options;
  const result: FuzzResult = { steps: 0, seeds: 0, counts: new Map(), found: new Map() };
  const onRejection = (cause: unknown) => current?.report('unhandled-rejection', wordsOf(cause));
  process.on('unhandledRejection', onRejection);
  try {
    for (let seed = firstSeed; result.steps < steps; seed++) {
      const { moves, violations } = await runSeed(seed, Math.min(stepsPerSeed, steps - result.steps), stalls);
      result.steps += moves.length;
      result.seeds++;
      for (const { code, words } of violations) {
        result.counts.set(code, (result.counts.get(code) ?? 0) + 1);
        if ((result.counts.get(code) ?? 0) > (all ? shrunkOfEach : 1)) continue;
        const sequence = await shortestOf({ seed, moves }, code);
        const before = result.found.get(code)?.sequence.moves.length ?? Infinity;
        if (sequence.moves.length >= before) continue;
        const shown = (await replay(sequence)).find(one => one.code === code);
        result.found.set(code, { words: shown?.words ?? words, sequence });
      }
      onSeed?.(result);
      if (result.found.size > 0 && !all) break;
    }
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return result;
}

/** What a sequence violates. `onPlayed` sees the world after each move. */
export async function replay(
  { seed, moves }: Sequence,
  onPlayed: (move: Move, world: World) => void = () => {},
): Promise<readonly Violation[]> {
  const world = worldOf(seed, true);
  for (const move of moves) {
    await world.play(move);
    onPlayed(move, world);
  }
  return endOf(world, seed);
}

export async function shortestOf({ seed, moves }: Sequence, code: Code): Promise<Sequence> {
  const fails = async (some: readonly Move[]) =>
    (await replay({ seed, moves: some })).some(violation => violation.code === code);
  return { seed, moves: await shrink(moves, fails) };
}

export interface Run {
  readonly moves: readonly Move[];
  readonly violations: readonly Violation[];
  /** What all of it left in history. */
  readonly disk: FakeDisk;
}

export async function runSeed(seed: number, steps: number, stalls: boolean): Promise<Run> {
  const random = randomFrom(seed);
  const world = worldOf(seed, stalls && seed % seedsOfAStall === 0);
  const moves: Move[] = [];
  while (moves.length < steps) {
    const move = drawMove(world, random);
    moves.push(move);
    await world.play(move);
  }
  return { moves, violations: await endOf(world, seed), disk: world.disk };
}

function worldOf(seed: number, hasStalls: boolean): World {
  const world = new World(abilities[seed % abilities.length] ?? 'both', hasStalls);
  current = world;
  return world;
}

/** At the end of a seed; else what runs then is stopped. */
export function agentsAnswer(seed: number): boolean {
  return seed % 3 !== 0;
}

async function endOf(world: World, seed: number): Promise<readonly Violation[]> {
  await finish(world, agentsAnswer(seed));
  await world.forget();
  return world.violations;
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
