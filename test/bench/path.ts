// Reading a path of a thousand messages with their text, warm: the engine's `open` in this thread against node:sqlite,
// by one recursive query and by a walk over the session's rows; the faster of the two is the reference that counts.
// Promises: all of them give the same messages, as values, before anything is timed.

import assert from 'node:assert/strict';
import { openEngine } from './engine.ts';
import type { Fixture } from './fixture.ts';
import { against, interleave, Samples, sizeName, type Row } from './measure.ts';
import { SqliteFile } from './references.ts';

const warmUp = 3;

export async function measurePath(fixture: Fixture, count: number): Promise<readonly Row[]> {
  const { messages, folder, sqliteFile, longSession } = fixture;
  const engine = await openEngine(folder);
  const sqlite = new SqliteFile(sqliteFile);
  const ways = {
    ours: () => engine.open(longSession)?.path ?? [],
    query: () => sqlite.pathByQuery(longSession),
    walk: () => sqlite.pathByWalk(longSession),
  };
  const texts = Object.values(ways).map(way => way().map(({ id, blocks }) => ({ id, blocks })));
  const length = texts[0]?.length ?? 0;
  assert.ok(length >= 1000, `the path has ${length} messages`);
  assert.deepEqual(texts[1], texts[0]);
  assert.deepEqual(texts[2], texts[0]);

  const samples = new Samples();
  const variants = Object.entries(ways).map(([name, way]) => (round: number) => {
    const from = performance.now();
    way();
    if (round >= warmUp) samples.add(name, performance.now() - from);
  });
  await interleave(warmUp + count, variants);
  engine.close();
  sqlite.db.close();

  const id = `path/${sizeName(messages)}/${length} messages ms`;
  const [ours, query, walk] = [samples.median('ours'), samples.median('query'), samples.median('walk')];
  const limits = query <= walk ? ([2.5, null] as const) : ([null, 2.5] as const);
  return [
    against(id, ours, 'node:sqlite recursive query', query, limits[0]),
    against(`${id} vs walk`, ours, 'node:sqlite walk', walk, limits[1]),
  ];
}
