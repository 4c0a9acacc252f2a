// The full-text index over its life: made, saved, loaded, brought up to date, and rid of what is erased.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { History } from '../../../src/core/history/history.ts';
import { wordsOf } from '../../../src/core/history/words.ts';
import { textOf, type Message } from '../../../src/model/message.ts';
import { ChangedSessions } from '../../../src/node/history/search/changedSessions.ts';
import { SearchIndex } from '../../../src/node/history/search/searchIndex.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';
import { found, say } from '../support/said.ts';

/** The files of the full-text index. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => name.startsWith('search-'));
}

test('[J25] what is saved is used again, and what came since is added', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const one = await say(first, ['quetzal one', 'quetzal two']);
  assert.deepEqual(await found(first, 'quetzal'), one.messages.toReversed());
  await first.close();
  const [file = '', ...others] = filesIn(folder);
  assert.match(file, /^search-[0-9a-z]+\.db$/);
  assert.deepEqual(others, []);

  // Written between two searches, by a process that never searched.
  const second = await openTestHistory(folder);
  const more = await say(second, ['quetzal three'], 5000);
  await second.close();
  assert.deepEqual(filesIn(folder), [file]);

  const third = await openTestHistory(folder);
  const all = [...more.messages, ...one.messages.toReversed()];
  assert.deepEqual(await found(third, 'quetzal'), all);
  await third.close();
  const [next = ''] = filesIn(folder);
  assert.notEqual(next, file);

  // Nothing new: the file stays as it is.
  const fourth = await openTestHistory(folder);
  assert.deepEqual(await found(fourth, 'quetzal'), all);
  await fourth.close();
  assert.deepEqual(filesIn(folder), [next]);

  const bytes = readFileSync(join(folder, next));
  for (const damage of [bytes.subarray(0, -1), Buffer.alloc(0), Buffer.concat([bytes, bytes]), flipped(bytes)]) {
    for (const name of filesIn(folder)) writeFileSync(join(folder, name), damage);
    const again = await openTestHistory(folder);
    const damaged = filesIn(folder);
    assert.deepEqual(await found(again, 'quetzal'), all);
    await again.close();
    assert.ok(!filesIn(folder).some(name => damaged.includes(name)), 'another takes its place');
  }
});

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1;
  return copy;
}

test("[J25] another window's messages are found", async t => {
  const folder = temporaryFolder(t);
  const [here, there] = [await openTestHistory(folder), await openTestHistory(folder)];
  const { session, messages } = await say(here, ['word here']);
  assert.deepEqual(await found(here, 'word'), messages);
  const told = new Promise<void>(resolve => {
    const stop = here.onDidAppend(change => {
      if (change.session !== session) return;
      stop();
      resolve();
    });
  });
  await untilKnown(there, session);
  const next = ids.message();
  await there.append(session, [userFact(session, next, messages[0] ?? null, 'word there', 2000)]);
  await told;
  assert.deepEqual(await found(here, 'word'), [next, ...messages]);
  assert.deepEqual(await found(there, 'word'), [next, ...messages]);
});

async function untilKnown(history: History, session: string): Promise<void> {
  while (!(await history.open(session))) await new Promise(resolve => setTimeout(resolve, 10));
}

test('[J25] what was erased is not found, by no window, and its words are in no file', async t => {
  const folder = temporaryFolder(t);
  const here = await openTestHistory(folder);
  const there = await openTestHistory(folder);
  // More sessions than tables, so that some share one with what is erased.
  const kept = [];
  for (let at = 0; at < 40; at++) kept.push(await say(here, [`keepword${at} keepword`], 2000 + at));
  const whole = await say(here, ['zebraquark one', 'zebraquark two']);
  const part = await say(here, ['keepword root', 'xylophonequark', 'answer xylophonequark']);
  for (const { session } of [...kept, whole, part]) await untilKnown(there, session);
  const everything = kept.length + 1;
  for (const history of [here, there]) {
    assert.equal((await found(history, 'keepword ')).length, everything, history === here ? 'here' : 'there');
    assert.equal((await found(history, 'zebraquark')).length, 2);
    assert.equal((await found(history, 'xylophonequark')).length, 2);
  }
  await here.close();
  assert.ok(wordsInFiles(folder, ['zebraquark', 'xylophonequark']) >= 2, 'the words can be found where they are');

  const again = await openTestHistory(folder);
  assert.equal((await found(again, 'zebraquark')).length, 2);
  await again.erase(whole.session);
  await again.erase(part.session, { message: part.messages[1] ?? '', subtree: true });
  for (const history of [again, there]) {
    const wait = Date.now() + 10_000;
    while (history === there && (await there.open(whole.session)) && Date.now() < wait) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.deepEqual(await found(history, 'zebraquark'), []);
    assert.deepEqual(await found(history, 'xylophonequark'), []);
    assert.equal((await found(history, 'keepword ')).length, everything);
  }
  await again.close();
  await there.close();
  assert.ok(filesIn(folder).length > 0, 'the index is saved again');
  assert.equal(wordsInFiles(folder, ['zebraquark', 'xylophonequark']), 0);
  const last = await openTestHistory(folder);
  assert.equal((await found(last, 'keepword ')).length, everything);
  assert.deepEqual(await found(last, 'zebraquark'), []);
});

test('[J25] a file that was made before something was erased is not used', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const { session } = await say(first, ['zebraquark']);
  const other = await say(first, ['keepword']);
  await found(first, 'zebraquark');
  await first.close();
  const [file = ''] = filesIn(folder);
  const bytes = readFileSync(join(folder, file));
  const second = await openTestHistory(folder);
  await second.erase(session);
  await second.close();
  // As a window would leave it that was writing it then.
  writeFileSync(join(folder, file), bytes);
  const third = await openTestHistory(folder);
  assert.deepEqual(await found(third, 'zebraquark'), []);
  assert.deepEqual(await found(third, 'keepword'), other.messages);
  await third.close();
  assert.equal(wordsInFiles(folder, ['zebraquark']), 0);
});

/** How many of the words are in the bytes of full-text indexes. */
function wordsInFiles(folder: string, words: readonly string[]): number {
  const contents = filesIn(folder).map(name => readFileSync(join(folder, name)));
  // The tables may leave out what a word has in common with the one before it.
  return words.filter(word => contents.some(bytes => bytes.includes(word.slice(2)))).length;
}

test('[J25] appends go on while the first search makes the index', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const text = Array.from({ length: 400 }, (_, at) => `word${at * 7919}`).join(' ');
  // In one session, because that is what is read in one go.
  const big = await say(history, [text]);
  for (let at = 0; at < 150; at++) {
    const facts = Array.from({ length: 20 }, (_, index) =>
      userFact(big.session, ids.message(), big.messages[0] ?? null, `${text} ${index}`),
    );
    await history.append(big.session, facts);
  }
  const { session, messages } = await say(history, ['needle']);
  let isDone = false;
  const search = history.search('needle').finally(() => (isDone = true));
  let during = 0;
  let last = messages[0] ?? null;
  while (!isDone) {
    const next = ids.message();
    await history.append(session, [userFact(session, next, last, 'needle', 2000 + during)]);
    last = next;
    if (!isDone) during++;
  }
  assert.ok(during >= 20, `${during} appends while the index was made`);
  assert.ok((await search).hits.length > 0);
  // What was appended meanwhile is not lost for the next.
  assert.equal((await found(history, 'needle')).length, during + 2);
});

test('[J25] what is erased while the index is made is not in it, and everything else is', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const text = Array.from({ length: 300 }, (_, at) => `word${at * 7919}`).join(' ');
  const small = [];
  for (let at = 0; at < 24; at++) small.push(await say(history, ['word0 zebraquark']));
  for (let at = 0; at < 24; at++)
    await say(
      history,
      Array.from({ length: 100 }, () => text),
    );
  const search = history.search('zebraquark');
  for (const { session } of small) await history.erase(session);
  assert.deepEqual((await search).hits, []);
  assert.equal((await found(history, 'word0 ')).length, 2400);
  await history.close();
  assert.equal(wordsInFiles(folder, ['zebraquark']), 0);
});

test('[J25] what is dropped while its session is added is added again', async t => {
  const { store, search } = await inProcess(t, Date.now);
  const session = ids.session();
  const text = Array.from({ length: 300 }, (_, at) => `word${at * 7919}`).join(' ');
  store.append(session, [sessionFact(session)])();
  for (let at = 0; at < 100; at++) {
    store.append(
      session,
      Array.from({ length: 10 }, () => userFact(session, ids.message(), null, text)),
    )();
  }
  const result = search.search('word0', { limit: 2000 });
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  search.forget(session);
  assert.equal((await result).hits.length, 1000);
});

test('[J25] a message that grew for minutes and was left is found without a word from anybody', async t => {
  let now = 1_000_000;
  const { store, search } = await inProcess(t, () => now);
  const [session, message] = [ids.session(), ids.message()];
  const { end: _end, ...growing } = userMessage(message, null, 'left behind', now);
  store.append(session, [sessionFact(session), { type: 'message', session, message: growing }])();
  const asked = async () => (await search.search('left', {})).hits.map(hit => hit.message);
  assert.deepEqual(await asked(), []);
  now += 10 * 60_000;
  assert.deepEqual(await asked(), [message]);
  assert.deepEqual(await asked(), [message]);
});

/** Without the worker, so that a test can step in. */
async function inProcess(
  t: TestContext,
  now: () => number,
): Promise<{ readonly store: Store; readonly search: SearchIndex }> {
  const folder = temporaryFolder(t);
  const store = new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
  const search = new SearchIndex(store, new ChangedSessions(store.journal), now);
  t.after(() => {
    search.close();
    store.close();
  });
  return { store, search };
}

test('[J25] closing does not wait for an index that is being made', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const text = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
  for (let at = 0; at < 20; at++)
    await say(
      history,
      Array.from({ length: 100 }, () => text),
    );
  const search = history.search('word1').catch((cause: unknown) => cause);
  await history.close();
  assert.ok((await search) instanceof Error);
  const again = await openTestHistory(folder);
  assert.equal((await found(again, 'word299 ')).length, 2000);
});

test('[J25] a search finds what reading every message would find', async t => {
  const folder = temporaryFolder(t);
  let history = await openTestHistory(folder);
  const random = randomFrom(2526);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const words = [
    'a',
    'ab',
    'abc',
    'ABd',
    'café',
    'cafe',
    'Straße',
    'getUser',
    'user',
    'userName',
    '数据',
    '据',
    '库数据',
    'が',
    '서버',
    '🎉',
    'x1',
    '42',
  ];
  const between = [' ', ' ', ' ', '  ', '-', ', ', '\n', '', '"', '(', '*', '. '];
  const some = (most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(words) + pick(between)).join('');
  const all: Message[] = [];
  let hits = 0;
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 12; at++) {
      const { session } = await say(
        history,
        Array.from({ length: 5 }, () => some(8)),
        1000 * round + 10 * at,
      );
      all.push(...((await history.open(session))?.path ?? []));
    }
    for (let at = 0; at < 80; at++) {
      const asked = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Asked => {
        const isQuoted = random() < 0.3;
        const length = random() < 0.4 ? 2 : 1;
        const text = Array.from({ length }, () => pick(words)).join(isQuoted ? ' ' : '');
        const isOpen = random() < 0.2;
        return { text, isOpen, query: isQuoted ? `"${text}${isOpen ? '*' : ''}"` : `${text}${isOpen ? '*' : ''}` };
      });
      const isTyped = random() < 0.5 && !asked.at(-1)?.query.endsWith('"');
      const query = asked.map(one => one.query).join(pick([' ', ' - ', '; '])) + (isTyped ? '' : pick([' ', '.']));
      const isOpen = (one: Asked) => one.isOpen || (isTyped && one === asked.at(-1));
      const expected = all.filter(message => asked.every(one => isThere(textOf(message), one.text, isOpen(one))));
      hits += expected.length;
      assert.deepEqual(
        new Set(await found(history, query)),
        new Set(expected.map(({ id }) => id)),
        JSON.stringify(query),
      );
    }
    await history.close();
    history = await openTestHistory(folder);
  }
  assert.ok(hits > 500, `${hits} hits of 240 queries`);
});

interface Asked {
  readonly text: string;
  readonly isOpen: boolean;
  readonly query: string;
}

/** Whether the words stand in the text, side by side: by looking at every place of it. */
function isThere(text: string, asked: string, isOpen: boolean): boolean {
  const wanted = wordsOf(asked).flatMap(word => (word.isPart ? [] : [word.text]));
  const lines = [wordsOf(text).flatMap(word => (word.isPart ? [] : [word.text]))];
  for (const word of wordsOf(text)) if (word.isPart) lines.push([word.text]);
  return lines.some(line =>
    line.some((_, from) =>
      wanted.every((word, at) => {
        const there = line[from + at];
        return isOpen && at === wanted.length - 1 ? there?.startsWith(word) : there === word;
      }),
    ),
  );
}
