// Committing one turn durably, in the worker's place: acknowledged, and acknowledged and applied, at every size of the
// history, in one interleaved run with a plain write of the same bytes and with node:sqlite. Then, in runs of their
// own because they would disturb the others: the hop from the host, the first commit of a segment, and what saves all.

import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine, openHost, recordBytes, type Engine } from './engine.ts';
import { plainCopy, seed, type Fixture } from './fixture.ts';
import { against, alone, interleave, Samples, sizeName, skipped, type Row, type Variant } from './measure.ts';
import { JsonFile, openSqlJs, rawCommit, rawFirstCommit, SqliteFile } from './references.ts';
import { Workload, type Turn } from './workload.ts';

const warmUp = 20;

/** A stream of turns of one session, one per round, the same for all who commit in that round. */
class Rounds {
  readonly samples = new Samples();
  turn: Turn;
  bytes: Uint8Array;
  private round = 0;
  private readonly next: () => Turn;

  constructor(variant: number, newSessions = false) {
    const workload = new Workload(seed + variant);
    const conversation = workload.conversation();
    this.next = newSessions ? () => workload.conversation()() : conversation;
    this.turn = this.next();
    this.bytes = recordBytes(this.turn.facts, 0);
  }

  readonly begin = (round: number): void => {
    this.round = round;
    // The first turn was made with the rounds, so that a session exists before it is measured.
    if (round > 0) this.turn = this.next();
    this.bytes = recordBytes(this.turn.facts, round);
  };

  time(name: string, from: number): void {
    if (this.round >= warmUp) this.samples.add(name, performance.now() - from);
  }

  add(values: { readonly [name: string]: number }): void {
    for (const [name, value] of Object.entries(values)) this.samples.add(name, value);
  }
}

function commitTo(engine: Engine, rounds: Rounds, name: string): Variant {
  return () => {
    const from = performance.now();
    const finish = engine.append(rounds.turn.session, rounds.turn.facts);
    rounds.time(`${name} ack`, from);
    finish();
    rounds.time(`${name} applied`, from);
  };
}

export async function measureCommits(
  parent: string,
  fixtures: readonly Fixture[],
  count: number,
): Promise<readonly Row[]> {
  const rounds = new Rounds(1);
  const engines: Engine[] = [];
  const databases: SqliteFile[] = [];
  const fd = openSync(join(parent, 'raw'), 'a');
  const variants: Variant[] = [
    () => {
      const from = performance.now();
      rawCommit(fd, rounds.bytes);
      rounds.time('raw', from);
    },
  ];
  for (const { messages, folder, sqliteFile } of fixtures) {
    const engine = await openEngine(folder);
    const sqlite = new SqliteFile(sqliteFile);
    engines.push(engine);
    databases.push(sqlite);
    variants.push(commitTo(engine, rounds, sizeName(messages)), () => {
      const from = performance.now();
      sqlite.append(rounds.turn);
      rounds.time(`${sizeName(messages)} sqlite`, from);
    });
  }
  await interleave(warmUp + count, variants, rounds.begin);
  closeSync(fd);
  for (const engine of engines) engine.close();
  for (const { db } of databases) db.close();

  const { samples } = rounds;
  const raw = 'raw write+fdatasync';
  const rows = fixtures.flatMap(({ messages }) => {
    const size = sizeName(messages);
    const ack = samples.median(`${size} ack`);
    const sqlite = samples.median(`${size} sqlite`);
    return [
      against(`commit/${size}/ack p50 ms`, ack, raw, samples.median('raw'), 1.3),
      against(
        `commit/${size}/ack p99 ms`,
        samples.quantile(`${size} ack`, 0.99),
        raw,
        samples.quantile('raw', 0.99),
        2.5,
      ),
      against(`commit/${size}/ack+apply p50 ms`, samples.median(`${size} applied`), raw, samples.median('raw')),
      against(`commit/${size}/ack p50 ms vs sqlite`, ack, 'node:sqlite WAL FULL', sqlite, 1.2),
    ];
  });
  const [small, large] = [fixtures[0], fixtures.at(-1)].map(fixture => sizeName(fixture?.messages ?? 0));
  const growth = [samples.median(`${large} ack`), samples.median(`${small} ack`)] as const;
  // With the smaller histories of a quick run the same limit holds: the growth to 100k is the larger one.
  rows.push(against(`commit/growth ${large} to ${small} ms`, growth[0], `ours at ${small}`, growth[1], 1.15));
  return rows;
}

/** What the host sees: the same commit through the client and its worker. */
export async function measureHop(parent: string, count: number): Promise<readonly Row[]> {
  const rounds = new Rounds(2);
  const engine = await openEngine(join(parent, 'hop-worker'));
  const host = await openHost(join(parent, 'hop-host'));
  const pair = { host: 0, worker: 0 };
  await interleave(
    warmUp + count,
    [
      () => {
        const from = performance.now();
        const finish = engine.append(rounds.turn.session, rounds.turn.facts);
        pair.worker = performance.now() - from;
        finish();
      },
      async () => {
        const from = performance.now();
        await host.append(rounds.turn.session, rounds.turn.facts);
        pair.host = performance.now() - from;
      },
    ],
    round => {
      // Both have committed the turn of the round before.
      if (round > warmUp)
        rounds.add({ 'host ack': pair.host, 'worker ack': pair.worker, more: pair.host - pair.worker });
      rounds.begin(round);
    },
  );
  engine.close();
  await host.close();
  const { samples } = rounds;
  return [
    against('commit/host ack p50 ms', samples.median('host ack'), 'ack in the worker', samples.median('worker ack')),
    // Turn by turn: a turn that takes longer on the disk does so in both places.
    alone('commit/host minus worker p50 ms', samples.median('more'), 0.15),
  ];
}

/** The first commit of a session: its segment is made, and its name is durable too. */
export async function measureFirstCommits(parent: string, count: number): Promise<readonly Row[]> {
  const rounds = new Rounds(3, true);
  const engine = await openEngine(join(parent, 'first'));
  const fd = openSync(join(parent, 'first', 'raw'), 'a');
  const variants: Variant[] = [
    commitTo(engine, rounds, 'first'),
    () => {
      const from = performance.now();
      rawCommit(fd, rounds.bytes);
      rounds.time('raw', from);
    },
    round => {
      const from = performance.now();
      rawFirstCommit(join(parent, 'first', `raw-${round}`), rounds.bytes);
      rounds.time('raw first', from);
    },
  ];
  await interleave(warmUp + count, variants, rounds.begin);
  closeSync(fd);
  engine.close();
  const { samples } = rounds;
  const first = samples.median('first ack');
  return [
    against('commit/first of a segment p50 ms', first, 'raw write+fdatasync', samples.median('raw'), 8),
    against('commit/first vs raw first p50 ms', first, 'raw create+write+syncs', samples.median('raw first')),
  ];
}

/** What most of the field does: everything is written anew after each turn. */
export async function measureWholeSaves(fixture: Fixture, count: number): Promise<readonly Row[]> {
  const size = sizeName(fixture.messages);
  const ids = [`commit/${size}/ack p50 ms vs sql.js`, `commit/${size}/ack p50 ms vs JSON`] as const;
  if (fixture.messages > 10_000) {
    const note = 'not run: at this size each save takes around a second';
    return [skipped(ids[0], 'sql.js export+fsync+rename', note), skipped(ids[1], 'JSON file rewritten', note)];
  }
  const rounds = new Rounds(4);
  const engine = await openEngine(fixture.folder);
  const sqlJs = await openSqlJs(plainCopy(fixture, 'whole'));
  const jsonFile = new JsonFile(`${fixture.sqliteFile}.json`);
  for (const turn of new Workload(seed).history(fixture.messages)) jsonFile.add(turn);
  const timed = (name: string, append: (turn: Turn) => void) => () => {
    const from = performance.now();
    append(rounds.turn);
    rounds.samples.add(name, performance.now() - from);
  };
  const ours = (turn: Turn) => engine.append(turn.session, turn.facts)();
  await interleave(
    count,
    [timed('ours', ours), timed('sql.js', turn => sqlJs.append(turn)), timed('json', turn => jsonFile.append(turn))],
    rounds.begin,
  );
  engine.close();
  sqlJs.close();
  const { samples } = rounds;
  return [
    against(ids[0], samples.median('ours'), 'sql.js export+fsync+rename', samples.median('sql.js'), null, 'with apply'),
    against(ids[1], samples.median('ours'), 'JSON file rewritten', samples.median('json'), null, 'with apply'),
  ];
}
