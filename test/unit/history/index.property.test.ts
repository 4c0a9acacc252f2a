// Random histories, in any order, with or without what was erased: the index is a function of the records, answers what
// the raw facts say, and loses nothing.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { takeOut } from '../../../src/core/history/blobs.ts';
import { createEncoder } from '../../../src/core/history/codec.ts';
import { Erasure } from '../../../src/core/history/erasure.ts';
import {
  apply,
  forgetMessages,
  forgetSession,
  schema,
  type SqlDatabase,
} from '../../../src/node/history/index/projection.ts';
import { Tree, type TreeRow } from '../../../src/core/history/tree.ts';
import type { JournalRecord } from '../../../src/model/record.ts';
import { listSessions } from '../../../src/node/history/index/listSessions.ts';
import { listNodes } from '../../../src/node/history/index/messageTree.ts';
import { listMessages, openSession, readMessages } from '../../../src/node/history/index/readMessages.ts';
import { loadSqlite, type MemoryDatabase } from '../../../src/node/history/index/sqlite.ts';
import type { PlacedRecord } from '../../../src/node/history/journal/recordPlace.ts';
import { Store } from '../../../src/node/history/store.ts';
import { record, sessionFact, userFact } from '../support/facts.ts';
import { wasmFile } from '../support/history.ts';
import { randomFrom, shuffled } from '../support/random.ts';
import { byAge, RawFacts, totalsOf } from './rawFacts.ts';
import { randomHistory, type Random, type RandomHistory } from './randomHistory.ts';

const open = await loadSqlite(wasmFile);
const patience = { timeout: 120_000 };

/** With the place of each, and without its blobs, as it would be read from its file. */
function appliedOf({ records }: RandomHistory): readonly PlacedRecord[] {
  return records.map(one => {
    const { facts, blobs } = takeOut(one.facts, content => ({ sha256: 'a'.repeat(64), size: content.length }));
    const written = blobs.length > 0 ? { ...one, facts, blobs } : one;
    return { record: written, place: { segment: segmentOf(one), offset: one.n * 100, length: 100 } };
  });
}

function segmentOf({ w, facts }: JournalRecord): string {
  return `${facts[0]?.session}~${w}.0.seg`;
}

function freshIndex(): MemoryDatabase {
  const db = open();
  db.exec(schema);
  return db;
}

function applyAll(db: SqlDatabase, applied: readonly PlacedRecord[], erasure: Erasure): void {
  for (const one of applied) apply(db, [one], one.place.segment, one.place.offset + one.place.length, erasure);
}

/** Every table is kept in the order of its key. */
function rowsOf(db: SqlDatabase): unknown {
  return ['session', 'field', 'message', 'piece', 'usage'].map(table => db.all(`SELECT * FROM ${table}`, []));
}

function indexOf(applied: readonly PlacedRecord[], erasure = new Erasure()): unknown {
  const db = freshIndex();
  applyAll(db, applied, erasure);
  const rows = [rowsOf(db), db.all('SELECT * FROM applied', [])];
  db.close();
  return rows;
}

/** Some of the records again, some of those as a copy in another file. */
function again(applied: readonly PlacedRecord[], random: Random): readonly PlacedRecord[] {
  return applied
    .filter(() => random() < 0.4)
    .map(one => (random() < 0.5 ? one : { ...one, place: { ...one.place, segment: `${one.place.segment}.joined` } }));
}

test('[J9] any order, any number of times, of every kind of fact, gives the same index', patience, () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomFrom(seed);
    const applied = appliedOf(randomHistory(random));
    const all = [...applied, ...again(applied, random)];
    const expected = indexOf(all);
    for (let order = 0; order < 2; order++) assert.deepEqual(indexOf(shuffled(all, random)), expected, `seed ${seed}`);
  }
});

test('[J9] two messages with one id, and two sessions that begin twice, are not decided by the order', () => {
  const rows: readonly JournalRecord[] = [
    record(0, [sessionFact('session2', 5), userFact('session2', 'same', null, 'one', 7)]),
    record(1, [sessionFact('session2', 3), userFact('session2', 'same', 'other', 'two', 7)]),
    record(2, [sessionFact('session3', 9), userFact('session3', 'same', null, 'one', 7)]),
    record(3, [userFact('session2', 'same', null, 'one', 6), userFact('session2', 'other', null, 'x', 6)]),
  ];
  const applied = appliedOf({ records: rows, sessions: [] });
  const random = randomFrom(5);
  for (let n = 0; n < 24; n++) assert.deepEqual(indexOf(shuffled(applied, random)), indexOf(applied));
});

test('[J9] what is erased leaves the same index whenever it is learnt of', patience, () => {
  let erasedSome = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const random = randomFrom(seed);
    const history = randomHistory(random);
    const applied = appliedOf(history);
    const session = history.sessions[seed % 3] ?? '';
    const whole = random() < 0.2;
    const messages = new RawFacts(history.records).messages(session);
    const root = messages[Math.floor(random() * messages.length)]?.id ?? 'nobody';
    const learn = (erasure: Erasure) => void (whole ? erasure.addSession(session) : erasure.addMessage(session, root));
    const before = new Erasure();
    learn(before);
    const known = freshIndex();
    applyAll(known, applied, before);
    const all = shuffled([...applied, ...again(applied, random)], random);
    for (const at of [0, Math.floor(random() * all.length), all.length]) {
      const erasure = new Erasure();
      const db = freshIndex();
      applyAll(db, all.slice(0, at), erasure);
      learn(erasure);
      if (whole) forgetSession(db, session);
      else forgetMessages(db, session, [root], erasure);
      applyAll(db, all.slice(at), erasure);
      // The places in files are another matter: the copies are in this one only.
      assert.deepEqual(withoutPlaces(rowsOf(db)), withoutPlaces(rowsOf(known)), `seed ${seed} at ${at}`);
      db.close();
    }
    const left = known.all('SELECT count(*) AS count FROM message WHERE session = ?1', [session])[0]?.['count'];
    if (Number(left) < messages.length) erasedSome++;
    if (whole) assert.equal(left, 0);
    known.close();
  }
  assert.ok(erasedSome > 75, `${erasedSome}`);
});

function withoutPlaces(rows: unknown): unknown {
  return JSON.parse(JSON.stringify(rows, (key, value: unknown) => (key === 'segment' ? undefined : value)));
}

/** As files, each record in its writer's segment, some in a joined one as well. */
function written({ records }: RandomHistory, random: Random): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'));
  mkdirSync(join(folder, 'journal'));
  const encode = createEncoder(crc32);
  for (const one of records) {
    const session = one.facts[0]?.session ?? '';
    const { facts, blobs } = takeOut(one.facts, content => {
      const bytes = Buffer.from(content);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      mkdirSync(join(folder, 'blobs', session), { recursive: true });
      writeFileSync(join(folder, 'blobs', session, sha256), bytes);
      return { sha256, size: bytes.length };
    });
    const bytes = encode(blobs.length > 0 ? { ...one, facts, blobs } : one);
    writeFileSync(join(folder, 'journal', segmentOf(one)), bytes, { flag: 'a' });
    if (random() < 0.2) writeFileSync(join(folder, 'journal', `${session}~joiner22.0.joined`), bytes, { flag: 'a' });
  }
  return folder;
}

test('[J9] the index answers what the raw facts say', patience, () => {
  for (let seed = 1; seed <= 120; seed++) {
    const random = randomFrom(seed * 7);
    const history = randomHistory(random);
    const folder = written(history, random);
    const store = new Store(folder, 'reader22', open, Date.now);
    try {
      assert.deepEqual(store.recovery.bad, []);
      compare(store, new RawFacts(history.records), `seed ${seed}`, random);
    } finally {
      store.close();
      rmSync(folder, { recursive: true });
    }
  }
});

function compare(store: Store, raw: RawFacts, what: string, random: Random): void {
  const sessions = raw.sessions();
  assert.deepEqual(listSessions(store.db), sessions, what);
  for (const trashed of [true, false]) {
    const narrowed = sessions.filter(one => one.trashed === trashed && one.labels.includes('alpha'));
    assert.deepEqual(listSessions(store.db, { trashed, label: 'alpha' }), narrowed, what);
    assert.deepEqual(
      listSessions(store.db, { agent: 'x', archived: trashed }),
      sessions.filter(one => one.agent.id === 'x' && one.archived === trashed),
    );
  }
  for (const { id: session } of sessions) {
    const messages = raw.messages(session);
    const byId = new Map(messages.map(message => [message.id, message]));
    const nodes = listNodes(store.db, session);
    assert.deepEqual(nodes, raw.tree(session), what);
    const tree = new Tree(nodes);
    assert.deepEqual(
      tree.leaves().map(({ id }) => id),
      raw.leaves(session),
      what,
    );
    assertAllReached(tree, what);
    const opened = openSession(store, session);
    assert.equal(opened?.head, raw.head(session), what);
    assert.deepEqual(opened?.totals, totalsOf(messages), what);
    const heads = [opened.head, ...messages.filter(() => random() < 0.3).map(({ id }) => id)];
    for (const head of heads) {
      const path = head === null ? [] : raw.path(session, head);
      assert.deepEqual(tree.pathTo(head), path, what);
      // What is said to be missing stands before the rest.
      const found = openSession(store, session, head)?.path.filter(({ id }) => byId.has(id));
      assert.deepEqual(
        found,
        path.map(id => byId.get(id)),
        what,
      );
    }
    assert.deepEqual(listMessages(store, { session, order: 'oldest' }), messages, what);
    const some = shuffled(messages, random).slice(0, 5);
    assert.deepEqual(
      readMessages(
        store,
        some.map(({ id }) => id),
      ),
      some,
      what,
    );
  }
  const everything = sessions.flatMap(({ id }) => raw.messages(id)).toSorted(byAge);
  assert.deepEqual(listMessages(store, { order: 'newest' }), everything.toReversed(), what);
  const labelled = everything.filter(({ label }) => label?.startsWith('subagent:a:'));
  assert.deepEqual(listMessages(store, { order: 'oldest', label: 'subagent:a:' }), labelled, what);
}

/** From the roots down, each once; and from each up, to a root, each once. */
function assertAllReached(tree: Tree<TreeRow>, what: string): void {
  const reached: string[] = [];
  const waiting = tree.children(null).map(({ id }) => id);
  for (let id = waiting.pop(); id !== undefined && reached.length <= tree.rows.size; id = waiting.pop()) {
    reached.push(id);
    waiting.push(...tree.children(id).map(child => child.id));
  }
  assert.deepEqual(reached.toSorted(), [...tree.rows.keys()].toSorted(), what);
  for (const [id, row] of tree.rows) {
    const path = tree.pathTo(id);
    assert.equal(path.at(-1), id, what);
    assert.equal(new Set(path).size, path.length, what);
    const all = tree.children(null).flatMap(root => tree.subtree(root.id));
    assert.equal(all.filter(one => one === id).length, 1, what);
    // What hangs on a message hangs where that message says, if that is there at all.
    const above = tree.parent(id);
    if (above !== null) assert.equal(above, row.parent, what);
  }
}

test('[J9] every message is reached from the roots, whatever parents a damaged file holds', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomFrom(seed);
    const size = 1 + Math.floor(random() * 25);
    const rows = Array.from({ length: size }, (_, at): TreeRow => {
      // Anything: itself, one that is not there, one that answers it.
      const parent = random() < 0.1 ? null : `m${Math.floor(random() * (size + 3))}`;
      return { id: `m${at}`, parent, label: random() < 0.1 ? 'subagent:a:1' : null, created: Math.floor(random() * 9) };
    });
    const tree = new Tree(rows, random() < 0.5 ? [`m${Math.floor(random() * size)}`] : []);
    assertAllReached(tree, `seed ${seed}`);
    assert.deepEqual([...new Tree(shuffled(rows, random)).children(null)], [...tree.children(null)], `seed ${seed}`);
    for (const { id } of rows) {
      assert.ok(tree.subtree(tree.children(null)[0]?.id ?? '').length <= size);
      assert.ok(tree.pathTo(tree.leafBelow(id)).length <= size);
      assert.equal(
        tree.headFrom(id) === null,
        tree.leaves().length === 0 && !tree.pathTo(id).some(one => isShown(tree, one)),
      );
    }
  }
});

function isShown(tree: Tree<TreeRow>, id: string): boolean {
  return tree.rows.get(id)?.label === null && !tree.isTrashed(id);
}
