// Whoever reads a segment is not alone with it: its writer cuts the room it had ahead in the middle of a read. Real threads
// on a real file, and a limit from outside, because what went wrong here went round for ever.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sessionFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

const source = (file: string): string => new URL(`../../../src/node/history/${file}`, import.meta.url).href;
const rounds = 2000;

/** In each round the file has room, a read begins, and the room is cut for good while it goes on. */
const cutter = `
  const { ftruncateSync, openSync } = require('node:fs');
  const { file, size, ready, begun, done } = require('node:worker_threads').workerData;
  const fd = openSync(file, 'r+');
  for (let round = 1; round <= ${rounds}; round++) {
    ftruncateSync(fd, size + 4096);
    Atomics.store(ready, 0, round);
    while (Atomics.load(begun, 0) < round);
    for (let wait = 0; wait < (round % 100) * 20; wait++) Atomics.load(begun, 0);
    ftruncateSync(fd, size);
    while (Atomics.load(done, 0) < round);
  }
`;

/** Says how often each number of records was found. */
const reader = (read: string) => `
  const { workerData, parentPort } = require('node:worker_threads');
  (async () => {
    const { journal, segment, size, ready, begun, done } = workerData;
    const { readFrom } = await import(${JSON.stringify(source('journal/segmentReader.ts'))});
    const { linesOf } = await import(${JSON.stringify(source('erasing/rewrite.ts'))});
    const found = {};
    for (let round = 1; round <= ${rounds}; round++) {
      while (Atomics.load(ready, 0) < round);
      Atomics.store(begun, 0, round);
      const count = ${read};
      Atomics.store(done, 0, round);
      found[count] = (found[count] ?? 0) + 1;
    }
    parentPort.postMessage(found);
  })();
`;

const rows = [
  {
    what: 'what is new behind the last record',
    read: `readFrom(journal, segment, size, false).records.length`,
    finds: 0,
  },
  { what: 'everything', read: `readFrom(journal, segment, 0, false).records.length`, finds: 2 },
  { what: 'its lines, by whoever erases', read: `[...linesOf(journal, segment)].length`, finds: 2 },
];

for (const { what, read, finds } of rows)
  test(`[J34] a reader comes to the end of a segment whose room is cut under it: ${what}`, async t => {
    const folder = temporaryFolder(t);
    const history = await openTestHistory(folder);
    const session = ids.session();
    await history.append(session, [sessionFact(session)]);
    await history.append(session, [{ type: 'set', session, name: 'title', value: 'two' }]);
    await history.close();
    const journal = join(folder, 'journal');
    const [segment = ''] = readdirSync(journal);
    const file = join(journal, segment);
    const { size } = statSync(file);
    const counter = () => new Int32Array(new SharedArrayBuffer(4));
    const shared = { file, journal, segment, size, ready: counter(), begun: counter(), done: counter() };
    const threads = [cutter, reader(read)].map(code => new Worker(code, { eval: true, workerData: shared }));
    t.after(() => Promise.all(threads.map(thread => thread.terminate())));
    const ended = new Promise((resolve, reject) => {
      for (const thread of threads) thread.once('message', resolve).once('error', reject);
    });
    const found = await Promise.race([ended, delay(30_000, 'it goes round for ever', { ref: false })]);
    assert.deepEqual(found, { [finds]: rounds });
  });
