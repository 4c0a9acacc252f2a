// `npm run bench -- history|sidebar|turn|panel [--quick] [part …]`: measures against the targets, prints a table and writes
// `out/bench.json`. The exit code is 1 where a limit is missed. Promises: everything happens in one temporary folder
// beside the build, on the disk that the sources are on, because a temp folder may be memory; it is removed.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { measureHistory, parts as historyParts } from './history.ts';
import type { Row } from './measure.ts';
import { measurePanel, panelParts } from './panel.ts';
import { measureSidebar, parts as sidebarParts } from './sidebar.ts';
import { measureTurn, parts as turnParts } from './turn.ts';

const out = join(import.meta.dirname, '../../out');
const folderPrefix = 'bench-files-';

interface Bench {
  readonly parts: readonly string[];
  readonly measure: (isQuick: boolean, parts: readonly string[], folder: string) => Promise<readonly Row[]>;
}

const benches: { readonly [name: string]: Bench } = {
  history: { parts: Object.keys(historyParts), measure: measureHistory },
  sidebar: { parts: Object.keys(sidebarParts), measure: measureSidebar },
  turn: { parts: Object.keys(turnParts), measure: measureTurn },
  panel: { parts: panelParts, measure: measurePanel },
};

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

function usage(): never {
  const lines = Object.entries(benches).map(([name, { parts }]) => `${name} [--quick] [${parts.join('|')} …]`);
  process.stderr.write(`usage: bench ${lines.join('\n       bench ')}\n`);
  process.exit(2);
}

const [name = '', ...given] = process.argv.slice(2);
const bench = benches[name] ?? usage();
if (given.some(one => one !== '--quick' && !bench.parts.includes(one))) usage();
const load = loadavg()[0] ?? 0;
const chosen = bench.parts.filter(part => given.includes(part));
const folder = freshFolder();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rows = await bench.measure(given.includes('--quick'), chosen.length > 0 ? chosen : bench.parts, folder);
const report = rows.map(({ note: _note, ...row }) => row);
writeFileSync(join(out, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${tableOf(rows)}\n`);
process.stdout.write(
  `\nNode.js ${process.version}, ${availableParallelism()} processors, load ${load.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after\n`,
);
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0;
