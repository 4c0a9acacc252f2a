// `npm run test:mutations [-- --only <words>] [--e2e]` takes one defence after another out of a copy of the tree and runs
// the tests that must notice it. Exits with 1 where one isn't noticed, or a row no longer fits the code. `--tree` and
// `--table` name another tree and another table, which is how this script is itself tested.

import '../vscode/leashed.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { repository } from '../vscode/places.ts';
import { needsPackage, Trial } from './trial.ts';
import { BrokenRow, mutate, type Row } from './row.ts';
import { copyTree } from './treeCopy.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

const { rows, tree, left } = await readArguments();
const copy = copyTree(tree);
const trial = new Trial(copy, interrupted.signal);
const counts = { noticed: 0, unnoticed: 0, broken: 0 };
const said: string[] = [];
// A row that doesn't fit is known at once, and not after the minutes that the others take.
const fitting = rows.filter(row => fits(row));
for (const row of fitting) {
  if (interrupted.signal.aborted) break;
  await tryRow(row);
}
conclude();

async function readArguments(): Promise<{ rows: readonly Row[]; tree: string; left: number }> {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', default: '' },
        e2e: { type: 'boolean', default: false },
        tree: { type: 'string', default: repository },
        table: { type: 'string', default: join(import.meta.dirname, 'table.ts') },
      },
    });
    const { table } = (await import(pathToFileURL(resolve(values.table)).href)) as { table: readonly Row[] };
    const words = values.only.toLowerCase();
    const named = table.filter(({ defence, file }) => `${defence} ${file}`.toLowerCase().includes(words));
    if (named.length === 0) throw new Error(`No defence has “${values.only}” in its words or its file.`);
    const chosen = named.filter(row => values.e2e || !needsPackage(row));
    return { rows: chosen, tree: resolve(values.tree), left: named.length - chosen.length };
  } catch (error) {
    console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

function fits(row: Row): boolean {
  try {
    mutate(row, readFileSync(join(copy, row.file), 'utf8'));
    return true;
  } catch (error) {
    report(row, 'broken', error instanceof BrokenRow ? error.message : `Row “${row.defence}”: ${String(error)}`);
    return false;
  }
}

async function tryRow(row: Row): Promise<void> {
  const began = performance.now();
  const path = join(copy, row.file);
  const source = readFileSync(path, 'utf8');
  try {
    await trial.mustPass(row);
    writeFileSync(path, mutate(row, source));
    const { isNoticed, words } = await trial.run(row);
    if (interrupted.signal.aborted) return;
    report(row, isNoticed ? 'noticed' : 'unnoticed', words, began);
  } catch (error) {
    if (interrupted.signal.aborted) return;
    if (!(error instanceof BrokenRow)) throw error;
    report(row, 'broken', error.message, began);
  } finally {
    writeFileSync(path, source);
  }
}

function report({ defence, file }: Row, result: keyof typeof counts, words: string, began?: number): void {
  counts[result]++;
  const seconds = began === undefined ? '' : ` (${((performance.now() - began) / 1000).toFixed(1)} s)`;
  console.log(`${result === 'noticed' ? '✔' : '✖'} ${result}: ${defence}${seconds}\n    ${file}: ${words}`);
  if (result !== 'noticed') said.push(`✖ ${result}: ${defence}\n    ${file}: ${words}`);
}

function conclude(): void {
  const { noticed, unnoticed, broken } = counts;
  const isInterrupted = interrupted.signal.aborted;
  if (said.length > 0) console.log(`\n${said.join('\n')}`);
  if (left > 0) console.log(`\n${left} more need the packaged extension: --e2e tries them too.`);
  const rest = `${broken > 0 ? `, ${broken} broken` : ''}${isInterrupted ? ' (interrupted)' : ''}`;
  console.log(`\nℹ ${rows.length} defences, ${noticed} noticed, ${unnoticed} unnoticed${rest}`);
  process.exitCode = unnoticed > 0 || broken > 0 || isInterrupted ? 1 : 0;
}
