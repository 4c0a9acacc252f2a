// Windows of two versions on one history, each in a process of its own, as a test drives them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { History, SessionSummary, StoredSession, TreeNode } from '../../src/core/history/history.ts';
import type { Message } from '../../src/model/message.ts';
import { ids } from '../unit/support/history.ts';
import type { Call, Result } from './versionProcess.ts';

const processFile = new URL('versionProcess.ts', import.meta.url).pathname;

/** What a window answered with an error: its code, in the words of `HistoryError`. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, words: string) {
    super(words);
    this.code = code;
  }
}

/** The methods of a history whose arguments and answers are plain data. */
export class VersionWindow {
  readonly name: string;
  readonly writer: string;
  private readonly child;
  private readonly waiting = new Map<number, (result: Result) => void>();
  private readonly failures: string[] = [];
  private readonly ended: Promise<void>;
  private nextId = 1;

  private constructor(name: string, version: string, folder: string) {
    this.name = name;
    this.writer = ids.writer();
    this.child = spawn(process.execPath, [processFile, version, folder, this.writer], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    this.child.stderr.on('data', data => this.failures.push(String(data)));
    this.ended = new Promise(resolve => {
      this.child.once('close', code => {
        const words = `the ${name} window ended with ${code}: ${this.failures.join('')}`;
        for (const [id, settle] of this.waiting) settle({ id, code: 'ended', words });
        resolve();
      });
    });
  }

  /** `version` is the folder of an unpacked version, or `today`. */
  static async open(name: string, version: string, folder: string): Promise<VersionWindow> {
    const window = new VersionWindow(name, version, folder);
    const opened = window.resultOf(0);
    createInterface({ input: window.child.stdout }).on('line', line => {
      const result = JSON.parse(line) as Result;
      window.waiting.get(result.id)?.(result);
      window.waiting.delete(result.id);
    });
    valueOf(await opened);
    return window;
  }

  readonly append = async (...args: Parameters<History['append']>) => void (await this.call('append', args));
  readonly trash = async (...args: Parameters<History['trash']>) => void (await this.call('trash', args));
  readonly restore = async (...args: Parameters<History['restore']>) => void (await this.call('restore', args));
  readonly erase = async (...args: Parameters<History['erase']>) => void (await this.call('erase', args));
  readonly join = async (session: string) => void (await this.call('join', [session]));
  readonly sessions = async () => (await this.call('sessions', [])) as readonly SessionSummary[];
  readonly open = async (...args: Parameters<History['open']>) =>
    (await this.call('open', args)) as StoredSession | undefined;
  readonly tree = async (session: string) => (await this.call('tree', [session])) as readonly TreeNode[];
  readonly messages = async (of: readonly string[]) => (await this.call('messages', [of])) as readonly Message[];
  readonly alive = async () => (await this.call('alive', [])) as readonly string[];
  readonly check = async () => (await this.call('check', [])) as Awaited<ReturnType<History['check']>>;

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.call('close', []);
    await this.ended;
    assert.deepEqual(this.failures, [], `the ${this.name} window wrote no error`);
  }

  /** As a crash ends it. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async call(method: string, args: readonly unknown[]): Promise<unknown> {
    const id = this.nextId++;
    const result = this.resultOf(id);
    this.child.stdin.write(`${JSON.stringify({ id, method, args } satisfies Call)}\n`);
    return valueOf(await result);
  }

  private resultOf(id: number): Promise<Result> {
    return new Promise(resolve => this.waiting.set(id, resolve));
  }
}

function valueOf({ value, code, words = '' }: Result): unknown {
  if (code !== undefined) throw new Refused(code, words);
  return value;
}

/** Waits until the question is answered so; a window reads what another wrote a moment later. */
export async function untilSo<Value>(
  what: string,
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  for (const end = Date.now() + 20_000; ;) {
    const value = await ask();
    if (isSo(value)) return value;
    assert.ok(Date.now() < end, `waited in vain: ${what}; the last answer was ${JSON.stringify(value)}`);
    // What answers at once would keep everything else from being heard.
    await nextTick();
  }
}
