// Saving the index, against a raw write and sync of as many bytes; and a history of a gigabyte, opened: in a fresh
// process, by its memory alone, because no sql.js database of that size could be made to stand against it.
// Promises: each round saves the whole index again; the large history is removed when it was measured.

import { closeSync, fdatasyncSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BulkJournal, openEngine } from './engine.ts';
import { seed, type Fixture } from './fixture.ts';
import { against, alone, interleave, Samples, sizeName, type Row } from './measure.ts';
import { openedIn } from './open.ts';
import { Workload } from './workload.ts';

const gigabyte = 1024 ** 3;

export async function measureSnapshot(fixture: Fixture, rounds: number): Promise<readonly Row[]> {
  const engine = await openEngine(fixture.folder);
  const raw = join(fixture.folder, 'raw.tmp');
  const samples = new Samples();
  const timed = (name: string, run: () => void) => () => {
    const from = performance.now();
    run();
    samples.add(name, performance.now() - from);
  };
  engine.snapshot();
  const bytes = Buffer.alloc(indexSize(fixture.folder));
  await interleave(rounds, [
    timed('ours', () => engine.snapshot()),
    timed('raw', () => {
      const fd = openSync(raw, 'w');
      writeSync(fd, bytes);
      fdatasyncSync(fd);
      closeSync(fd);
    }),
  ]);
  engine.close();
  rmSync(raw);
  const id = `snapshot/${sizeName(fixture.messages)}`;
  return [
    against(`${id}/ms`, samples.median('ours'), 'raw write+fdatasync', samples.median('raw')),
    alone(`${id}/MB`, bytes.length / 1024 / 1024),
  ];
}

/** The limit is that of the smaller history: a fifth of what all its text would take. */
export async function measureGigabyte(parent: string): Promise<readonly Row[]> {
  const folder = join(parent, 'gigabyte');
  mkdirSync(folder);
  const journal = new BulkJournal(folder);
  let messages = 0;
  let bytes = 0;
  for (const turn of new Workload(seed).history(Infinity)) {
    journal.add(turn);
    messages += turn.messages.length;
    for (const { blocks } of turn.messages) bytes += JSON.stringify(blocks).length;
    if (bytes >= gigabyte) break;
  }
  journal.close();
  const engine = await openEngine(folder);
  engine.snapshot();
  engine.close();
  const { ms, rssMb } = openedIn('ours', folder);
  rmSync(folder, { recursive: true, force: true });
  return [
    alone('gigabyte/open+list ms', ms, null, `${messages} messages`),
    against('gigabyte/memory MB', rssMb, 'its text', bytes / 1024 / 1024, 0.2),
  ];
}

function indexSize(folder: string): number {
  const [newest = ''] = readdirSync(folder)
    .filter(name => name.startsWith('index-'))
    .toSorted()
    .toReversed();
  return statSync(join(folder, newest)).size;
}
