// A workspace on the disk that is watched, child processes that write in it as agents do, and the lists of changes in
// words that a table can hold.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { TurnFiles } from '../../../src/core/changes.ts';
import type { FileChange, FileState } from '../../../src/model/changes.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { fileWatch, type DiskWatch, type FileWatchOptions } from '../../../src/node/files/changes/fileWatch.ts';

export const never = new AbortController().signal;

export interface Stage {
  readonly base: string;
  readonly ws: string;
  readonly store: string;
  readonly watch: DiskWatch;
  readonly warnings: readonly string[];
  /** In a shell, in the workspace; it is over when this returns. */
  readonly run: (script: string) => void;
  readonly begin: () => Running;
  /** As a walk finds them that looks when the turn begins: clearly older than it. */
  readonly settled: () => Promise<void>;
  readonly at: (name: string) => string;
}

export interface Running {
  readonly turn: TurnFiles;
  readonly shown: readonly (readonly string[])[];
  readonly clashes: readonly string[];
  readonly end: () => Promise<readonly string[]>;
  readonly ended: () => Promise<readonly FileChange[]>;
}

export interface Files {
  readonly [name: string]: string | Uint8Array;
}

/** Gone when the test is over; `own` are names in the workspace. The files are older than whatever begins later. */
export async function stage(t: TestContext, files: Files, options: Partial<FileWatchOptions> = {}): Promise<Stage> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-')));
  const ws = join(base, 'ws');
  const store = join(base, 'store');
  mkdirSync(ws);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(ws, name)), { recursive: true });
    writeFileSync(join(ws, name), content);
  }
  await older(Object.keys(files).map(name => join(ws, name)));
  const warnings: string[] = [];
  const watch = fileWatch({
    folders: () => [ws],
    store,
    clock: systemClock,
    editors: { openText: async () => null, writeOpen: async () => false },
    onWarning: words => void warnings.push(words),
    ...options,
    own: (options.own ?? []).map(name => join(ws, name)),
  });
  t.after(async () => {
    await watch.close();
    rmSync(base, { recursive: true, force: true });
  });
  const say = (changes: readonly FileChange[]) => changes.map(change => words(change, ws));
  return {
    base,
    ws,
    store,
    watch,
    warnings,
    run: script => sh(ws, script),
    begin() {
      const shown: (readonly string[])[] = [];
      const clashes: string[] = [];
      const turn = watch.begin({
        onChange: changes => void shown.push(say(changes)),
        onClash: path => void clashes.push(relative(ws, path)),
      });
      const ended = () => turn.end();
      return { turn, shown, clashes, ended, end: async () => say(await ended()) };
    },
    async settled() {
      watch.prepare();
      await watch.settled();
    },
    at: name => join(ws, name),
  };
}

export function sh(cwd: string, script: string): void {
  const { status, stderr } = spawnSync('sh', ['-ec', script], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
}

/** Until the clock is clearly past the times of these files, by which alone a disk tells what came first. */
export async function older(paths: readonly string[]): Promise<void> {
  const newest = Math.max(0, ...paths.map(path => statSync(path).ctimeMs));
  await until(() => Date.now() > newest + 30);
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

function words({ path, before, after, seen, lines }: FileChange, ws: string): string {
  const counted = lines ? ` +${lines.added} -${lines.removed}` : '';
  return `${relative(ws, path)}: ${state(before)} > ${state(after)}${seen === 'disk' ? '' : ` ${seen}`}${counted}`;
}

function state(one: FileState): string {
  if (one.kind !== 'file') return one.kind;
  if (!(one.content instanceof Uint8Array)) return `${one.is.size} bytes`;
  const text = Buffer.from(one.content).toString('latin1').trimEnd();
  return text.length > 20 ? `${one.is.size} kept` : JSON.stringify(text);
}
