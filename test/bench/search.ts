// Searching, as a person would do it: the first time, again after a restart, word by word, and through everything.
// Memory is that of a fresh process which lists sessions and searches once, against one in which sql.js holds all text.
// This file is also that process, when it is run by itself. Promises: what is searched for is there, and what is scanned
// for is not, so that all of the journal is read.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEngine } from './engine.ts';
import { plainCopy, type Fixture } from './fixture.ts';
import { against, alone, interleave, Samples, sizeName, type Row } from './measure.ts';
import { openSqlJs, SqliteFile } from './references.ts';

interface Searched {
  readonly openMs: number;
  readonly searchMs: number;
  readonly rssMb: number;
  readonly closedMb: number;
  readonly peakMb: number;
  readonly rows: number;
}

const megabyte = 1024 * 1024;
const warmUp = 2;
/** As often as a fresh process is started; the first fills the page cache. */
const starts = 3;
/** As the worker is started: what is soon garbage has not the run of the machine's memory. */
const asWorker = ['--max-semi-space-size=8'];
/** From the one that is in nearly every message to the one that is in few. */
const queries: { readonly [name: string]: string } = {
  'word in most': 'return ',
  'word in few': 'größer ',
  prefix: 'defi',
  phrase: '"return await"',
  CJK: '历史',
  'words, absent': 'nowhere at all ',
};
const needles: { readonly [name: string]: string } = {
  ASCII: 'NoSuchTextIsThere',
  CJK: '不在这里',
  'cased, not ASCII': 'Größe ist nirgends',
};

export async function measureSearch(fixture: Fixture, count: number): Promise<readonly Row[]> {
  const id = `search/${sizeName(fixture.messages)}`;
  const samples = new Samples();
  const inline = plainCopy(fixture, 'searched');
  for (let start = 0; start < starts; start++) {
    for (const name of searchFiles(fixture.folder)) rmSync(name);
    // The second loads what the first has saved.
    for (const [way, target] of [
      ['built', fixture.folder],
      ['loaded', fixture.folder],
      ['sqlJs', inline],
    ] as const) {
      const searched = inChild(way, target);
      if (start === 0) continue;
      samples.add(`${way} open`, searched.openMs);
      samples.add(`${way} search`, searched.searchMs);
      samples.add(`${way} rss`, searched.rssMb);
      samples.add(`${way} closed`, searched.closedMb);
      samples.add(`${way} peak`, searched.peakMb);
    }
  }
  const [file = ''] = searchFiles(fixture.folder);
  const reference = samples.median('sqlJs rss');
  // The target is for 100k messages: a small history is mostly the floor, on both sides.
  const limit = fixture.messages >= 100_000 ? 0.4 : null;
  const name = 'sql.js with all text';
  const note = `${(statSync(file).size / megabyte).toFixed(1)} MB saved`;
  return [
    alone(`${id}/first search, index made ms`, samples.median('built search'), null, note),
    alone(`${id}/first search, index loaded ms`, samples.median('loaded search')),
    against(`${id}/memory MB, index made`, samples.median('built rss'), name, reference, limit),
    against(`${id}/memory MB, index made and saved`, samples.median('built closed'), name, reference),
    against(`${id}/memory MB, index loaded`, samples.median('loaded rss'), name, reference, limit),
    alone(`${id}/peak memory MB, index made and saved`, samples.median('built peak')),
    ...(await measureQueries(fixture, count, id)),
    ...(await measureScans(fixture, id)),
  ];
}

async function measureQueries(fixture: Fixture, count: number, id: string): Promise<readonly Row[]> {
  const engine = await openEngine(fixture.folder);
  const sqlite = new SqliteFile(fixture.sqliteFile);
  const like = sqlite.db.prepare(`SELECT m.id FROM block b JOIN message m ON m.id = b.message
    WHERE b.kind = 'text' AND b.body LIKE ? ORDER BY m.created DESC LIMIT 50`);
  const samples = new Samples();
  for (const [name, query] of Object.entries(queries)) {
    const { hits } = await engine.search(query);
    assert.equal(hits.length > 0, !name.includes('absent'), `${query} finds ${hits.length}`);
    await interleave(warmUp + count, [
      async round => {
        const from = performance.now();
        await engine.search(query);
        if (round >= warmUp) samples.add(name, performance.now() - from);
      },
      round => {
        // The reference is slow: a few rounds tell enough.
        if (round % 10 !== 0) return;
        const from = performance.now();
        like.all(`%${query.replaceAll('"', '').trim()}%`);
        samples.add(`${name} like`, performance.now() - from);
      },
    ]);
  }
  engine.close();
  sqlite.db.close();
  return Object.keys(queries).map(name => {
    const [half, most] = [samples.median(name), samples.quantile(name, 0.99)];
    const note = `p99 ${most.toFixed(1)}`;
    return against(`${id}/${name} ms`, half, 'node:sqlite LIKE', samples.median(`${name} like`), null, note);
  });
}

async function measureScans(fixture: Fixture, id: string): Promise<readonly Row[]> {
  const engine = await openEngine(fixture.folder);
  const journal = join(fixture.folder, 'journal');
  const rows: Row[] = [];
  for (const [name, needle] of Object.entries(needles)) {
    const samples = new Samples();
    let megabytes = 0;
    await interleave(warmUp + 5, [
      async round => {
        const from = performance.now();
        const { hits, bytesRead, bytes } = await engine.scan(needle);
        if (round >= warmUp) samples.add('scan', performance.now() - from);
        assert.ok(hits.length === 0 && bytesRead === bytes);
        megabytes = bytes / megabyte;
      },
      round => {
        const from = performance.now();
        for (const segment of readdirSync(journal)) readFileSync(join(journal, segment));
        if (round >= warmUp) samples.add('read', performance.now() - from);
      },
    ]);
    const ours = samples.median('scan');
    const note = `${((megabytes / ours) * 1000).toFixed(0)} MB/s`;
    rows.push(
      against(
        `${id}/scan of ${megabytes.toFixed(0)} MB, ${name} ms`,
        ours,
        'reading the files',
        samples.median('read'),
        null,
        note,
      ),
    );
  }
  engine.close();
  return rows;
}

function searchFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(name => /^search-.*\.db$/.test(name))
    .map(name => join(folder, name));
}

function inChild(way: string, target: string): Searched {
  const args = [...(way === 'sqlJs' ? [] : asWorker), fileURLToPath(import.meta.url), way, target];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const searched = JSON.parse(output) as Searched;
  if (searched.rows === 0) throw new Error(`${way} finds nothing`);
  return searched;
}

async function child([way = '', target = '']: readonly string[]): Promise<void> {
  const before = process.memoryUsage.rss();
  const more = () => (process.memoryUsage.rss() - before) / megabyte;
  const from = performance.now();
  const engine = way === 'sqlJs' ? null : await openEngine(target);
  const listed = engine ? engine.list(50).length : (await openSqlJs(target)).list();
  const opened = performance.now();
  const found = engine ? (await engine.search('return')).hits.length : listed;
  const searchMs = performance.now() - opened;
  const rssMb = more();
  engine?.close();
  const searched: Searched = {
    openMs: opened - from,
    searchMs,
    rssMb,
    closedMb: more(),
    peakMb: process.resourceUsage().maxRSS / 1024 - before / megabyte,
    rows: Math.min(listed, found),
  };
  process.stdout.write(JSON.stringify(searched));
  process.exit(0);
}

if (import.meta.main) await child(process.argv.slice(2));
