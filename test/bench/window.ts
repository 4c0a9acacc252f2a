// From window to window: one process appends, another on the same folder is told by `onDidAppend` and reads what is
// new. This file is also that other process, when it is run by itself. Promises: an append has arrived only when the
// other process gives back the new head, and the time is that of the call which told it so, on the system's one
// monotonic clock, from before the append; nothing within five seconds is a failure and not a number.

import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openHost } from './engine.ts';
import { seed } from './fixture.ts';
import { alone, missing, Samples, type Row } from './measure.ts';
import { Workload } from './workload.ts';

interface Seen {
  readonly at: number;
  readonly head: string | null;
}

const patience = 5000;
const limit = 50;
const warmUp = 3;
const turnsPerSession = 20;

export async function measureWindows(parent: string, count: number): Promise<readonly Row[]> {
  const folder = join(parent, 'window');
  mkdirSync(folder, { recursive: true });
  const other = fork(fileURLToPath(import.meta.url), [folder]);
  const history = await openHost(folder);
  const workload = new Workload(seed + 6);
  const samples = new Samples();
  try {
    await message(other, () => true, 30_000);
    let next = workload.conversation();
    for (let round = 0; round < warmUp + count; round++) {
      if (round % turnsPerSession === 0) next = workload.conversation();
      const { session, facts, messages } = next();
      const head = messages.at(-1)?.id;
      const arrived = message(other, seen => seen.head === head, patience);
      const from = clock();
      await history.append(session, facts);
      const seen = await arrived;
      if (!seen)
        return [missing('window/p99 ms', limit, `not there: nothing arrived within 5 s (append ${round + 1})`)];
      if (round >= warmUp) samples.add('ms', seen.at - from);
      // Not in step with any poll.
      await delay(10 + ((round * 7) % 30));
    }
  } finally {
    await history.close();
    other.kill();
  }
  return [
    alone('window/p50 ms', samples.median('ms')),
    alone('window/p99 ms', samples.quantile('ms', 0.99), limit, `worst ${samples.quantile('ms', 1).toFixed(1)} ms`),
  ];
}

/** The first message that fits; undefined where none comes in time. */
function message(from: ChildProcess, fits: (seen: Seen) => boolean, within: number): Promise<Seen | undefined> {
  return new Promise(resolve => {
    const end = (seen: Seen | undefined) => {
      clearTimeout(timer);
      from.off('message', onMessage);
      resolve(seen);
    };
    const onMessage = (seen: unknown) => {
      if (fits(seen as Seen)) end(seen as Seen);
    };
    const timer = setTimeout(() => end(undefined), within);
    from.on('message', onMessage);
  });
}

function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function child(folder: string): Promise<void> {
  const history = await openHost(folder);
  history.onDidAppend(({ session }) => {
    const at = clock();
    void history.open(session).then(stored => process.send?.({ at, head: stored?.head ?? null } satisfies Seen));
  });
  process.send?.({ at: clock(), head: null } satisfies Seen);
  process.on('disconnect', () => process.exit(0));
}

if (import.meta.main) await child(process.argv[2] ?? '');
