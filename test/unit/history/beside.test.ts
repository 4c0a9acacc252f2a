// The history of a window with incognito sessions beside it: who asks by an id reaches the one or the other, lists have both,
// and what is on the disk is never asked about what must not be there.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { historyBeside } from '../../../src/core/history/beside.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { incognitoId } from '../../../src/model/incognito.ts';
import { draftsBeside, draftsIn } from '../../../src/node/drafts.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';

function filesWith(folder: string, words: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const file = join(folder, name);
    return statSync(file).isFile() && readFileSync(file).includes(words);
  });
}

test('[H105] sessions of both kinds are listed together, and each is asked where it lives', async t => {
  const folder = temporaryFolder(t);
  const disk = await openTestHistory(folder);
  let begun: Promise<SessionHistory> | null = null;
  const begin = () => (begun ??= Promise.resolve(memoryHistory(disk.writer)));
  const both = historyBeside(disk, { begun: () => begun, begin });
  const kept = ids.session();
  const other = ids.session();
  const unkept = incognitoId(ids.session());
  const [m1, m2, m3] = [ids.message(), ids.message(), ids.message()];
  await both.append(kept, [sessionFact(kept, 1000), userFact(kept, m1, null, 'the kept words', 1000)]);
  await both.append(other, [sessionFact(other, 3000), setFact(other, 'archived', true)]);
  assert.equal(begun, null, 'no memory is made before it is wanted');
  await both.append(unkept, [sessionFact(unkept, 2000), userFact(unkept, m2, null, 'the canary words', 2000)]);
  await both.append(unkept, [userFact(unkept, m3, null, 'the other canary words', 2001)]);

  const listed = async (query = {}) => (await both.sessions(query)).map(({ id }) => id);
  assert.deepEqual(await listed(), [other, unkept, kept]);
  assert.deepEqual(await listed({ limit: 1, offset: 1 }), [unkept]);
  assert.deepEqual(await listed({ limit: 2, offset: 1 }), [unkept, kept]);
  assert.deepEqual(await listed({ archived: true }), [other]);
  assert.deepEqual(await listed({ archived: false, trashed: false }), [unkept, kept]);
  const forked = async (query = {}) => (await both.sessions(query)).flatMap(one => (one.forked ? [one.id] : []));
  assert.deepEqual(await forked(), [unkept]);
  await both.append(kept, [userFact(kept, ids.message(), null, 'another beginning', 1000)]);
  assert.deepEqual((await forked()).toSorted(), [unkept, kept].toSorted());
  assert.deepEqual(await forked({ ids: [other] }), [unkept], 'of the disk only those that are asked for');
  assert.equal((await both.messages([m1]))[0]?.id, m1);
  assert.equal((await both.messages([m2]))[0]?.id, m2);
  assert.equal((await both.open(unkept))?.path.at(-1)?.id, m3);
  await both.trash(unkept);
  assert.equal((await both.open(unkept))?.trashed, true);
  assert.equal((await both.fields(unkept))?.trashed, true);
  assert.equal((await both.fields(kept))?.trashed, false);
  await both.restore(unkept);
  assert.deepEqual((await both.search('canary')).hits, []);
  assert.equal((await both.search('kept')).hits.length, 1);

  const drafts = draftsBeside(draftsIn(folder));
  await drafts.keep(unkept, 'a canary draft');
  await drafts.keepAttached(unkept, 'a canary attachment');
  await drafts.keep(kept, 'a kept draft');
  assert.deepEqual(
    [await drafts.read(unkept), await drafts.readAttached(unkept)],
    ['a canary draft', 'a canary attachment'],
  );
  assert.deepEqual(filesWith(folder, 'canary'), []);
  assert.equal(filesWith(folder, 'a kept draft').length, 1);
  await drafts.forget(unkept);
  await both.erase(unkept);
  assert.deepEqual(
    [await drafts.read(unkept), await both.open(unkept), await listed()],
    ['', undefined, [other, kept]],
  );
  await both.erase(other);
  assert.deepEqual(await both.erased([unkept, kept, other]), new Set([unkept, other]));
});
