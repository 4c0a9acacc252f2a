// "Check History" while windows are open and write: nothing is found that is not wrong, and nobody waits for it.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { History } from '../../../src/core/history/history.ts';
import { textOf } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { check } from '../../../src/node/history/check/check.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { agentRef, sessionFact, userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { codes, image, long, make, openStore } from './damages.ts';

const patience = { timeout: 120_000 };

function subagent(session: string, parent: string): Fact {
  const message = userMessage(ids.message(), parent, 'beside');
  return { type: 'message', session, message: { ...message, role: 'assistant', label: 'subagent:find:1' } };
}

/** Branches, subagents, blobs, an open answer, two windows, joined and erased parts. */
async function live(one: History, other: OpenedHistory): Promise<string> {
  const [session, gone] = [ids.session(), ids.session()];
  const [root, left, right, below] = [ids.message(), ids.message(), ids.message(), ids.message()];
  await one.append(gone, [sessionFact(gone), userFact(gone, ids.message(), null, 'gone')]);
  await one.append(session, [sessionFact(session), userFact(session, root, null, 'root')]);
  while ((await other.open(session))?.path.length !== 1) await new Promise(resolve => setTimeout(resolve, 20));
  await one.append(session, [userFact(session, left, root, 'left'), subagent(session, root)]);
  await other.append(session, [userFact(session, right, root, 'right')]);
  await other.append(session, [userFact(session, below, right, long)]);
  await other.append(session, [{ type: 'set', session, name: 'title', value: 'of the branch', from: below }]);
  await other.append(session, [
    {
      type: 'message',
      session,
      message: { id: 'open22', parent: right, role: 'assistant', created: 5, agent: agentRef, blocks: [] },
    },
    { type: 'block', session, message: 'open22', at: 0, block: { kind: 'image', mime: 'image/png', data: image } },
  ]);
  await other.erase(session, { message: below, subtree: true });
  await one.append(session, [userFact(session, ids.message(), left, 'after')]);
  await other.join(session);
  await one.erase(gone);
  return session;
}

test(
  '[J27] in a healthy history nothing is found, with branches, subagents, blobs, joined and erased parts',
  patience,
  async t => {
    const folder = temporaryFolder(t);
    const [one, other] = [await openTestHistory(folder), await openTestHistory(folder)];
    const session = await live(one, other);
    await new Promise(resolve => setTimeout(resolve, 1500));
    for (const history of [one, other, await openTestHistory(folder)]) {
      const report = await history.check();
      assert.deepEqual(report.findings, []);
      assert.deepEqual(
        [report.sessions, report.messages, report.blobs],
        [1, (await history.tree(session)).length, 1],
        JSON.stringify(report),
      );
      assert.ok(report.segments > 0 && report.records > 0 && report.bytes > image.length);
    }
  },
);

test('[J27] while two windows append, join and erase, nothing false is found', patience, async t => {
  const folder = temporaryFolder(t);
  const [one, other] = [await openTestHistory(folder), await openTestHistory(folder)];
  const sessions = Array.from({ length: 6 }, () => ids.session());
  for (const session of sessions) await other.append(session, [sessionFact(session)]);
  const parents = new Map<string, string>();
  const write = async (history: History, own: readonly string[]): Promise<void> => {
    for (let count = 0; count < 110; count++) {
      const session = own[count % own.length] ?? '';
      const id = ids.message();
      await history.append(session, [
        userFact(session, id, parents.get(session) ?? null, `text ${count} `.repeat(200)),
      ]);
      parents.set(session, id);
      if (count % 50 === 20) {
        const message = ids.message();
        await history.append(session, [userFact(session, message, id, long + count)]);
        await history.erase(session, { message, subtree: true });
      }
      if (count % 70 === 30) await other.join(session);
    }
  };
  while ((await one.sessions()).length < 6) await new Promise(resolve => setTimeout(resolve, 20));
  let isOver = false;
  const writing = Promise.all([write(other, sessions.slice(0, 3)), write(one, sessions.slice(3))]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const history of [one, other]) assert.deepEqual((await history.check()).findings, []);
  }
  await writing;
  assert.deepEqual((await (await openTestHistory(folder)).check()).findings, []);
});

test('[J27] what another window wrote is no difference as long as the news of it may come', patience, async t => {
  const { folder, session, messages } = await make(t);
  const [reading, writing] = [await openStore(t, folder), await openStore(t, folder)];
  const moment = { now: Date.now(), alive: new Set([writing.writer]) };
  let last: string = messages[2];
  const append = () => {
    const id = ids.message();
    writing.append(session, [userFact(session, id, last, 'news')])();
    last = id;
  };
  append();
  const segment = readdirSync(reading.journal).find(name => name.includes(writing.writer)) ?? '';
  const told = setTimeout(() => reading.intake.catchUp(segment), 500);
  assert.deepEqual((await check(reading, moment)).findings, []);
  clearTimeout(told);
  append();
  assert.deepEqual(codes((await check(reading, moment)).findings), ['index-differs+'], 'nobody told of it');
  reading.intake.catchUp(segment);
  assert.deepEqual((await check(reading, moment)).findings, []);
});

test('[J27] a check that finds no quiet moment finds nothing false', patience, async t => {
  const { folder, session, messages } = await make(t);
  const store = await openStore(t, folder);
  let last: string = messages[2];
  let next: NodeJS.Immediate;
  const append = () => {
    const id = ids.message();
    store.append(session, [userFact(session, id, last, 'in every turn')])();
    last = id;
    next = setImmediate(append);
  };
  append();
  const report = await check(store, { now: Date.now(), alive: new Set() }).finally(() => clearImmediate(next));
  assert.deepEqual(report.findings, []);
  assert.ok(report.messages > 10);
});

test('[J27] a check lets appends through', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const session = ids.session();
  await history.append(session, [sessionFact(session)]);
  const parents: (string | null)[] = [null];
  for (let n = 0; n < 200; n++) {
    const facts = Array.from({ length: 50 }, () => {
      const id = ids.message();
      const fact = userFact(session, id, parents.at(-1) ?? null, `some words of message ${id} `.repeat(20));
      parents.push(id);
      return fact;
    });
    await history.append(session, facts);
  }
  let done = false;
  const checking = history.check().finally(() => (done = true));
  const waits: number[] = [];
  while (!done) {
    const start = performance.now();
    await history.append(session, [{ type: 'set', session, name: 'title', value: `${waits.length}` }]);
    waits.push(performance.now() - start);
  }
  assert.deepEqual((await checking).findings, []);
  assert.ok(waits.length > 5, `${waits.length} appends while it checked`);
  t.diagnostic(`the longest of ${waits.length} appends took ${Math.max(...waits).toFixed(0)} ms`);
});

test('[J27] a file that another window puts in place while it is checked takes nothing away', patience, async t => {
  const { folder, session, files } = await make(t);
  const history = await openTestHistory(folder);
  copyFileSync(files[0], join(folder, 'kept'));
  const checking = history.check();
  rmSync(files[0]);
  copyFileSync(join(folder, 'kept'), files[0]);
  assert.deepEqual((await checking).findings, []);
  assert.deepEqual(
    (await history.open(session))?.path.map(message => textOf(message).length > 0),
    [true, true, true],
  );
});
