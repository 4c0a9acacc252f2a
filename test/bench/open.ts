// Opening a history and listing its 50 latest sessions: time and memory, each in a fresh process, against a sql.js
// database that holds all text and against node:sqlite. This file is also that process, when it is run by itself.
// Promises: modules are loaded before the clock starts; memory is what the process has more than before, at the end.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEngine, wasmFile } from './engine.ts';
import { plainCopy, type Fixture } from './fixture.ts';
import { against, alone, interleave, Samples, sizeName, type Row } from './measure.ts';
import { listSessions, openSqlJs, SqliteFile } from './references.ts';

interface Opened {
  readonly ms: number;
  readonly rssMb: number;
  readonly peakMb: number;
  readonly rows: number;
}

const megabyte = 1024 * 1024;
const ways: { readonly [way: string]: (target: string) => Promise<number> } = {
  ours: async target => (await openEngine(target)).list(50).length,
  sqlJs: async target => (await openSqlJs(target)).list(),
  sqlite: async target => {
    await Promise.resolve();
    return new SqliteFile(target).db.prepare(listSessions).all().length;
  },
  // The least that any engine on sql.js pays: its code, compiled.
  floor: async () => {
    await WebAssembly.compile(readFileSync(wasmFile));
    return 0;
  },
};

export async function measureOpen(fixture: Fixture, count: number): Promise<readonly Row[]> {
  const targets: { readonly [way: string]: string } = {
    ours: fixture.folder,
    sqlJs: plainCopy(fixture, 'inline'),
    sqlite: fixture.sqliteFile,
    floor: '',
  };
  const samples = new Samples();
  const variants = Object.keys(ways).map(way => (round: number) => {
    const opened = openedIn(way, targets[way] ?? '');
    if (way !== 'floor' && opened.rows === 0) throw new Error(`${way} lists no sessions`);
    // The first round fills the page cache for all of them.
    if (round === 0) return;
    samples.add(`${way} ms`, opened.ms);
    samples.add(`${way} rss`, opened.rssMb);
    samples.add(`${way} peak`, opened.peakMb);
  });
  await interleave(1 + count, variants);

  const size = sizeName(fixture.messages);
  const [ms, rss] = [samples.median('ours ms'), samples.median('ours rss')];
  // The targets are for 100k messages: a small history is mostly the floor, on both sides.
  const limits = fixture.messages >= 100_000 ? ([0.3, 0.2] as const) : ([null, null] as const);
  return [
    against(`open/${size}/open+list ms`, ms, 'sql.js with all text', samples.median('sqlJs ms'), limits[0]),
    against(`open/${size}/open+list ms vs sqlite`, ms, 'node:sqlite', samples.median('sqlite ms')),
    against(`open/${size}/open+list ms vs floor`, ms, 'compile of sql.js', samples.median('floor ms')),
    against(`open/${size}/memory MB`, rss, 'sql.js with all text', samples.median('sqlJs rss'), limits[1]),
    against(`open/${size}/memory MB vs sqlite`, rss, 'node:sqlite', samples.median('sqlite rss')),
    alone(`open/${size}/peak memory MB`, samples.median('ours peak')),
  ];
}

/** In a process of its own. */
export function openedIn(way: string, target: string): Opened {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), way, target], { encoding: 'utf8' });
  return JSON.parse(output) as Opened;
}

async function child([way = '', target = '']: readonly string[]): Promise<void> {
  const open = ways[way];
  if (!open) throw new Error(`no such way to open: ${way}`);
  const before = process.memoryUsage.rss();
  const from = performance.now();
  const rows = await open(target);
  const ms = performance.now() - from;
  const opened: Opened = {
    ms,
    rows,
    rssMb: (process.memoryUsage.rss() - before) / megabyte,
    peakMb: process.resourceUsage().maxRSS / 1024 - before / megabyte,
  };
  process.stdout.write(JSON.stringify(opened));
  // Nothing is left to be saved: a history that was only read may be dropped.
  process.exit(0);
}

if (import.meta.main) await child(process.argv.slice(2));
