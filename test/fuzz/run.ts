// `npm run test:fuzz -- [--steps 10000000] [--seed N] [--all] [--no-stalls] [--replay file]` plays random moves against
// conversations and checks what must be true of them (`invariants.ts`). It stops at the first violation, prints its seed
// and its shortest sequence of moves, and exits with 1. `--all` goes on, and prints each code with its count and its
// shortest sequence. `--no-stalls` leaves out windows that others take for gone though they live. `--replay` plays a
// sequence from a file, as it was printed.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agentsAnswer, replay, runFuzz, type FuzzResult, type Sequence } from './fuzz.ts';
import { codes } from './invariants.ts';
import { movesOf, wordsOf } from './moves.ts';
import type { Window } from './window.ts';
import type { World } from './world.ts';

const usage =
  'Usage: npm run test:fuzz -- [--steps <number>] [--seed <number>] [--all] [--no-stalls] [--replay <file>]';
/** How often a long run says where it is, in milliseconds. */
const tellEvery = 10_000;

const { steps, seed, all, stalls, file } = readArguments();
process.exitCode = file === null ? await fuzz() : await play(file);

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        steps: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        all: { type: 'boolean', default: false },
        'no-stalls': { type: 'boolean', default: false },
        replay: { type: 'string' },
      },
    });
    return {
      steps: wholeNumber(values.steps),
      seed: wholeNumber(values.seed),
      all: values.all,
      stalls: !values['no-stalls'],
      file: values.replay ?? null,
    };
  } catch (error) {
    console.error(`✖ ${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(2);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`“${text}” is no number.`);
  return Number(text);
}

async function fuzz(): Promise<number> {
  const began = performance.now();
  let told = began;
  const onSeed = (result: FuzzResult) => {
    if (performance.now() - told < tellEvery) return;
    told = performance.now();
    console.log(`  ${lineOf(result, began)}`);
  };
  const result = await runFuzz({ steps, firstSeed: seed, stalls, all, onSeed });
  for (const [code, count] of result.counts) {
    const found = result.found.get(code);
    console.log(`✖ ${code}, in ${count} seeds: ${codes[code]}`);
    if (found) console.log(`    ${found.words}\n    ${textOf(found.sequence)}`);
  }
  console.log(`ℹ ${lineOf(result, began)}`);
  return violationsIn(result) > 0 ? 1 : 0;
}

async function play(name: string): Promise<number> {
  const sequence = sequenceIn(readFileSync(name, 'utf8'));
  const violations = await replay(sequence, ([move, place, n, m], world) => {
    console.log(`${world.step}. ${move} ${place} ${n} ${m}: ${stateOf(world)}`);
  });
  console.log(`At the end ${agentsAnswer(sequence.seed) ? 'agents answer what runs' : 'what runs is stopped'}.`);
  for (const { code, words, step } of violations) console.log(`✖ ${code} at ${step}: ${words}`);
  console.log(`ℹ ${violations.length} violations`);
  return violations.length > 0 ? 1 : 0;
}

/** What each window shows, in short. */
function stateOf({ windows }: World): string {
  return windows
    .map(window => (window && !window.isGone ? `${window.writer} ${shownIn(window)}` : 'no window'))
    .join(' | ');
}

function shownIn({ conversation }: Window): string {
  if (!conversation) return 'opens';
  const { messages, turn, queue, continuity, permissions, unsaved, elsewhere, held, agent } = conversation.transcript;
  const path = messages.map(({ id, end }) => `${Number(id.slice(1))}${end ? '' : '…'}`).join(' ');
  const parts = [
    `[${path}] ${agent.id} ${continuity.kind}`,
    turn &&
      `turn ${turn.message === null ? 'begins' : Number(turn.message.slice(1))}${turn.cancelling ? ' stops' : ''}`,
    queue.length > 0 && `queue ${queue.map(({ id }) => id).join(' ')}`,
    permissions.length > 0 && `${permissions.length} permissions`,
    unsaved && `unsaved ${unsaved.code}`,
    elsewhere !== null && `elsewhere ${Number(elsewhere.slice(1))}`,
    held && `held ${held.kind}`,
  ];
  return parts.filter(part => typeof part === 'string').join(', ');
}

function sequenceIn(text: string): Sequence {
  const [, seed, moves] = /^\s*seed (\d+): ([^]*)$/.exec(text) ?? [];
  if (seed === undefined || moves === undefined)
    throw new Error('It begins with “seed” and a number, and then come moves.');
  return { seed: Number(seed), moves: movesOf(moves) };
}

function textOf({ seed, moves }: Sequence): string {
  return `seed ${seed}: ${wordsOf(moves)}`;
}

function violationsIn({ counts }: FuzzResult): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}

function lineOf(result: FuzzResult, began: number): string {
  const speed = Math.round(result.steps / ((performance.now() - began) / 1000));
  return `${result.steps} steps, ${result.seeds} seeds, ${violationsIn(result)} violations, ${speed} steps a second`;
}
