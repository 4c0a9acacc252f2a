// The tests of a row, run in the copy of the tree: without the mutation, where they must pass, and with it, where one must
// fail. Tests that run in VS Code get a package of the copy as it is then.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join, matchesGlob } from 'node:path';
import { transform, type Loader } from 'esbuild';
import { layers } from '../layers.ts';
import { BrokenRow, type Row } from './row.ts';
import { runTests, type Outcome } from './testRun.ts';

const usualSeconds = 120;
const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.mjs': 'js',
  '.js': 'js',
  '.css': 'css',
  '.json': 'json',
};

export interface Noticed {
  readonly isNoticed: boolean;
  readonly words: string;
}

/** Whether tests of the row run in VS Code or on the package. */
export function needsPackage({ tests }: Row): boolean {
  const needing = layers.filter(({ needs }) => needs !== 'nothing').flatMap(({ files }) => files);
  return tests.some(file => needing.some(pattern => matchesGlob(file, pattern)));
}

export class Trial {
  private readonly tree: string;
  private readonly stop: AbortSignal;
  /** Without a mutation, by the tests that run. */
  private readonly untouched = new Map<string, Promise<Outcome>>();

  constructor(tree: string, stop: AbortSignal) {
    this.tree = tree;
    this.stop = stop;
  }

  /** Throws BrokenRow where the row's tests fail in the tree as it is, or are none. */
  async mustPass(row: Row): Promise<void> {
    const key = JSON.stringify([row.tests, row.only]);
    let running = this.untouched.get(key);
    // The limit of the row is for the tests that run without the defence.
    if (!running) this.untouched.set(key, (running = this.tests({ ...row, seconds: usualSeconds })));
    const { result, passed, words } = await running;
    if (result !== 'passed')
      throw new BrokenRow(`Its tests don’t pass in the tree as it is: they ${result}. ${words}`.trim());
    if (passed === 0) throw new BrokenRow('None of its tests ran; its files or the words of their names are wrong.');
  }

  /** The tree is mutated. Throws BrokenRow where the file doesn't parse, or the tests say nothing about the defence. */
  async run(row: Row): Promise<Noticed> {
    await this.mustParse(row);
    const { result, passed, words } = await this.tests(row);
    if (result === 'failed') return { isNoticed: true, words };
    if (result === 'hung' && row.shows === 'hang') return { isNoticed: true, words: `the tests hang ${words}`.trim() };
    if (result === 'crashed' && row.shows === 'crash') return { isNoticed: true, words: 'the tests’ process dies' };
    if (result === 'passed') return { isNoticed: false, words: `${passed} tests pass without it` };
    throw new BrokenRow(
      `Its tests ${result}, and the row doesn’t say that this shows the missing defence. ${words}`.trim(),
    );
  }

  private async mustParse({ file }: Row): Promise<void> {
    const loader = loaders[extname(file)];
    if (!loader) return;
    const source = readFileSync(join(this.tree, file), 'utf8');
    await transform(source, { loader, logLevel: 'silent' }).catch((error: unknown) => {
      throw new BrokenRow(`The mutated file doesn’t parse: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private async tests(row: Row): Promise<Outcome> {
    const { tests: files, only, seconds = usualSeconds } = row;
    if (needsPackage(row))
      for (const script of ['package.ts', 'prepare.ts']) await this.script(join('test', 'vscode', script));
    return runTests({ tree: this.tree, files, only, seconds }, this.stop);
  }

  private async script(file: string): Promise<void> {
    const child = spawn(process.execPath, [file], { cwd: this.tree, stdio: ['ignore', 'ignore', 'inherit'] });
    const interrupt = () => child.kill();
    this.stop.addEventListener('abort', interrupt);
    const code = await new Promise<number | null>(resolve => child.once('close', exitCode => resolve(exitCode)));
    this.stop.removeEventListener('abort', interrupt);
    if (code !== 0) throw new BrokenRow(`${file} failed.`);
  }
}
