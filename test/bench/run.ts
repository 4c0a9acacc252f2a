// `npm run bench -- history [--quick] [part …]`: measures the history engine against its targets, prints a table and
// writes `out/bench.json`. The exit code is 1 where a limit is missed. Promises: everything happens in one temporary
// folder beside the build, on the disk that the sources are on, because a temp folder may be memory; it is removed.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { measureAmplification } from './amplification.ts';
import { measureCommits, measureFirstCommits, measureHop, measureWholeSaves } from './commit.ts';
import { makeFixture, type Fixture } from './fixture.ts';
import { sizeName, type Row } from './measure.ts';
import { measureOpen } from './open.ts';
import { measurePath } from './path.ts';
import { measureSearch } from './search.ts';
import { measureGigabyte, measureSnapshot } from './snapshot.ts';
import { measureStall } from './stall.ts';
import { measureWindows } from './window.ts';

const out = join(import.meta.dirname, '../../out');
const folderPrefix = 'bench-files-';

interface Rounds {
  readonly commits: number;
  readonly few: number;
  readonly whole: number;
  readonly opens: number;
  readonly paths: number;
  readonly streamed: number;
  readonly windows: number;
}
const full: Rounds = { commits: 1500, few: 150, whole: 10, opens: 7, paths: 30, streamed: 2500, windows: 300 };
const quick: Rounds = { commits: 400, few: 60, whole: 5, opens: 3, paths: 15, streamed: 300, windows: 60 };

interface Stage {
  readonly parent: string;
  readonly fixtures: readonly Fixture[];
  readonly largest: Fixture;
  readonly rounds: Rounds;
}

/** In this order: what only reads comes first, what makes the histories grow comes last. */
const parts: { readonly [name: string]: (stage: Stage) => Promise<readonly Row[]> } = {
  open: ({ largest, rounds }) => measureOpen(largest, rounds.opens),
  path: ({ largest, rounds }) => measurePath(largest, rounds.paths),
  search: ({ largest, rounds }) => measureSearch(largest, rounds.paths),
  commit: async ({ parent, fixtures, rounds }) => [
    ...(await measureCommits(parent, fixtures, rounds.commits)),
    ...(await measureHop(parent, rounds.commits)),
    ...(await measureFirstCommits(parent, rounds.few)),
    ...(await inOrder(fixtures, fixture => measureWholeSaves(fixture, rounds.whole))),
  ],
  window: ({ parent, rounds }) => measureWindows(parent, rounds.windows),
  amplification: ({ parent, rounds }) => measureAmplification(parent, rounds.streamed),
  snapshot: ({ largest, rounds }) => measureSnapshot(largest, rounds.opens),
  gigabyte: ({ parent }) => measureGigabyte(parent),
  stall: ({ largest }) => measureStall(largest, largest.messages),
};

async function inOrder<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const item of items) rows.push(...(await run(item)));
  return rows;
}

async function measure(isQuick: boolean, names: readonly string[]): Promise<readonly Row[]> {
  const rounds = isQuick ? quick : full;
  const parent = freshFolder();
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const fixtures: Fixture[] = [];
  for (const messages of isQuick ? [1000, 10_000] : [1000, 10_000, 100_000]) {
    process.stderr.write(`filling ${sizeName(messages)}\n`);
    fixtures.push(await makeFixture(parent, messages));
  }
  const largest = fixtures.at(-1) as Fixture;
  return inOrder(names, async name => {
    process.stderr.write(`measuring ${name}\n`);
    return (await parts[name]?.({ parent, fixtures, largest, rounds })) ?? [];
  });
}

/** A run that was killed left its folder behind; its number says whose it was. */
function freshFolder(): string {
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out).filter(one => one.startsWith(folderPrefix))) {
    try {
      process.kill(Number(name.slice(folderPrefix.length)), 0);
    } catch {
      // Nobody has this number any more.
      rmSync(join(out, name), { recursive: true, force: true });
    }
  }
  const folder = join(out, `${folderPrefix}${process.pid}`);
  mkdirSync(folder);
  return folder;
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ id, ours, reference, referenceName, ratio, limit, pass, note }) => [
    id,
    rounded(ours),
    rounded(reference),
    referenceName ?? '',
    rounded(ratio),
    limit === null ? '' : `≤ ${limit}`,
    pass === null ? '' : pass ? 'ok' : 'MISSED',
    note ?? '',
  ]);
  const lines = [['', 'ours', 'reference', '', 'ratio', 'limit', '', ''], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? [];
  return lines
    .map(line =>
      line
        .map((cell, column) => pad(cell, column, widths))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const isNumber = column === 1 || column === 2 || column === 4;
  return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
}

function rounded(value: number | null): string {
  if (value === null) return '';
  return value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 1
        ? value.toFixed(2)
        : value.toFixed(3);
}

const known = new Set(['history', '--quick', ...Object.keys(parts)]);
const given = new Set(process.argv.slice(2));
if ([...given].some(one => !known.has(one))) {
  process.stderr.write(`usage: bench history [--quick] [${Object.keys(parts).join('|')} …]\n`);
  process.exit(2);
}
const load = loadavg()[0] ?? 0;
const chosen = Object.keys(parts).filter(name => given.has(name));
const rows = await measure(given.has('--quick'), chosen.length > 0 ? chosen : Object.keys(parts));
const report = rows.map(({ note: _note, ...row }) => row);
writeFileSync(join(out, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${tableOf(rows)}\n`);
process.stdout.write(
  `\nNode.js ${process.version}, ${availableParallelism()} processors, load ${load.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after\n`,
);
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0;
