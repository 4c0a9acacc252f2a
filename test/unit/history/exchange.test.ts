// Sessions that go out as JSON and come in again, over real histories in folders of their own.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';
import { content, counts, exported, hash, image, imported, leftOut, make, running, two } from './exchangeStage.ts';

for (const seed of [1, 2, 3]) {
  test(`[H91] what is exported, imported elsewhere and exported again is the same, seed ${seed}`, async t => {
    const { one, from, to, other } = await two(t);
    const random = randomFrom(seed);
    const sessions = [(await make(from, random)).session, (await make(from, random)).session];
    const first = await exported(from, one, sessions);
    assert.deepEqual(counts(await imported(to, one, first)), [2, 0, 0, []]);
    const second = await exported(to, one, sessions);
    assert.deepEqual(content(second), content(first));
    assert.equal(JSON.stringify(content(second)), JSON.stringify(content(first)));
    // What a history opened anew reads is the same, and its check finds nothing.
    const again = await openTestHistory(other);
    assert.equal(await exported(again, one, sessions), second);
    assert.deepEqual((await again.check()).findings, []);
    assert.equal((await to.open(sessions[0] ?? ''))?.origin, 'import:session:abc');
    assert.equal((await to.open(sessions[0] ?? ''))?.key, null);
    // Nothing that came is in the trash, will be put away on a date or is decided.
    for (const session of sessions) {
      const stored = await to.open(session);
      assert.deepEqual([stored?.trashed, stored?.expires, stored?.decisions], [false, null, []]);
      assert.equal(stored?.archived, true);
      assert.ok((await to.tree(session)).every(({ trashed }) => !trashed));
    }
  });
}

test('[H90] an export holds every branch and attachment, and nothing that belongs to this machine alone', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, messages } = await make(history, randomFrom(5));
  const other = await make(history, randomFrom(6));
  const text = await exported(history, folder, [session]);
  const [read] = (
    JSON.parse(text) as {
      sessions: [{ messages: { id: string }[]; fields: { name: string }[]; blobs: { [hash: string]: string } }];
    }
  ).sessions;
  assert.deepEqual(read.messages.map(({ id }) => id).toSorted(), messages.toSorted());
  assert.deepEqual(Buffer.from(read.blobs[hash] ?? '', 'base64'), Buffer.from(image));
  const names = new Set(read.fields.map(({ name }) => name));
  for (const name of [...leftOut, 'archived', 'pinned', 'label', 'metadata', 'head', 'name'])
    assert.ok(names.has(name), name);
  for (const secret of ['agent-session-id', 'yolo', 'unsent', other.session]) assert.ok(!text.includes(secret), secret);
});

test('[H90] an export that is stopped or cannot be written leaves nothing, and what had its name stays', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session } = await make(history, randomFrom(7));
  const file = join(folder, 'out.json');
  writeFileSync(file, 'was here');
  const stop = new AbortController();
  const ended = await history.exportJson([session, session, session], file, {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  assert.equal(ended, false);
  assert.equal(readFileSync(file, 'utf8'), 'was here');
  await assert.rejects(history.exportJson(['nothere22222'], file, running), { code: 'no-session' });
  await assert.rejects(history.exportJson([session], join(folder, 'none', 'out.json'), running), { code: 'gone' });
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('unfinished')),
    [],
  );
});

test('[H92] the same file twice changes nothing, also when two windows take it', async t => {
  const { one, other, from, to } = await two(t);
  const { session } = await make(from, randomFrom(8));
  const text = await exported(from, one, [session]);
  const second = await openTestHistory(other);
  const results = await Promise.all([imported(to, one, text), imported(second, one, text)]);
  assert.ok(results.every(({ unread }) => unread.length === 0));
  assert.deepEqual(counts(await imported(second, one, text)), [0, 0, 1, []]);
  assert.deepEqual(counts(await imported(from, one, text)), [0, 0, 1, []]);
  assert.deepEqual(content(await exported(second, one, [session])), content(text));
  assert.equal((await second.sessions()).length, 1);
});

test('[H92] a session that grew is given what is missing, and keeps what was set and said here', async t => {
  const { one, from, to } = await two(t);
  const session = ids.session();
  const [root, cut, answer, ours] = Array.from({ length: 4 }, () => ids.message()) as [string, string, string, string];
  await from.append(session, [
    sessionFact(session),
    userFact(session, root, null, 'Question'),
    answerFact(session, cut, root),
    textFact(session, cut, 0, 0, 'Half'),
    setFact(session, 'title', 'Theirs'),
    setFact(session, 'head', cut),
  ]);
  assert.deepEqual(counts(await imported(to, one, await exported(from, one, [session]))), [1, 0, 0, []]);
  await to.append(session, [setFact(session, 'title', 'Ours'), userFact(session, ours, root, 'Said here')]);
  await from.append(session, [
    textFact(session, cut, 0, 4, ' and the rest'),
    endFact(session, cut),
    userFact(session, answer, cut, 'Next'),
    setFact(session, 'title', 'Theirs again'),
    setFact(session, 'archived', true),
    setFact(session, 'head', answer),
  ]);
  const grown = await imported(to, one, await exported(from, one, [session]));
  assert.deepEqual(counts(grown), [0, 1, 0, []]);
  assert.equal(grown.grown[0]?.messages, 1);
  const stored = await to.open(session);
  assert.deepEqual([stored?.title, stored?.archived, stored?.head], ['Ours', false, answer]);
  assert.deepEqual(
    stored?.path.map(({ blocks: [block], end }) => [block?.kind === 'text' ? block.text : '', end?.reason]),
    [
      ['Question', 'end_turn'],
      ['Half and the rest', 'end_turn'],
      ['Next', 'end_turn'],
    ],
  );
  assert.equal((await to.tree(session)).length, 4);
  // A head that a person moved stays.
  await to.append(session, [setFact(session, 'head', ours)]);
  await from.append(session, [userFact(session, ids.message(), answer, 'More')]);
  await imported(to, one, await exported(from, one, [session]));
  assert.equal((await to.open(session))?.head, ours);
});

test('[H92] what was deleted permanently comes back under another id, once, and a branch that was stays away', async t => {
  const { one, from, to } = await two(t);
  const { session, messages } = await make(from, randomFrom(9));
  const text = await exported(from, one, [session]);
  await imported(to, one, text);
  await to.erase(session);
  const back = await imported(to, one, text);
  assert.deepEqual(counts(back), [1, 0, 0, []]);
  assert.notEqual(back.added[0]?.id, session);
  assert.deepEqual(counts(await imported(to, one, text)), [0, 0, 1, []]);
  const without = (exports: string) => JSON.stringify(content(exports)).replace(/"id":"[0-9a-z]{12}"/, '');
  assert.equal(without(await exported(to, one, [back.added[0]?.id ?? ''])), without(text));
  // Of a session that lives on.
  const branch = messages[1] ?? '';
  await from.erase(session, { message: branch, subtree: true });
  const left = (await from.tree(session)).length;
  const kept = await imported(from, one, text);
  assert.deepEqual([counts(kept), kept.erased], [[0, 0, 1, []], messages.length - left]);
  assert.equal((await from.tree(session)).length, left);
});
