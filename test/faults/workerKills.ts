// Two processes on the same folder and sessions whose history workers are killed again and again while they append, erase
// and join. The processes themselves go on: a window needs no reload. At the end a fresh process verifies the folder.

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../unit/support/random.ts';
import { out, temporaryFolder } from '../vscode/places.ts';
import { isGood, startWriter, verify, type KillRun } from './kills.ts';
import { Slots } from './slots.ts';
import type { Verdict } from './verify.ts';

const processes = 2;
/** A new folder after so many kills, so that a long run doesn't spend itself on reading what it wrote. */
const roundOf = 100;

/** The verdicts of the rounds; the folder of a round that isn't good is kept under out/faults. */
export async function runWorkerKills({ kills, seed, say }: KillRun): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let done = 0, round = 0; done < kills; done += roundOf, round++) {
    const verdict = await runRound(`workers-${seed}.${round}`, seed + round * 7919, Math.min(roundOf, kills - done));
    say(`${done + verdict.counts.workerKills} workers killed, ${verdict.counts.acknowledged} appends acknowledged`);
    for (const words of verdict.words) say(`  ${words}`);
    verdicts.push(verdict);
    if (!isGood(verdict.counts)) break;
  }
  return verdicts;
}

async function runRound(name: string, seed: number, kills: number): Promise<Verdict> {
  const random = randomFrom(seed);
  const root = temporaryFolder('faults');
  const [folder, ledger, slotsFolder] = [join(root, 'history'), join(root, 'ledger'), join(root, 'slots')];
  for (const one of [folder, ledger, slotsFolder]) mkdirSync(one);
  new Slots(slotsFolder).setCalm(false);
  const each = Math.ceil(kills / processes);
  const writers = Array.from({ length: processes }, (_, at) =>
    startWriter(folder, join(ledger, `${at}.log`), random, slotsFolder, each),
  );
  try {
    await Promise.all(
      writers.map(({ child, closed }) => {
        const done = new Promise<void>(resolve => {
          child.stdout?.on('data', (chunk: Buffer) => chunk.includes('"workersKilled"') && resolve());
        });
        // One that failed says so in its ledger.
        return Promise.race([done, closed]);
      }),
    );
  } finally {
    for (const { child } of writers) child.kill('SIGKILL');
    await Promise.all(writers.map(({ closed }) => closed));
  }
  const verdict = verify(folder, ledger, join(root, 'copy'), seed);
  if (!isGood(verdict.counts)) cpSync(root, join(out, 'faults', name), { recursive: true });
  rmSync(root, { recursive: true, force: true });
  return verdict;
}
