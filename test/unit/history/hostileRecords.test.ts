// Records that are whole and say what no version writes, as a history that somebody else copied or edited may hold: the
// history opens, tells what is damaged, and shows the rest.

import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { SessionId } from '../../../src/model/message.ts';
import { openHistory, type OpenedHistory } from '../../../src/node/history/history.ts';
import { answerFact, blockFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { closesWith, engineFiles, ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';
import { make } from './exchangeStage.ts';
import { block, call, deep, hash, hostile, line } from './hostileFacts.ts';

const running = { signal: new AbortController().signal, onProgress() {} };

/** A history of which the test fails where its worker ends, or meets a bug. */
async function open(folder: string): Promise<OpenedHistory> {
  const bugs: HistoryError[] = [];
  const history = await openHistory({
    folder,
    writer: ids.writer(),
    ...engineFiles,
    onWarning: warning => {
      if (warning.code === 'internal') bugs.push(warning);
    },
    onCrash: cause => bugs.push(cause),
  });
  closesWith(folder, async () => {
    await history.close();
    assert.deepEqual(
      bugs.map(({ code, cause }) => [code, cause]),
      [],
    );
  });
  return history;
}

/** Everything that a window asks of a history. Gives what the session that nobody touched says. */
async function askAll(history: OpenedHistory, folder: string, untouched: SessionId): Promise<unknown> {
  const sessions = await history.sessions();
  await history.list({ order: 'newest', limit: 1000 });
  await history.search('prompt', {});
  await history.search('', { filter: { has: ['changes'] } } as never);
  await history.scan('prompt', () => {}, running.signal);
  await history.statistics();
  await history.trashedSince();
  await history.bound('a');
  for (const { id } of sessions) {
    const tree = await history.tree(id);
    const stored = await history.open(id);
    await history.openEnd(id);
    await history.audit(id);
    await history.messages(tree.map(one => one.id));
    for (const { id: head } of tree.slice(0, 5)) await history.open(id, head);
    JSON.stringify(stored);
  }
  assert.equal(
    await history.exportJson(
      sessions.map(({ id }) => id),
      join(folder, 'out.json'),
      running,
    ),
    true,
  );
  assert.ok(sessions.some(({ id }) => id === untouched));
  return [await history.open(untouched), await history.tree(untouched)];
}

async function scene(t: TestContext) {
  const folder = temporaryFolder(t);
  const [session, untouched] = [ids.session(), ids.session()];
  const [question, answer] = [ids.message(), ids.message()];
  const first = await openTestHistory(folder);
  await first.append(session, [
    sessionFact(session),
    userFact(session, question, null, 'A prompt that stays'),
    answerFact(session, answer, question),
    textFact(session, answer, 0, 0, 'An answer that stays'),
    setFact(session, 'title', 'A title that stays'),
  ]);
  await first.append(untouched, [
    sessionFact(untouched),
    userFact(untouched, ids.message(), null, 'Another prompt'),
    setFact(untouched, 'title', 'Untouched'),
  ]);
  const before = [await first.open(untouched), await first.tree(untouched)];
  await first.close();
  return { folder, session, untouched, question, answer, before };
}

/** A record of another window, with a checksum that is right. */
function plant(folder: string, session: SessionId, facts: readonly unknown[], more: object = {}): void {
  const w = ids.writer();
  const record = { v: 1, w, n: 0, h: `dzzzzzzzzz${w}`, facts, ...more };
  appendFileSync(join(folder, 'journal', `${session}~${w}.0.seg`), line(record));
}

// Most of the time is spent waiting for news of other windows.
test(
  '[J40] a record that says what no version writes is reported, and the rest is shown',
  { concurrency: 6 },
  async t => {
    const tests = hostile.map(([name, fact, more]) =>
      t.test(name, async one => {
        const { folder, session, untouched, question, answer, before } = await scene(one);
        const alsoHere = setFact(session, 'label', true, { of: 'also here' });
        plant(folder, session, [fact(session, answer), alsoHere], more);
        const history = await open(folder);
        const bad = history.recovery.bad.length;
        assert.equal(bad, 1);
        assert.deepEqual(await askAll(history, folder, untouched), before);
        const stored = await history.open(session);
        assert.equal(stored?.title, 'A title that stays');
        assert.deepEqual(
          stored?.path.map(({ id, blocks: [first] }) => [id, first?.kind === 'text' ? first.text : first?.kind]),
          [
            [question, 'A prompt that stays'],
            [answer, 'An answer that stays'],
          ],
        );
        // What fits in the same record is there.
        assert.deepEqual(stored?.labels, more && 'h' in more ? [] : ['also here']);
        const { findings } = await history.check();
        assert.deepEqual(
          findings.filter(({ code }) => code !== 'missing-blob').map(({ code }) => code),
          ['bad-record'],
        );
        // It can be worked with: what is set and said now counts.
        await history.append(session, [
          setFact(session, 'title', 'Set later'),
          userFact(session, ids.message(), answer, 'Next'),
        ]);
        assert.equal((await history.open(session))?.title, 'Set later');
        await history.join(session);
        assert.equal((await history.open(session))?.title, 'Set later');
        await history.erase(session, { message: answer, subtree: true });
        assert.equal((await history.tree(session)).length, 1);
        const again = await open(folder);
        assert.deepEqual(await askAll(again, folder, untouched), before);
      }),
    );
    await Promise.all(tests);
  },
);

test('[J40] a message whose blocks come behind a gap that no damage leaves is shown without them', async t => {
  const { folder, session, answer } = await scene(t);
  const facts = Array.from({ length: 50 }, (_, at) => blockFact(session, answer, 99_000 - at, block as never));
  plant(folder, session, [...facts, blockFact(session, answer, 3, { ...block, text: 'After a small gap' } as never)]);
  const history = await open(folder);
  const [read] = await history.messages([answer]);
  assert.equal(read?.blocks.length, 4);
  assert.deepEqual(
    read?.blocks.map(({ kind }) => kind),
    ['text', 'notice', 'notice', 'text'],
  );
  const { findings } = await history.check();
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['bad-record'],
  );
});

test('[J40] parents in a circle, keys like __proto__ and what a later version writes are no damage', async t => {
  const { folder, session, untouched, answer, before } = await scene(t);
  plant(folder, session, [
    userFact(session, 'one', 'two', 'x'),
    userFact(session, 'two', 'three', 'x'),
    userFact(session, 'three', 'one', 'x'),
    userFact(session, 'self', 'self', 'x'),
    setFact(session, 'metadata', JSON.parse('{"__proto__":{"polluted":true}}') as never, { of: '__proto__' }),
    setFact(session, 'laterField' as never, { any: [1] }),
    { type: 'later', session, whatever: [null] },
    blockFact(session, answer, 1, { kind: 'later', mime: 'a/b', value: 1 } as never),
    blockFact(session, answer, 2, { ...call, status: 'later' } as never),
  ]);
  const history = await open(folder);
  assert.deepEqual(history.recovery.bad, []);
  assert.deepEqual(await askAll(history, folder, untouched), before);
  assert.equal((await history.tree(session)).length, 6);
  assert.equal(({} as { polluted?: true }).polluted, undefined);
  assert.deepEqual((await history.check()).findings, []);
});

test('[J40] a blob takes the place of nothing that is in the record', async t => {
  const { folder, session, answer } = await scene(t);
  const facts = [blockFact(session, answer, 0, { ...block, text: 'In the record' } as never)];
  plant(folder, session, facts, { blobs: [{ sha256: hash, size: 1, as: 'text', at: [0, 'block', 'text'] }] });
  const history = await open(folder);
  const [read] = await history.messages([answer]);
  assert.deepEqual(read?.blocks, [{ ...block, text: 'In the record' }]);
});

const patience = { timeout: 110_000 };
for (const seed of [1, 2, 3, 4]) {
  test(
    `[J40] whatever is changed in records, the history opens and shows the rest, seed ${seed}`,
    patience,
    async t => {
      const random = randomFrom(seed);
      const below = (most: number) => Math.floor(random() * most);
      const folder = temporaryFolder(t);
      const first = await openTestHistory(folder);
      const { session: untouched } = await make(first, random);
      const others = [(await make(first, random)).session, (await make(first, random)).session];
      const before = [await first.open(untouched), await first.tree(untouched)];
      await first.close();
      const journal = join(folder, 'journal');
      const files = readdirSync(journal).filter(name => !name.startsWith(untouched));
      assert.equal(files.length, others.length);
      const contents = new Map(files.map(name => [name, readFileSync(join(journal, name), 'utf8')]));
      for (let round = 0; round < 6; round++) {
        for (const [name, content] of contents) {
          const lines = content.split('\n').filter(line => line.trim() !== '');
          const records = lines.map(line => JSON.parse(line.slice(18)) as { w: string; n: number; facts: unknown[] });
          for (let times = 1 + below(4); times > 0; times--) for (const one of records) mutate(one.facts, random);
          writeFileSync(join(journal, name), Buffer.concat(records.map(line)));
        }
        for (const name of readdirSync(folder)) if (/\.db$/.test(name)) writeFileSync(join(folder, name), '');
        const history = await open(folder);
        assert.deepEqual(await askAll(history, folder, untouched), before, `round ${round}`);
        await history.check();
        await history.close();
      }
    },
  );
}

const values: readonly unknown[] = [
  ...[null, true, -1, 0.5, 3e7, 1e300, Number.MAX_SAFE_INTEGER, '', '__proto__', '../../x', 'x'.repeat(70_000)],
  ...[[], {}, [null], { sha256: hash, size: 1 }, { length: 1e9 }, deep(7000), JSON.parse('{"__proto__":{"a":1}}')],
];

/** Changes something at a random place inside. */
function mutate(root: unknown[], random: () => number): void {
  const below = (most: number) => Math.floor(random() * most);
  let inside: { [key: string]: unknown } = root as never;
  for (;;) {
    const keys = Object.keys(inside);
    const key = keys[below(keys.length)];
    if (key === undefined) return;
    const next = inside[key];
    if (typeof next === 'object' && next !== null && Object.keys(next).length > 0 && random() < 0.8) {
      inside = next as never;
      continue;
    }
    if (random() < 0.3 && !Array.isArray(inside)) delete inside[key];
    else inside[key] = values[below(values.length)];
    return;
  }
}
