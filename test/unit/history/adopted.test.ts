// A history that was copied into another, through the engine: everything of both is there, in a window that is open too.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { History } from '../../../src/core/history/history.ts';
import type { Message } from '../../../src/model/message.ts';
import { adopt } from '../../../src/node/history/home/adopt.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

async function fill(history: History, words: string): Promise<string> {
  const session = ids.session();
  await history.append(session, [sessionFact(session), userFact(session, ids.message(), null, words)]);
  await history.append(session, [userFact(session, ids.message(), null, words.repeat(60_000))]);
  return session;
}

const all = (history: History): Promise<readonly Message[]> => history.list({ order: 'oldest' });

test('[J24] what was adopted is in an open window and in the next, with what it had', { timeout: 60_000 }, async t => {
  const [from, to] = [temporaryFolder(t), temporaryFolder(t)];
  const [old, current] = [await openTestHistory(from), await openTestHistory(to)];
  const erased = await fill(old, 'erased ');
  const sessions = [await fill(old, 'first '), await fill(old, 'second '), await fill(current, 'own ')];
  await old.erase(erased);
  const before = [...(await all(old)), ...(await all(current))].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const adopted = await adopt(from, to, { newWriter: ids.writer });
  assert.deepEqual([adopted.sessionsBefore, adopted.sessionsFrom, adopted.sessionsAfter], [1, 2, 3]);
  for (let tries = 0; (await current.sessions()).length < 3 && tries < 500; tries++) await delay(20);
  for (const window of [current, await openTestHistory(to)]) {
    assert.deepEqual((await window.sessions()).map(({ id }) => id).toSorted(), sessions.toSorted());
    assert.deepEqual(
      (await all(window)).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      before,
    );
    assert.deepEqual((await window.check()).findings, []);
  }
  assert.ok(readdirSync(join(from, 'journal')).length > 0, 'the old one is as it was');
  await assert.rejects(current.append(erased, [sessionFact(erased)]), /deleted permanently/);
});
