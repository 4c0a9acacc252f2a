// One of the processes that are killed, or whose history workers are: it appends turns to the sessions that all of them work on until it dies, two at a
// time, and now and then it erases a branch or a session, or joins the files of one. It says on its stdout what it is
// about to do and what history answered. It answers what it finds in history, so also what other processes wrote. What
// it says leaves this process before the next thing happens.

import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { HistoryError } from '../../src/core/history/historyError.ts';
import type { Message } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { randomFrom } from '../unit/support/random.ts';
import { openEngine } from './engine.ts';
import { saidOf, stateOf, type Line } from './ledger.ts';
import { Slots } from './slots.ts';
import { takeTurn } from './turn.ts';

const [folder = '', slotsFolder = '', seed = '1', workerKills = '0'] = process.argv.slice(2);
let worker: Worker | null = null;
process.on('worker', started => (worker = started));
const random = randomFrom(Number(seed));
const slots = new Slots(slotsFolder);
const { history, writer } = await openEngine(folder);
/** What an append may be refused with, where another process erased something or put it into the trash. */
const passing: readonly string[] = ['erased', 'no-session', 'no-parent', 'trashed'];
let appends = 0;
let acknowledged = 0;
/** Called when an append is on its way. */
let onAppend = (): void => {};
let erases = 0;
let marks = 0;

function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof HistoryError)) return String(cause);
  return cause.cause instanceof Error ? `${cause.code}: ${cause.cause.message}` : cause.code;
}

async function append(session: string, facts: readonly Fact[], messages: readonly Message[] = []): Promise<void> {
  const number = appends++;
  const states = Object.fromEntries(messages.map(message => [message.id, stateOf(message)]));
  say({ type: 'intends', append: number, session, facts: facts.map(saidOf), states });
  try {
    const appended = untilRestarted(() => history.append(session, facts));
    onAppend();
    await appended;
    acknowledged++;
    say({ type: 'acknowledged', append: number });
  } catch (cause) {
    say({ type: 'refused', append: number, code: codeOf(cause) });
    throw cause;
  }
}

/** What a conversation tries again: there is no worker, or files went each time that they were about to be read. */
const passes: readonly string[] = ['restarting', 'gone'];

async function untilRestarted<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof HistoryError) || !passes.includes(cause.code)) throw cause;
      await delay(50);
    }
  }
}

async function turn(session: string): Promise<void> {
  try {
    const known = await untilRestarted(() => history.open(session));
    await takeTurn({ session, known, random, append, mark: () => `${writer} ${marks++}` });
  } catch (cause) {
    // The verification says whether there was a reason. A person would look at what is there now, and go on from it.
    if (!(cause instanceof HistoryError) || !passing.includes(cause.code)) throw cause;
  }
}

async function erase(session: string, message: string | null): Promise<void> {
  const number = erases++;
  say({ type: 'erases', erase: number, session, message });
  const branch = message === null ? undefined : { message, subtree: true };
  const { messages, remaining } = await untilRestarted(() => history.erase(session, branch));
  say({ type: 'erased', erase: number, messages, remaining });
}

async function eraseBranch(session: string): Promise<void> {
  const path = (await untilRestarted(() => history.open(session)))?.path ?? [];
  // Mostly not from the root, so that something is left to work on.
  const message = path.at(-1 - Math.floor(random() * path.length * 0.8));
  if (message) await erase(session, message.id);
}

async function work(): Promise<void> {
  for (;;) {
    const slot = slots.pick(random);
    const kind = random() * (slots.isCalm() ? 40 : 1);
    if (kind < 0.03) await erase(slots.leave(slot), null);
    else if (kind < 0.15) await eraseBranch(slots.session(slot));
    else if (kind < 0.25) {
      say({ type: 'joins' });
      await untilRestarted(() => history.join(slots.session(slot)));
      say({ type: 'joined' });
    } else await turn(slots.session(slot));
    await delay(random() * 60);
  }
}

/** So many at least are acknowledged between two kills. */
const appendsPerWorker = 5;

/** Wherever the worker is: at opening, in the middle of erasing, and mostly right after it was given an append. */
async function killWorkers(count: number): Promise<void> {
  for (let kills = 0; kills < count; kills++) {
    // However slow the machine is, a worker has done something before it is killed.
    for (const enough = acknowledged + appendsPerWorker; acknowledged < enough;) await delay(5);
    await delay(random() * 500);
    if (random() < 0.7) {
      await new Promise<void>(resolve => (onAppend = resolve));
      const moment = performance.now() + random() * 2;
      while (performance.now() < moment) await new Promise(resolve => setImmediate(resolve));
    }
    await worker?.terminate();
    say({ type: 'workerKilled' });
  }
  if (count > 0) say({ type: 'workersKilled' });
}

say({ type: 'ready', writer });
try {
  await Promise.all([work(), work(), killWorkers(Number(workerKills))]);
} catch (cause) {
  say({ type: 'failed', what: codeOf(cause) });
  process.exit(1);
}
