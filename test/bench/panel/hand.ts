// A hand inside the extension host, beside the extension and not part of it: it answers a ping at once when its thread
// is free, and runs commands as a person or another extension does. The first half is the code of that extension, the
// second half the worker that pings, so that a busy bench is not taken for a busy host.

import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What the extension answers: `waited` is how long its thread could have run and had no processor, in nanoseconds. */
export interface Pong {
  readonly id: number;
  readonly waited: number | null;
  readonly failure?: string;
}

export interface Pings {
  readonly count: number;
  /** The longest time to an answer, in milliseconds. */
  readonly worst: number;
  /** The longest, without the time in which the system gave that thread no processor. */
  readonly own: number;
}

const every = 10;

/** CommonJS for VS Code: listens on a socket in the temp folder of the run, which nobody else may open. */
export function handCode(socket: string): string {
  return `
const { createServer } = require('node:net');
const { readFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { commands } = require('vscode');
const waited = () => {
  try { return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]); } catch { return null; }
};
exports.activate = () => {
  createServer(socket => {
    const answer = (id, more) => socket.write(JSON.stringify({ id, waited: waited(), ...more }) + '\\n');
    createInterface({ input: socket }).on('line', line => {
      const { id, command, args = [] } = JSON.parse(line);
      if (command === undefined) return answer(id);
      Promise.resolve(commands.executeCommand(command, ...args)).then(() => answer(id), cause => answer(id, { failure: String(cause) }));
    });
    socket.on('error', () => {});
  }).listen(${JSON.stringify(socket)});
};`;
}

export interface Hand {
  /** Resolves when the command has. */
  run(command: string, ...args: readonly unknown[]): Promise<void>;
  /** From now on; `stop` gives what came of it. */
  ping(): { stop(): Promise<Pings> };
  close(): void;
}

export async function reachHand(path: string): Promise<Hand> {
  const socket = await connected(path);
  const waiting = new Map<number, (pong: Pong) => void>();
  createInterface({ input: socket }).on('line', line => {
    const pong = JSON.parse(line) as Pong;
    waiting.get(pong.id)?.(pong);
    waiting.delete(pong.id);
  });
  let count = 0;
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: path });
  await new Promise(resolve => worker.once('message', resolve));
  return {
    async run(command, ...args) {
      const id = count++;
      const { failure } = await new Promise<Pong>(resolve => {
        waiting.set(id, resolve);
        socket.write(`${JSON.stringify({ id, command, args })}\n`);
      });
      if (failure !== undefined) throw new Error(`${command}: ${failure}`);
    },
    ping() {
      worker.postMessage('start');
      return {
        stop: () =>
          new Promise<Pings>(resolve => {
            worker.once('message', resolve);
            worker.postMessage('stop');
          }),
      };
    },
    close() {
      void worker.terminate();
      socket.destroy();
    },
  };
}

/** The extension starts with the window, a little after what can be seen of it. */
async function connected(path: string): Promise<Socket> {
  for (const end = Date.now() + 30_000; ;) {
    const socket = await new Promise<Socket | null>(resolve => {
      const one = createConnection(path, () => resolve(one));
      one.once('error', () => resolve(null));
    });
    if (socket) return socket.on('error', () => {});
    if (Date.now() > end) throw new Error('The extension beside ours does not answer.');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function pinger(path: string): Promise<void> {
  const socket = await connected(path);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  let running = false;
  const go = async () => {
    let [count, worst, own] = [0, 0, 0];
    let waitedBefore: number | null = null;
    while (running) {
      const before = performance.now();
      socket.write(`{"id":${count++}}\n`);
      const { waited } = JSON.parse((await lines.next()).value as string) as Pong;
      const took = performance.now() - before;
      const without = waited === null || waitedBefore === null ? 0 : (waited - waitedBefore) / 1e6;
      worst = Math.max(worst, took);
      own = Math.max(own, took - without);
      waitedBefore = waited;
      await new Promise(resolve => setTimeout(resolve, Math.max(1, every - took)));
    }
    parentPort?.postMessage({ count, worst, own } satisfies Pings);
  };
  parentPort?.on('message', (word: string) => {
    running = word === 'start';
    if (running) void go();
  });
  parentPort?.postMessage('ready');
}

if (!isMainThread && typeof workerData === 'string') await pinger(workerData);
