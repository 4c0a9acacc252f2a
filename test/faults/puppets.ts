// Starts puppets for a test and gives them orders. Promises: a puppet ends with its test; an order that is not
// answered in time fails the test and does not hang it.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import type { Answer, Order } from './puppet.ts';

const script = join(import.meta.dirname, 'puppet.ts');

export interface Puppet {
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  /** Answers in the order of the orders; they may be given without waiting. */
  tell(order: Order): Promise<Answer>;
  append(session: string, number: number, size?: number): Promise<Answer>;
  read(session: string): Promise<readonly number[]>;
}

/** `before` is a command that ends by running the rest of its arguments. */
export function startPuppet(
  t: TestContext,
  folder: string,
  before: readonly string[] = [],
  options: SpawnOptionsWithoutStdio = {},
): Puppet {
  const [command, ...args] = [...before, process.execPath, script, folder];
  const child = spawn(command ?? '', args, options);
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const waiting: { readonly resolve: (answer: Answer) => void; readonly reject: (cause: Error) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', line => waiting.shift()?.resolve(JSON.parse(line) as Answer));
  child.on('close', code => {
    for (const { reject } of waiting) reject(new Error(`The puppet ended with ${code}: ${errors}`));
  });
  const tell = (order: Order): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin.write(`${JSON.stringify(order)}\n`);
    });
  return {
    pid: child.pid ?? 0,
    signal: name => child.kill(name),
    tell,
    append: (session, number, size = 100) => tell({ order: 'append', session, number, size }),
    async read(session) {
      const { code, words, numbers } = await tell({ order: 'read', session });
      assert.equal(code, undefined, words);
      return numbers ?? [];
    },
  };
}

export function numbersTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** The refusal has one of the codes, and words for a person. */
export function assertRefused(answer: Answer, ...codes: readonly string[]): void {
  assert.ok(codes.includes(answer.code ?? 'none'), `${answer.code}: ${answer.words}`);
  assert.match(answer.words ?? '', /^[A-Z].*\.$/);
}

/** A command that runs the rest in a mount namespace of its own, with a small disk at the folder; null if it may not. */
export function smallDisk(folder: string, size: string): readonly string[] | null {
  const inside = `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
  const before = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', inside, folder];
  const asRoot = ['unshare', '--mount', 'sh', '-c', inside, folder];
  for (const one of process.getuid?.() === 0 ? [asRoot, before] : [before]) {
    const [command, ...args] = [...one, 'true'];
    if (spawnSync(command ?? '', args).status === 0) return one;
  }
  return null;
}

/** Whether a process of that user can read these scripts and write to the folder. */
export function mayRunAs(folder: string, user: { readonly uid?: number; readonly gid?: number }): boolean {
  const look = `const fs = require('node:fs');
    fs.readFileSync(process.argv[1]);
    fs.accessSync(process.argv[2], fs.constants.W_OK);`;
  return spawnSync(process.execPath, ['-e', look, script, folder], { ...user, cwd: '/' }).status === 0;
}
