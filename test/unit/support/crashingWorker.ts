// The history's worker, made to end where a test wants it: `THROUGHLINE_CRASH` is JSON of a `Crash`. Everything else is the
// real worker.

import { parentPort, workerData } from 'node:worker_threads';
import type { Calls, FromWorker, ToWorker, WorkerData } from '../../../src/node/history/workerMessages.ts';

export interface Crash {
  readonly call: keyof Calls;
  /** Before the worker sees the call; when it has done what was asked, in the place of its answer; or right after that. */
  readonly when: 'asked' | 'done' | 'answered';
  /** It is this one of the calls with that name, from 1; or each of them. */
  readonly nth: number | 'each';
  /** Only the first worker of the window ends, or also those that stand in for it. */
  readonly workers: 'first' | 'all';
}

const crash = JSON.parse(process.env['THROUGHLINE_CRASH'] ?? 'null') as Crash | null;
const { resumeAfter } = workerData as WorkerData;
if (crash && parentPort && (crash.workers === 'all' || resumeAfter === null)) {
  const port = parentPort;
  const asked = new Map<number, number>();
  const isIt = (id: number): boolean => asked.has(id) && (crash.nth === 'each' || asked.get(id) === crash.nth);
  port.on('message', ({ id, name }: ToWorker) => {
    if (name !== crash.call) return;
    asked.set(id, asked.size + 1);
    if (crash.when === 'asked' && isIt(id)) process.exit(1);
  });
  const post = port.postMessage.bind(port);
  port.postMessage = (message: FromWorker) => {
    if (crash.when === 'done' && message.type === 'answer' && isIt(message.id)) process.exit(1);
    post(message);
    if (crash.when === 'answered' && message.type === 'answer' && isIt(message.id)) process.exit(0);
  };
}
await import('../../../src/node/history/worker.ts');
