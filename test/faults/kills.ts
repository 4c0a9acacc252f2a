// Four processes on the same folder and the same six sessions at a time, killed with -9 at random points, started again,
// stopped and continued, with the index files deleted and torn ends added under them, while they erase and join; and a
// fresh process that verifies what is left.
// Promises: decisions come from the seed (what the operating system makes of them does not); what it starts, it ends;
// the folder and ledger of a failed round are kept. The caller has put the run on the leash.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../unit/support/random.ts';
import { out, temporaryFolder } from '../vscode/places.ts';
import { pick } from './content.ts';
import { noFindings } from './findings.ts';
import { harmCaches, tearTail } from './harm.ts';
import { Slots } from './slots.ts';
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
  /** Verifications that found nothing half erased before the folder was opened again. */
  clean: number;
  sum: Counts;
  readonly words: string[];
}

const here = import.meta.dirname;
const processes = 4;
const verifyEvery = 50;
/** A new folder after so many kills, so that a long run does not spend itself on reading what it wrote. */
const roundOf = 100;

export interface Writer {
  readonly child: ChildProcess;
  /** Where what it says is kept. */
  readonly log: string;
  readonly closed: Promise<void>;
  /** Called when it is about to erase or to join something. */
  onDeed: (() => void) | null;
}

export async function runKills({ kills, seed, say }: KillRun): Promise<Totals> {
  const totals: Totals = {
    kills: 0,
    stops: 0,
    deleted: 0,
    damaged: 0,
    torn: 0,
    verified: 0,
    clean: 0,
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
  const slotsFolder = join(root, 'slots');
  for (const one of [folder, ledger, slotsFolder]) mkdirSync(one);
  const slots = new Slots(slotsFolder);
  const writers: Writer[] = [];
  let started = 0;
  let killed = 0;
  const start = (): Writer => startWriter(folder, join(ledger, `${started++}.log`), random, slotsFolder);
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
        const doing = random() < 0.5 && !slots.isCalm() ? await someDeed(writers, random) : -1;
        if (doing < 0) await delay(150 + random() * 900);
        slots.setCalm(random() < (slots.isCalm() ? 0.8 : 0.2));
        if (random() < 0.2) harmCaches(folder, random, totals);
        if (killed % 12 === 5) totals.stops += await stopAndContinue(pick(writers, random).child, random);
        const at = doing < 0 ? Math.floor(random() * writers.length) : doing;
        await kill(at);
        if (random() < 0.25) totals.torn += tearTail(folder, writers[at]?.log ?? '', random);
        writers[at] = start();
      }
      for (const at of writers.keys()) await kill(at);
      writers.length = 0;
      const verdict = verify(folder, ledger, join(root, 'copy'), seed);
      totals.verified++;
      if (verdict.counts.halfErased === 0) totals.clean++;
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

/** `workerKills` is how often the process ends its own history worker, while it lives. */
export function startWriter(
  folder: string,
  log: string,
  random: () => number,
  slotsFolder: string,
  workerKills = 0,
): Writer {
  const seed = String(Math.floor(random() * 2 ** 31));
  const child = spawn(process.execPath, [join(here, 'writer.ts'), folder, slotsFolder, seed, String(workerKills)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // `close` comes after the last of what it said was read.
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  const writer: Writer = { child, log, closed, onDeed: null };
  child.stdout?.on('data', (chunk: Buffer) => {
    appendFileSync(log, chunk);
    if (writer.onDeed && /"type":"(erases|joins)"/.test(chunk.toString('latin1'))) writer.onDeed();
  });
  return writer;
}

/** Which of the writers is in the middle of erasing or joining; -1 where none is for a while. */
async function someDeed(writers: readonly Writer[], random: () => number): Promise<number> {
  const isIn = random() * 40;
  const at = await new Promise<number>(resolve => {
    const timer = setTimeout(() => resolve(-1), 3000);
    for (const [index, writer] of writers.entries())
      writer.onDeed = () => {
        clearTimeout(timer);
        resolve(index);
      };
  });
  for (const writer of writers) writer.onDeed = null;
  if (at >= 0) await delay(isIn);
  return at;
}

/** As a laptop that sleeps: the others go on meanwhile. */
async function stopAndContinue(child: ChildProcess, random: () => number): Promise<number> {
  child.kill('SIGSTOP');
  await delay(1000 + random() * 2000);
  child.kill('SIGCONT');
  return 1;
}

export function verify(folder: string, ledger: string, copy: string, seed: number): Verdict {
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
  const { words: _, ...kinds } = noFindings();
  return Object.keys(kinds).every(kind => counts[kind as keyof typeof kinds] === 0);
}

function nothing(): Counts {
  const { words: _, ...kinds } = noFindings();
  return {
    acknowledged: 0,
    records: 0,
    messages: 0,
    crossed: 0,
    writers: 0,
    erasedSessions: 0,
    erasedBranches: 0,
    joins: 0,
    workerKills: 0,
    turnedAway: 0,
    halfErased: 0,
    tails: 0,
    caches: 0,
    fromSnapshot: 0,
    ...kinds,
  };
}

function add(sum: Counts, counts: Counts): void {
  for (const key of Object.keys(sum) as (keyof Counts)[]) Object.assign(sum, { [key]: sum[key] + counts[key] });
}

export function wordsOf(counts: Counts): string {
  return Object.entries(counts)
    .map(([key, count]) => `${count} ${key.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`)
    .join(', ');
}
