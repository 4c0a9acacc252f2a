// The index is a function of the set of records, not of their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Erasure } from '../../../src/core/history/erasure.ts';
import { apply, schema, type SqlDatabase } from '../../../src/node/history/index/projection.ts';
import type { Fact, JournalRecord } from '../../../src/model/record.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { record, sessionFact, userFact } from '../support/facts.ts';
import { wasmFile } from '../support/history.ts';
import { randomFrom, shuffled } from '../support/random.ts';

/** Two windows at work on three sessions: titles, heads, flags, messages that answer each other, growing answers. */
function someRecords(random: () => number): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  const known: { readonly [session: string]: string[] } = { session2: [], session3: [], session4: [] };
  for (let n = 0; n < 60; n++) {
    const writer = random() < 0.5 ? 'writer22' : 'writer33';
    const session = `session${2 + Math.floor(random() * 3)}`;
    const messages = known[session] ?? [];
    const facts: Fact[] = [];
    if (messages.length === 0) facts.push(sessionFact(session, n));
    const id = `message${n}`;
    facts.push(userFact(session, id, messages[Math.floor(random() * messages.length)] ?? null, `text ${n}`, n));
    messages.push(id);
    if (random() < 0.5) facts.push({ type: 'set', session, name: 'title', value: `title ${n}` });
    if (random() < 0.5) facts.push({ type: 'set', session, name: 'head', value: id });
    if (random() < 0.3) facts.push({ type: 'set', session, name: 'trashed', value: random() < 0.5 });
    if (random() < 0.3) facts.push({ type: 'end', session, message: id, end: { reason: 'end_turn', at: n } });
    records.push(record(n, facts, writer));
  }
  return records;
}

async function indexOf(records: readonly JournalRecord[]): Promise<unknown> {
  const db: SqlDatabase = (await loadSqlite(wasmFile))();
  db.exec(schema);
  for (const one of records) {
    const place = { segment: `${one.w}.seg`, offset: one.n * 100, length: 100 };
    apply(db, [{ record: one, place }], place.segment, place.offset + place.length, new Erasure());
  }
  // Every table is kept in the order of its key.
  return ['session', 'field', 'message', 'piece', 'usage', 'applied'].map(table =>
    db.all(`SELECT * FROM ${table}`, []),
  );
}

test('[J9] any order, any number of times, gives the same index', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomFrom(seed);
    const records = someRecords(random);
    const twice = [...records, ...records.filter(() => random() < 0.5)];
    assert.deepEqual(await indexOf(shuffled(twice, random)), await indexOf(records), `seed ${seed}`);
  }
});

test('[J9] a fact of a later version is passed over, the rest of its record counts', async () => {
  const later = { type: 'hologram', session: 'session2', light: 1 } as unknown as Fact;
  const [plain, mixed] = await Promise.all([
    indexOf([record(1, [sessionFact('session2')])]),
    indexOf([record(1, [later, sessionFact('session2')])]),
  ]);
  assert.deepEqual(mixed, plain);
});
