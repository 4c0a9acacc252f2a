// Four processes on the same folder and the same six sessions, killed with -9 at random points, started again, stopped
// and continued, with the index files deleted and torn ends added under them; and a fresh process that verifies what is left.
// Promises: decisions come from the seed (what the operating system makes of them does not); what it starts, it ends;
// the folder and ledger of a failed round are kept. The caller has put the run on the leash.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../unit/support/random.ts';
import { out, temporaryFolder } from '../vscode/places.ts';
import { pick } from './content.ts';
import { ids } from './engine.ts';
import { harmCaches, tearTail } from './harm.ts';
import type { Counts, Verdict } from './verify.ts';

export interface KillRun {
  readonly kills: number;
  readonly seed: number;
  readonly say: (words: string) => void;
}

export interface Totals {
  kills: number;
  stops: number;
  deleted: number;
  damaged: number;
  torn: number;
  verified: number;
  sum: Counts;
  readonly words: string[];
}

const here = import.meta.dirname;
const processes = 4;
const verifyEvery = 50;
/** A new folder after so many kills, so that a long run does not spend itself on reading what it wrote. */
const roundOf = 100;

interface Writer {
  readonly child: ChildProcess;
  /** Where what it says is kept. */
  readonly log: string;
  readonly closed: Promise<void>;
}

export async function runKills({ kills, seed, say }: KillRun): Promise<Totals> {
  const totals: Totals = {
    kills: 0,
    stops: 0,
    deleted: 0,
    damaged: 0,
    torn: 0,
    verified: 0,
    sum: nothing(),
    words: [],
  };
  for (let from = 0, round = 0; from < kills; from += roundOf, round++) {
    await runRound(`${seed}.${round}`, seed + round * 7919, Math.min(roundOf, kills - from), totals, say);
  }
  return totals;
}

async function runRound(name: string, seed: number, kills: number, totals: Totals, say: KillRun['say']): Promise<void> {
  const random = randomFrom(seed);
  const root = temporaryFolder('faults');
  const folder = join(root, 'history');
  const ledger = join(root, 'ledger');
  for (const one of [folder, ledger]) mkdirSync(one);
  const sessions = Array.from({ length: 6 }, () => ids.session());
  const writers: Writer[] = [];
  let started = 0;
  let killed = 0;
  const start = (): Writer => startWriter(folder, join(ledger, `${started++}.log`), random, sessions);
  const kill = async (at: number): Promise<void> => {
    writers[at]?.child.kill('SIGKILL');
    await writers[at]?.closed;
    killed++;
    totals.kills++;
  };
  let last = nothing();
  let good = false;
  try {
    do {
      while (writers.length < processes) writers.push(start());
      for (const next = Math.min(kills, killed + verifyEvery) - processes; killed < next;) {
        await delay(150 + random() * 900);
        if (random() < 0.2) harmCaches(folder, random, totals);
        if (killed % 12 === 5) totals.stops += await stopAndContinue(pick(writers, random).child, random);
        const at = Math.floor(random() * writers.length);
        await kill(at);
        if (random() < 0.25) totals.torn += tearTail(folder, writers[at]?.log ?? '', random);
        writers[at] = start();
      }
      for (const at of writers.keys()) await kill(at);
      writers.length = 0;
      const verdict = verify(folder, ledger, join(root, 'copy'), seed);
      totals.verified++;
      totals.words.push(...verdict.words);
      last = verdict.counts;
      good = isGood(last);
      say(`seed ${name}, ${totals.kills} kills: ${wordsOf(last)}`);
      for (const words of verdict.words) say(`  ${words}`);
    } while (good && killed < kills);
  } finally {
    for (const { child } of writers) child.kill('SIGKILL');
    await Promise.all(writers.map(writer => writer.closed));
    add(totals.sum, last);
    if (!good) {
      const kept = join(out, 'faults', name);
      rmSync(kept, { recursive: true, force: true });
      cpSync(root, kept, { recursive: true });
      say(`  kept in out/faults/${name}`);
    }
    rmSync(root, { recursive: true, force: true });
  }
}

function startWriter(folder: string, log: string, random: () => number, sessions: readonly string[]): Writer {
  const seed = String(Math.floor(random() * 2 ** 31));
  const child = spawn(process.execPath, [join(here, 'writer.ts'), folder, seed, ...sessions], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (chunk: Uint8Array) => appendFileSync(log, chunk));
  // `close` comes after the last of what it said was read.
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  return { child, log, closed };
}

/** As a laptop that sleeps: the others go on meanwhile. */
async function stopAndContinue(child: ChildProcess, random: () => number): Promise<number> {
  child.kill('SIGSTOP');
  await delay(1000 + random() * 2000);
  child.kill('SIGCONT');
  return 1;
}

function verify(folder: string, ledger: string, copy: string, seed: number): Verdict {
  rmSync(copy, { recursive: true, force: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(here, 'verify.ts'), folder, ledger, copy, String(seed)],
    { encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  try {
    return JSON.parse(stdout) as Verdict;
  } catch {
    throw new Error(`The verification did not come to its end:\n${stdout}${stderr}`);
  }
}

export function isGood(counts: Counts): boolean {
  return counts.lost + counts.doubled + counts.corrupt + counts.dangling + counts.differing + counts.refused === 0;
}

function nothing(): Counts {
  const zero = { lost: 0, doubled: 0, corrupt: 0, dangling: 0, differing: 0, refused: 0 };
  return {
    acknowledged: 0,
    records: 0,
    messages: 0,
    crossed: 0,
    writers: 0,
    tails: 0,
    caches: 0,
    fromSnapshot: 0,
    ...zero,
  };
}

function add(sum: Counts, counts: Counts): void {
  for (const key of Object.keys(sum) as (keyof Counts)[]) Object.assign(sum, { [key]: sum[key] + counts[key] });
}

export function wordsOf(counts: Counts): string {
  return Object.entries(counts)
    .map(([key, count]) => `${count} ${key}`)
    .join(', ');
}
