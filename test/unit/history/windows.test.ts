// Two windows on one folder, and the snapshot that makes the next opening fast.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { History } from '../../../src/core/history/history.ts';
import { textOf } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { Heartbeat } from '../../../src/node/history/heartbeat.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

function turn(session: string, parent: string | null, text: string): { readonly id: string; readonly facts: Fact[] } {
  const id = ids.message();
  return { id, facts: [userFact(session, id, parent, text), { type: 'set', session, name: 'head', value: id }] };
}

/** A session with this many messages, one after the other. */
async function fill(history: History, session: string, count: number): Promise<string | null> {
  await history.append(session, [sessionFact(session), { type: 'set', session, name: 'title', value: `All ${count}` }]);
  let parent: string | null = null;
  for (let n = 0; n < count; n++) {
    const { id, facts } = turn(session, parent, `text ${n}`);
    await history.append(session, facts);
    parent = id;
  }
  return parent;
}

function told(history: History, session: string, condition: () => Promise<boolean>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = history.onDidAppend(change => {
      if (change.session !== session) return;
      condition().then(done => {
        if (!done) return;
        stop();
        resolve();
      }, reject);
    });
  });
}

const patience = { timeout: 20_000 };

test('[J13] two windows see what the other appends, and answer each other', patience, async t => {
  const folder = temporaryFolder(t);
  const [one, other] = [await openTestHistory(folder), await openTestHistory(folder)];
  const session = ids.session();
  const length = async (history: History) => (await history.open(session))?.path.length ?? 0;
  let parent: string | null = null;
  for (let n = 0; n < 10; n++) {
    const [writing, reading] = n % 2 === 0 ? [one, other] : [other, one];
    const heard = told(reading, session, async () => (await length(reading)) === n + 1);
    const next = turn(session, parent, `text ${n}`);
    await writing.append(session, n === 0 ? [sessionFact(session), ...next.facts] : next.facts);
    await heard;
    parent = next.id;
  }
  const expected = Array.from({ length: 10 }, (_, n) => `text ${n}`);
  for (const history of [one, other, await openTestHistory(folder)]) {
    assert.deepEqual((await history.open(session))?.path.map(textOf), expected);
  }
});

test('[J13] two windows that answer the same message make two branches, and both are there', patience, async t => {
  const folder = temporaryFolder(t);
  const [one, other] = [await openTestHistory(folder), await openTestHistory(folder)];
  const session = ids.session();
  const heard = told(other, session, () => Promise.resolve(true));
  const root = turn(session, null, 'root');
  await one.append(session, [sessionFact(session), ...root.facts]);
  await heard;
  const answers = [turn(session, root.id, 'left'), turn(session, root.id, 'right')] as const;
  await Promise.all([one.append(session, answers[0].facts), other.append(session, answers[1].facts)]);
  const again = await openTestHistory(folder);
  assert.equal((await again.sessions())[0]?.messages, 3);
  const path = (await again.open(session))?.path.map(textOf);
  assert.ok(path?.[0] === 'root' && (path[1] === 'left' || path[1] === 'right'), String(path));
});

/** Everything that the history answers, to be compared. */
async function answers(history: OpenedHistory): Promise<unknown> {
  const sessions = await history.sessions();
  return Promise.all(sessions.map(({ id }) => history.open(id)));
}

function snapshots(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => name.startsWith('index-'));
}

/** A history with a snapshot and some records after it, closed. */
async function withSnapshot(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  await fill(history, ids.session(), 1010);
  await fill(history, ids.session(), 30);
  await history.close();
  assert.equal(snapshots(folder).length, 1);
  return folder;
}

const damages: readonly { readonly what: string; readonly used: boolean; readonly act: (folder: string) => void }[] = [
  { what: 'whole', used: true, act: () => {} },
  { what: 'deleted', used: false, act: folder => rmSync(file(folder)) },
  { what: 'cut', used: false, act: folder => truncateSync(file(folder), readFileSync(file(folder)).length - 100) },
  { what: 'empty', used: false, act: folder => truncateSync(file(folder), 0) },
  { what: 'with a flipped byte', used: false, act: folder => change(file(folder), 5000) },
  { what: 'of another version', used: false, act: folder => change(file(folder), -12) },
  { what: 'unfinished', used: true, act: folder => copyFileSync(file(folder), `${file(folder)}.unfinished`) },
  {
    what: 'newer, but not whole, beside an older one',
    used: true,
    act: folder => writeFileSync(join(folder, 'index-zzzzzzzzzzz.db'), 'half'),
  },
];

function file(folder: string): string {
  return join(folder, snapshots(folder)[0] ?? '');
}

function change(path: string, at: number): void {
  const bytes = readFileSync(path);
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('[J14] with the snapshot, without it, or with a damaged one: the same answers', patience, async t => {
  const folder = await withSnapshot(t);
  const expected = await answers(await openTestHistory(copyOf(t, folder, false)));
  for (const { what, used, act } of damages) {
    await t.test(what, async inner => {
      const copy = copyOf(inner, folder, true);
      act(copy);
      const history = await openTestHistory(copy);
      assert.equal(history.recovery.fromSnapshot, used);
      assert.equal(history.recovery.records < 100, used, `${history.recovery.records} records were read`);
      assert.deepEqual(await answers(history), expected);
    });
  }
});

test('[J14] of a snapshot that knows a segment which is gone, that session is read again', patience, async t => {
  const folder = await withSnapshot(t);
  // The longer of the two segments is the one that the snapshot knows.
  const sizes = readdirSync(join(folder, 'journal')).map(name => statSync(join(folder, 'journal', name)).size);
  const longest = readdirSync(join(folder, 'journal'))[sizes.indexOf(Math.max(...sizes))] ?? '';
  rmSync(join(folder, 'journal', longest));
  const history = await openTestHistory(folder);
  assert.equal(history.recovery.fromSnapshot, true);
  assert.equal((await history.sessions()).length, 1);
  assert.equal((await history.sessions())[0]?.messages, 30);
});

function copyOf(t: TestContext, folder: string, withIndex: boolean): string {
  const copy = temporaryFolder(t);
  mkdirSync(join(copy, 'journal'));
  const names = [...readdirSync(join(folder, 'journal')).map(name => join('journal', name)), ...snapshots(folder)];
  for (const name of names) {
    if (withIndex || name.startsWith('journal')) copyFileSync(join(folder, name), join(copy, name));
  }
  return copy;
}

test('[J15] two snapshots are kept, and none that was not finished', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  await fill(history, ids.session(), 3050);
  await history.close();
  assert.equal(snapshots(folder).length, 2);
  const again = await openTestHistory(folder);
  assert.ok(again.recovery.fromSnapshot);
  assert.ok(again.recovery.records < 3050 - 1000, `${again.recovery.records} records were read`);
});

test('[J15] a snapshot that cannot be written changes nothing else', patience, async t => {
  const folder = temporaryFolder(t);
  const warnings: Error[] = [];
  const history = await openTestHistory(folder, { onWarning: warning => warnings.push(warning) });
  // Nothing can be written under the name of a folder, whoever writes.
  for (let n = 0; n < 3; n++) mkdirSync(join(folder, `index-zzzzzzzz${n}.db`));
  const session = ids.session();
  await fill(history, session, 1010);
  assert.equal((await history.open(session))?.path.length, 1010);
  assert.ok(warnings.length > 0, 'it was said');
});

test('[J13] a window gives a sign of life until it closes, though it only reads', patience, async t => {
  const folder = temporaryFolder(t);
  const look = new Heartbeat(folder, 'nobody22', Date.now);
  assert.equal(look.alive().size, 0);
  const history = await openTestHistory(folder);
  await history.sessions();
  assert.equal(look.alive().size, 1);
  await history.close();
  assert.equal(look.alive().size, 0);
});
