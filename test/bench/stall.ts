// How long the host's thread stands still while its history works: turns go through the worker, which snapshots its
// index every thousand records, on top of a history that is there; a timer in this thread says how late it is. In
// alternating stretches a worker writes as much without a history: what that costs is the price of this machine. Promises:
// each stretch begins without garbage of the bench, and time in which the system gave this thread no processor, which
// on a crowded machine is most of it, is known on Linux, is not held against the limit, and has a row of its own.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { openHost } from './engine.ts';
import { seed, type Fixture } from './fixture.ts';
import { against, alone, interleave, Samples, sizeName, type Row } from './measure.ts';
import { Workload, type Turn } from './workload.ts';

const limit = 10;
/** Turns in one stretch: more than the records between two snapshots, so that each stretch has one. */
const stretch = 1100;

/** Writes and syncs as much as a history does, and knows nothing: a turn's bytes each time, an index now and then. */
const plainWriter = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { fdatasyncSync, fsyncSync, openSync, writeSync } = require('node:fs');
  const fd = openSync(workerData.file, 'a');
  let count = 0;
  parentPort.on('message', () => {
    writeSync(fd, Buffer.alloc(16_000, 'x'));
    fdatasyncSync(fd);
    parentPort.postMessage(0);
    if (++count % 1000 !== 0) return;
    const index = openSync(workerData.file + '.index', 'w');
    writeSync(index, Buffer.alloc(workerData.indexLength, 'x'));
    fsyncSync(index);
  });`;

interface Stall {
  /** The longest time between two ticks. */
  readonly all: number;
  /** The longest that is left when the time is taken off in which this thread could have run and had no processor. */
  readonly own: number;
}

export async function measureStall(fixture: Fixture, messages: number): Promise<readonly Row[]> {
  const history = await openHost(fixture.folder);
  // About 200 bytes of index for each message.
  const workerData = { file: `${fixture.sqliteFile}.stall`, indexLength: fixture.messages * 200 };
  const writer = new Worker(plainWriter, { eval: true, workerData });
  const turnsOf = (variant: number) => new Workload(seed + variant).history(Infinity);
  const [turns, others] = [turnsOf(7), turnsOf(8)];
  const stalls: { readonly ours: Stall[]; readonly reference: Stall[] } = { ours: [], reference: [] };
  let appended = 0;

  const append = async (turn: Turn) => {
    appended += turn.messages.length;
    await history.append(turn.session, turn.facts);
  };
  const pass = async (turn: Turn) => {
    const answered = new Promise(resolve => writer.once('message', resolve));
    writer.postMessage(turn);
    await answered;
  };
  await interleave(Math.ceil(messages / 4.5 / stretch), [
    async () => void stalls.ours.push(await worstStall(turns, append)),
    async () => void stalls.reference.push(await worstStall(others, pass)),
  ]);
  await history.close();
  await writer.terminate();

  const size = sizeName(fixture.messages);
  const without = 'plain write+fdatasync in a worker';
  const quantile = (of: keyof Stall, q: number) =>
    [stalls.ours, stalls.reference].map(list =>
      quantileOf(
        list.map(stall => stall[of]),
        q,
      ),
    ) as [number, number];
  const [worst, worstReference] = quantile('own', 1);
  const [all, allReference] = quantile('all', 1);
  const [median, medianReference] = quantile('own', 0.5);
  return [
    alone(
      `stall/${size}/worst ms`,
      worst,
      limit,
      `${appended} messages appended; reference ${worstReference.toFixed(1)}`,
    ),
    against(`stall/${size}/worst with waiting for a processor ms`, all, without, allReference),
    against(`stall/${size}/median of stretches ms`, median, without, medianReference),
  ];
}

function quantileOf(values: readonly number[], q: number): number {
  const samples = new Samples();
  for (const value of values) samples.add('', value);
  return samples.quantile('', q);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How much later than due the latest tick of a timer of one millisecond came in one stretch. */
async function worstStall(turns: Generator<Turn>, run: (turn: Turn) => Promise<void>): Promise<Stall> {
  collectGarbage();
  let worst: Stall = { all: 0, own: 0 };
  let last = performance.now();
  let waitedBefore = waitedForProcessor();
  const tick = () => {
    const now = performance.now();
    const waited = waitedForProcessor();
    const late = now - last - 1;
    worst = { all: Math.max(worst.all, late), own: Math.max(worst.own, late - Math.max(0, waited - waitedBefore)) };
    last = now;
    waitedBefore = waited;
  };
  const timer = setInterval(tick, 1);
  for (let left = stretch; left > 0; left--) {
    const { value } = turns.next() as IteratorYieldResult<Turn>;
    await run(value);
  }
  clearInterval(timer);
  tick();
  return worst;
}

/** Milliseconds that the main thread of this process has been ready to run without running, since it began. */
function waitedForProcessor(): number {
  if (process.platform !== 'linux') return 0;
  const [, waited = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1e6;
}
