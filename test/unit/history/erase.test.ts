// Deleting for ever: nothing of it is in any file of the folder, whoever was writing, and it does not come back.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { History } from '../../../src/core/history/history.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { textOf } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { Erasing } from '../../../src/node/history/erasing/erasing.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';

const canary = 'xyzzyCanary';
const patience = { timeout: 60_000 };

function set(
  session: string,
  name: 'title' | 'head' | 'name' | 'note' | 'trashed',
  value: string | boolean,
  of?: string,
): Fact {
  return { type: 'set', session, name, value, ...(of === undefined ? {} : { of, from: of }) };
}

/** Every file of the folder that holds the canary, as text, in capitals or small, or as it was typed. */
function filesWithCanary(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const file = join(folder, name);
    return (
      statSync(file).isFile() && readFileSync(file).toString('latin1').toLowerCase().includes(canary.toLowerCase())
    );
  });
}

interface Planted {
  readonly session: string;
  readonly root: string;
  readonly kept: string;
  readonly doomed: string;
  readonly below: string;
}

/** A session with a branch that stays and one in which every kind of record holds the canary. */
async function plant(history: History, rootText = 'root'): Promise<Planted> {
  const session = ids.session();
  const [root, kept, doomed, below] = [ids.message(), ids.message(), ids.message(), ids.message()];
  await history.append(session, [
    sessionFact(session),
    userFact(session, root, null, rootText),
    { type: 'set', session, name: 'title', value: rootText, from: root },
    set(session, 'head', root),
  ]);
  await history.append(session, [
    userFact(session, kept, root, 'kept'),
    userFact(session, doomed, root, `${canary} 1`),
  ]);
  await history.append(session, [
    { type: 'message', session, message: { id: below, parent: doomed, role: 'assistant', created: 2000, blocks: [] } },
    set(session, 'head', below),
  ]);
  const text = { type: 'text', session, message: below, at: 0, kind: 'text', mime: 'text/markdown' } as const;
  await history.append(session, [{ ...text, offset: 0, text: `${canary} 2 ` }]);
  await history.append(session, [{ ...text, offset: 14, text: `${canary} 3` }]);
  const long = `${canary} `.repeat(40_000);
  await history.append(session, [
    {
      type: 'block',
      session,
      message: below,
      at: 1,
      block: { kind: 'resource', mime: 'text/plain', uri: 'file:///a', text: long },
    },
  ]);
  const data = new TextEncoder().encode(`${canary} bytes`);
  await history.append(session, [
    { type: 'block', session, message: below, at: 2, block: { kind: 'image', mime: 'image/png', data } },
    { type: 'end', session, message: below, end: { reason: 'end_turn', at: 3000, detail: canary } },
  ]);
  await history.append(session, [set(session, 'name', canary, below), set(session, 'note', canary, doomed)]);
  return { session, root, kept, doomed, below };
}

function code(expected: string): (cause: unknown) => boolean {
  return cause => cause instanceof HistoryError && cause.code === expected;
}

test('[J31] an erased session is in no file, refuses appends, and stays away', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await plant(history, `${canary} root`);
  const other = await plant(history, 'other');
  mkdirSync(join(folder, 'drafts'));
  writeFileSync(join(folder, 'drafts', session), canary);
  assert.ok(filesWithCanary(folder).length >= 4);
  assert.deepEqual(await history.erase(session), { messages: 4, remaining: 0 });
  await history.erase(other.session, { message: other.doomed, subtree: true });
  assert.deepEqual(filesWithCanary(folder), []);
  assert.equal(await history.open(session), undefined);
  assert.deepEqual(
    (await history.sessions()).map(({ id }) => id),
    [other.session],
  );
  await assert.rejects(history.append(session, [userFact(session, ids.message(), root, 'x')]), code('erased'));
  await assert.rejects(history.append(session, [sessionFact(session)]), code('erased'));
  assert.deepEqual(await history.erase(session), { messages: 0, remaining: 0 });
  const again = await openTestHistory(folder);
  assert.equal(await again.open(session), undefined);
  await assert.rejects(again.append(session, [sessionFact(session)]), code('erased'));
});

test('[J31] an erased branch is in no file, and the rest of its session is as it was', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root, kept, doomed, below } = await plant(history);
  await assert.rejects(history.erase(session, { message: doomed, subtree: false }), code('has-children'));
  assert.equal((await history.tree(session)).length, 4);
  assert.deepEqual(await history.erase(session, { message: doomed, subtree: true }), { messages: 2, remaining: 0 });
  assert.deepEqual(filesWithCanary(folder), []);
  for (const window of [history, await openTestHistory(folder)]) {
    const there = new Set((await window.tree(session)).map(({ id }) => id));
    assert.deepEqual(
      [root, kept, doomed, below].map(id => there.has(id)),
      [true, true, false, false],
    );
    assert.equal((await window.open(session))?.head, root);
    assert.deepEqual((await window.open(session, kept))?.path.map(textOf), ['root', 'kept']);
    await assert.rejects(window.messages([doomed]), code('no-message'));
    await assert.rejects(window.append(session, [userFact(session, ids.message(), doomed, 'x')]), code('erased'));
    const end: Fact = { type: 'end', session, message: below, end: { reason: 'end_turn', at: 1 } };
    await assert.rejects(window.append(session, [end]), code('erased'));
    const next = ids.message();
    await window.append(session, [userFact(session, next, kept, 'goes on')]);
    assert.deepEqual((await window.open(session, next))?.path.map(textOf), ['root', 'kept', 'goes on']);
  }
  assert.deepEqual(await history.erase(session, { message: kept, subtree: true }).then(one => one.messages), 3);
});

test('[J31] a title that was made from an erased message goes with it', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, root } = await plant(history, `${canary} root`);
  await history.erase(session, { message: root, subtree: true });
  assert.deepEqual(filesWithCanary(folder), []);
  assert.equal((await history.sessions())[0]?.title, '');
  assert.deepEqual((await history.open(session))?.path, []);
});

test('[J31] content that a message that stays has too is still there', patience, async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session, root, doomed } = await plant(history);
  const data = new Uint8Array([1, 2, 3]);
  const ends = { reason: 'end_turn', at: 1 } as const;
  const image = (id: string, parent: string): Fact => ({
    type: 'message',
    session,
    message: {
      id,
      parent,
      role: 'user',
      created: 1,
      blocks: [{ kind: 'image', mime: 'image/png', data }],
      end: ends,
    },
  });
  const stays = ids.message();
  await history.append(session, [image(stays, root)]);
  await history.append(session, [image(ids.message(), doomed)]);
  await history.erase(session, { message: doomed, subtree: true });
  const [message] = await history.messages([stays]);
  const block = message?.blocks[0];
  assert.ok(block?.kind === 'image' && block.data && !(block.data instanceof Uint8Array));
  assert.deepEqual(await history.blob(session, block.data), data);
});

test('[J31] another window learns of it, and what it writes there is refused or gone', patience, async t => {
  const folder = temporaryFolder(t);
  const [one, other] = [await openTestHistory(folder), await openTestHistory(folder)];
  const planted = await plant(one);
  const { session, doomed, kept } = planted;
  await until(async () => (await other.tree(session)).length === 4);
  await other.append(session, [userFact(session, ids.message(), doomed, `${canary} of the other`)]);
  await one.erase(session, { message: doomed, subtree: true });
  await assert.rejects(other.append(session, [userFact(session, ids.message(), doomed, canary)]), code('erased'));
  await other.append(session, [userFact(session, ids.message(), kept, 'goes on')]);
  await until(async () => (await other.tree(session)).length === 3 && (await one.tree(session)).length === 3);
  await until(() => filesWithCanary(folder).length === 0);
  await one.erase(session);
  await until(async () => (await other.open(session)) === undefined);
  await assert.rejects(other.append(session, [userFact(session, ids.message(), kept, canary)]), code('erased'));
  await other.close();
  await one.close();
  assert.deepEqual(filesWithCanary(folder), []);
});

test('[J31] a window that has not heard of it yet is refused when it writes, and leaves no bytes', async t => {
  const open = await loadSqlite(wasmFile);
  for (const branch of [null, 'doomed'] as const) {
    for (const hasSegment of [true, false]) {
      const folder = temporaryFolder(t);
      const [one, other] = [
        new Store(folder, 'writer22', open, Date.now),
        new Store(folder, 'writer33', open, Date.now),
      ];
      one.append('session2', [sessionFact('session2'), userFact('session2', 'root', null, 'root')])();
      one.append('session2', [userFact('session2', 'doomed', 'root', `${canary} 1`)])();
      // It reads what is there, and is told of nothing from here on.
      for (const segment of one.intake.segments()) other.intake.catchUp(segment);
      if (hasSegment) other.append('session2', [userFact('session2', 'theirs', 'doomed', `${canary} 2`)])();
      const choice = branch === null ? null : { message: branch, subtree: true };
      new Erasing(one).erase('session2', choice);
      assert.deepEqual(filesWithCanary(folder), []);
      const text = userFact('session2', 'late', 'doomed', `${canary} 3 ${'long '.repeat(100_000)}`);
      assert.throws(() => other.append('session2', [text]), code('erased'));
      assert.deepEqual(filesWithCanary(folder), []);
      one.close();
      other.close();
    }
  }
});

test('[J31] what was erased before a window read of it is refused as erased, not as unknown', async t => {
  const open = await loadSqlite(wasmFile);
  const folder = temporaryFolder(t);
  const one = new Store(folder, 'writer22', open, Date.now);
  one.append('session2', [sessionFact('session2'), userFact('session2', 'root', null, 'root')])();
  // It is told of nothing from here on, as one whose worker is started again in this moment.
  const other = new Store(folder, 'writer33', open, Date.now);
  one.append('session2', [userFact('session2', 'doomed', 'root', canary)])();
  new Erasing(one).erase('session2', { message: 'doomed', subtree: true });
  const facts: readonly Fact[] = [
    { type: 'end', session: 'session2', message: 'doomed', end: { reason: 'end_turn', at: 1 } },
    userFact('session2', 'late', 'doomed', canary),
  ];
  for (const fact of facts) assert.throws(() => other.append('session2', [fact]), code('erased'));
  assert.throws(() => other.append('session2', [userFact('session2', 'late', 'nowhere', 'x')]), code('no-parent'));
  one.close();
  other.close();
});

test('[J11] while the files are out of sight nothing is refused as unknown', async t => {
  const open = await loadSqlite(wasmFile);
  const folder = temporaryFolder(t);
  const one = new Store(folder, 'writer22', open, Date.now);
  one.append('session2', [sessionFact('session2'), userFact('session2', 'root', null, 'root')])();
  one.close();
  const [journal, away] = [join(folder, 'journal'), join(folder, 'away')];
  const other = new Store(folder, 'writer33', open, Date.now);
  // As one whose worker starts while the files are away.
  other.forget({ name: 'session2', session: 'session2', messages: null });
  renameSync(journal, away);
  const answer = userFact('session2', 'answer', 'root', 'answer');
  assert.throws(() => other.append('session2', [answer]), code('gone'));
  renameSync(away, journal);
  other.append('session2', [answer])();
  other.close();
});

test('[J31] a process that writes to the session all the while leaves nothing behind', patience, async t => {
  for (const whole of [true, false]) {
    const folder = temporaryFolder(t);
    const history = await openTestHistory(folder);
    const { session, kept, doomed } = await plant(history);
    const child = await startWriter(t, folder, session, doomed, kept);
    await until(async () => (await history.tree(session)).length > 20);
    await history.erase(session, whole ? undefined : { message: doomed, subtree: true });
    await delay(300);
    assert.deepEqual(filesWithCanary(folder), [], whole ? 'session' : 'branch');
    child.kill('SIGKILL');
    const again = await openTestHistory(folder);
    assert.equal((await again.open(session)) === undefined, whole);
    assert.deepEqual(filesWithCanary(folder), []);
  }
});

/** A process that answers both messages as fast as it can, every answer below the first with the canary. */
async function startWriter(
  t: TestContext,
  folder: string,
  session: string,
  ...parents: string[]
): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'writeForever.ts');
  const child = spawn(process.execPath, [script, folder, session, canary, ...parents], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await new Promise(resolve => child.stdout?.once('data', resolve));
  return child;
}

test('[J31] an eraser that was killed in between is finished by whoever opens the folder next', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, doomed, below, kept } = await plant(history);
  await history.close();
  const before = readFileSync(join(folder, 'journal', readdirSync(join(folder, 'journal'))[0] ?? ''));
  mkdirSync(join(folder, 'erased'), { recursive: true });
  const rows: readonly { readonly what: string; readonly act: (copy: string) => void; readonly branch: boolean }[] = [
    { what: 'after the tombstone of a session', branch: false, act: copy => tombstone(copy, session, '') },
    {
      what: 'after the tombstone of a branch',
      branch: true,
      act: copy => tombstone(copy, `${session}~${doomed}`, `${doomed}\n${below}\n`),
    },
    {
      what: 'after the claim',
      branch: true,
      act(copy) {
        tombstone(copy, `${session}~${doomed}`, `${doomed}\n${below}\n`);
        const [segment = ''] = readdirSync(join(copy, 'journal'));
        renameSync(join(copy, 'journal', segment), join(copy, 'journal', `${segment}.claimed`));
        writeFileSync(join(copy, 'journal', `${session}~abc.0.joined.unfinished`), before.subarray(0, 300));
      },
    },
  ];
  for (const { what, act, branch } of rows) {
    const copy = temporaryFolder(t);
    cpSync(folder, copy, { recursive: true });
    act(copy);
    const again = await openTestHistory(copy);
    assert.deepEqual(
      (await again.open(session, branch ? kept : undefined))?.path.map(textOf),
      branch ? ['root', 'kept'] : undefined,
      what,
    );
    await until(() => filesWithCanary(copy).length === 0);
  }
});

function tombstone(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, 'erased', name), content);
}

test('[J31] without a tombstone nothing is removed', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, doomed, below, kept } = await plant(history);
  await history.close();
  // There is no place for a tombstone.
  writeFileSync(join(folder, 'erased'), '');
  const again = await openTestHistory(folder);
  const paths = async () =>
    (await Promise.all([again.open(session, below), again.open(session, kept)])).map(one => one?.path.map(textOf));
  const before = [await paths(), filesWithCanary(folder).toSorted()];
  await assert.rejects(again.erase(session), HistoryError);
  await assert.rejects(again.erase(session, { message: doomed, subtree: true }), HistoryError);
  assert.deepEqual([await paths(), filesWithCanary(folder).toSorted()], before);
});

test('[J31] what is unknown is erased without an error', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const { session } = await plant(history);
  assert.deepEqual(await history.erase(ids.session()), { messages: 0, remaining: 0 });
  assert.deepEqual(await history.erase(session, { message: ids.message(), subtree: true }), {
    messages: 0,
    remaining: 0,
  });
  assert.equal((await history.tree(session)).length, 4);
});

test('[J32] joined files give the same answers, in every window, whoever writes meanwhile', patience, async t => {
  const folder = temporaryFolder(t);
  const windows = [await openTestHistory(folder), await openTestHistory(folder), await openTestHistory(folder)];
  const [one, two, three] = windows;
  assert.ok(one && two && three);
  const { session, kept } = await plant(one);
  for (const window of [two, three, two, three]) {
    await until(async () => (await window.tree(session)).length >= 4);
    await window.append(session, [userFact(session, ids.message(), kept, 'from another window')]);
  }
  await until(async () => (await one.tree(session)).length === 8);
  const before = await one.list({ session, order: 'oldest' });
  await one.join(session);
  assert.equal(readdirSync(join(folder, 'journal')).length, 1);
  for (const window of windows) assert.deepEqual(await window.list({ session, order: 'oldest' }), before);
  await two.append(session, [userFact(session, ids.message(), kept, 'goes on')]);
  await until(async () => (await three.tree(session)).length === 9 && (await one.tree(session)).length === 9);
  const again = await openTestHistory(folder);
  assert.deepEqual(await again.list({ session, order: 'oldest' }), await two.list({ session, order: 'oldest' }));
  assert.deepEqual(again.recovery.bad, []);
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let end = Date.now() + 10_000; !(await isSo()); await delay(15)) {
    if (Date.now() > end) assert.fail(`not so after ten seconds: ${isSo.toString()}`);
  }
}
