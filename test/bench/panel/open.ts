// How long it takes until the last page of a session stands, and what paging through all of it leaves behind. The history
// is written as another window of the same folder would write it, through the engine, while the editor runs.

import { readdirSync, readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';
import { openHost } from '../engine.ts';
import { seed } from '../fixture.ts';
import { against, alone, interleave, missing, Samples, type Row } from '../measure.ts';
import { Workload } from '../workload.ts';
import type { Scene } from './scene.ts';

interface Written {
  readonly session: string;
  readonly last: string;
  readonly megabytes: number;
}

const short = 50;
const long = 10_000;
/**
 * What an allocator keeps of what was given back does not depend on how long a conversation is: the process is compared
 * with itself after so many messages too, which is more than are drawn.
 */
const fewer = 1000;

export async function measureOpen(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  const rounds = isQuick ? 2 : 4;
  const samples = new Samples();
  await scene.ask('hello');
  const written = await write(scene, [...Array(rounds).fill(short), ...Array(rounds).fill(long)]);
  const [first, ...rest] = await write(scene, [short, short]);
  for (const one of [first, ...rest]) if (one) await scene.open(one.session, one.last);
  const open = async (name: string, one: Written | undefined) => {
    if (!one) return;
    await scene.settled();
    samples.add(name, await scene.open(one.session, one.last));
  };
  await interleave(rounds, [round => open('short', written[round]), round => open('long', written[rounds + round])]);
  const note = `${written.at(-1)?.megabytes.toFixed(0)} MB of messages`;
  return [
    against('panel/open 10k messages ms', samples.median('long'), '50 messages', samples.median('short'), 1.2, note),
  ];
}

export async function measureMemory(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  await scene.ask('hello');
  const [little, one] = await write(scene, [fewer, isQuick ? 2000 : long]);
  if (!little || !one) throw new Error('nothing was written');
  const pid = await rendererOf(scene);
  const look = async (of: Written) => {
    await scene.open(of.session, of.last);
    await scene.settled();
    return memoryOf(scene.devTools, pid);
  };
  const through = async () => {
    const steps = await scene.frame().evaluate(pageThrough);
    await scene.frame().evaluate(resting, rest);
    await scene.settled();
    return { steps, ...(await memoryOf(scene.devTools, pid)) };
  };
  const before = await look(one);
  await look(little);
  const afterFewer = await through();
  await look(one);
  const after = await through();
  const note = `${after.steps} screens each way; ${before.nodes} nodes before and ${after.nodes} after`;
  const page = against('panel/memory, page MB', after.page, 'before paging', before.page, 1.5, note);
  if (before.all === null || afterFewer.all === null || after.all === null) {
    return [page, missing('panel/memory, process MB', 1.5, 'this system does not say what a process uses')];
  }
  return [
    page,
    against('panel/memory, process MB', after.all, 'before any paging', before.all, 1.5),
    against('panel/memory, process, longer MB', after.all, `after ${fewer} messages`, afterFewer.all, 1.5),
  ];
}

/**
 * In ms: whoever paged through ten thousand messages reads for a while. The panel gives memory back then, and Chrome's
 * allocators theirs to the system, each in its own time.
 */
const rest = 30_000;

/** A message of 50 MB: what is on the screen does not wait for the rest of it. */
export async function measureHuge(scene: Scene): Promise<readonly Row[]> {
  await scene.ask('hello');
  const folder = scene.historyFolder();
  const history = await openHost(folder);
  const workload = new Workload(seed + 21);
  const next = workload.conversation();
  const { session, facts, messages } = next();
  const last = messages.at(-1)?.id ?? '';
  const text = 'A paragraph of words that somebody said, and then some more of them.\n\n'.repeat(50 * 15_000);
  await history.append(
    session,
    facts.map(fact =>
      fact.type === 'message' && fact.message.id === last
        ? { ...fact, message: { ...fact.message, blocks: [{ kind: 'text', mime: 'text/markdown', text } as const] } }
        : fact,
    ),
  );
  await history.close();
  const pinging = scene.hand.ping();
  const took = await scene.open(session, last);
  const { own } = await pinging.stop();
  return [
    alone('panel/open 50 MB message ms', took, 2000, `${(text.length / 2 ** 20).toFixed(0)} MB in one block`),
    alone('panel/open 50 MB message, host ms', own, 50),
  ];
}

/** Sessions of so many messages each. */
async function write(scene: Scene, sizes: readonly number[]): Promise<readonly Written[]> {
  const history = await openHost(scene.historyFolder());
  const workload = new Workload(seed + 20 + sizes.length);
  const written: Written[] = [];
  for (const size of sizes) {
    const next = workload.conversation();
    let [count, bytes, session, last] = [0, 0, '', ''];
    while (count < size) {
      const turn = next();
      const facts = turn.facts;
      await history.append(turn.session, facts);
      count += turn.messages.length;
      bytes += JSON.stringify(turn.messages).length;
      session = turn.session;
      last = turn.messages.at(-1)?.id ?? '';
    }
    written.push({ session, last, megabytes: bytes / 2 ** 20 });
  }
  await history.close();
  return written;
}

interface Memory {
  /** Scripts, their data, and the document with its layout, in megabytes. */
  readonly page: number;
  /** All that the process has for itself. */
  readonly all: number | null;
  readonly nodes: number;
}

async function memoryOf(devTools: CDPSession, pid: number | null): Promise<Memory> {
  // What was given back is not held: allocators keep it for a while otherwise.
  for (let round = 0; round < 3; round++) {
    await devTools.send('HeapProfiler.collectGarbage');
    await devTools.send('Memory.simulatePressureNotification', { level: 'critical' }).catch(() => {});
    await new Promise(resolve => setTimeout(resolve, 700));
  }
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devTools.send('Runtime.getHeapUsage');
  const { nodes } = await devTools.send('Memory.getDOMCounters');
  const page = (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;
  return { page, all: pid === null ? null : privateMemory(pid), nodes };
}

function privateMemory(pid: number): number | null {
  try {
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = Number(/Private_Dirty:\s+(\d+)/.exec(lines)?.[1]);
    return kilobytes / 1024;
  } catch {
    return null;
  }
}

/** The process of the panel: the one that works while the panel is made to. */
async function rendererOf(scene: Scene): Promise<number | null> {
  const times = () => {
    const found = new Map<number, number>();
    for (const name of safely(() => readdirSync('/proc'))) {
      const stat = /^\d+$/.test(name) ? safely(() => [readFileSync(`/proc/${name}/stat`, 'utf8')])[0] : undefined;
      const command = stat && safely(() => [readFileSync(`/proc/${name}/cmdline`, 'utf8')])[0];
      if (!stat || !command?.includes('--type=renderer')) continue;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.set(Number(name), Number(fields[11]));
    }
    return found;
  };
  const mark = `panel-${process.pid}-${Math.random()}`;
  const before = times();
  await scene.frame().evaluate(work, mark);
  const after = times();
  const most = [...after].map(([pid, time]) => ({ pid, time: time - (before.get(pid) ?? time) }));
  return most.length === 0 ? null : most.reduce((one, other) => (other.time > one.time ? other : one)).pid;
}

function safely<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    // A process that ended meanwhile, or another system.
    return [];
  }
}

/** In the page: busy for a second. */
function work(_mark: string): void {
  for (const end = performance.now() + 1000; performance.now() < end;);
}

/** In the page. */
function resting(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** In the page: up to the first message and down to the last, screen by screen. */
async function pageThrough(): Promise<number> {
  const scroller = document.querySelector<HTMLElement>('.scroller');
  if (!scroller) throw new Error('There is nothing to scroll.');
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  let steps = 0;
  const go = async (by: number) => {
    for (let still = 0; still < 60;) {
      const before = scroller.scrollTop;
      scroller.dispatchEvent(new WheelEvent('wheel'));
      scroller.scrollTop += by;
      await frame();
      still = scroller.scrollTop === before ? still + 1 : 0;
      steps += still === 0 ? 1 : 0;
    }
  };
  await go(-4 * scroller.clientHeight);
  await go(4 * scroller.clientHeight);
  return Math.round(steps / 2);
}
