// What a history tells of each change: the window that wrote it, the messages and the fields, or that all must be looked at.

import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ChangeLog, changeBy, changedAltogether, type HistoryChange } from '../../../src/core/history/historyChange.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { answerFact, blockFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';

const patience = { timeout: 20_000 };
const session = 'session22222';
const aBlock = { kind: 'text', mime: 'text/markdown', text: 'more' } as const;

/** What is told from now on, as one change of the session. */
function listen(history: SessionHistory): {
  readonly told: HistoryChange[];
  readonly until: (isIt: () => boolean) => Promise<void>;
} {
  const told: HistoryChange[] = [];
  let heard = () => {};
  history.onDidAppend(change => {
    if (change.session === session) told.push(change);
    heard();
  });
  return {
    told,
    async until(isIt) {
      while (!isIt()) await new Promise<void>(resolve => (heard = resolve));
    },
  };
}

async function fill(history: SessionHistory): Promise<void> {
  await history.append(session, [sessionFact(session), setFact(session, 'title', 'A title')]);
  await history.append(session, [
    userFact(session, 'm1', null, 'What?'),
    answerFact(session, 'm2', 'm1'),
    setFact(session, 'head', 'm2'),
    setFact(session, 'binding', null, { of: 'x' }),
  ]);
  await history.append(session, [
    textFact(session, 'm2', 0, 0, 'That.'),
    blockFact(session, 'm2', 1, aBlock),
    endFact(session, 'm2'),
  ]);
}

function changesOf(writer: string): readonly HistoryChange[] {
  const change = { session, writer, textOnly: false, all: false };
  return [
    { ...change, messages: [], fields: ['title'] },
    { ...change, messages: ['m1', 'm2'], fields: ['head', 'binding'] },
    { ...change, messages: ['m2'], fields: [] },
  ];
}

test('[J41] an append is told with its window, its messages and its fields, here and in memory', patience, async t => {
  for (const history of [
    await openTestHistory(temporaryFolder(t)),
    memoryHistory('writer22'),
  ] as readonly SessionHistory[]) {
    const { told, until } = listen(history);
    await fill(history);
    await until(() => told.length === 3);
    assert.deepEqual(told, changesOf(history.writer));
    await history.erase(session, { message: 'm2', subtree: false });
    await until(() => told.length > 3);
    assert.equal(told.at(-1)?.all, true);
    await history.erase(session);
    await until(() => told.length > 4);
    assert.equal(told.at(-1)?.all, true);
  }
});

test('[J41] another window is told the same, with the window that wrote it', patience, async t => {
  const folder = temporaryFolder(t);
  const [writing, reading] = [await openTestHistory(folder), await openTestHistory(folder)];
  const { told, until } = listen(reading);
  await fill(writing);
  const all = () => {
    const log = new ChangeLog();
    for (const change of told) log.add(change);
    return log.take()[0];
  };
  await until(() => all()?.messages.includes('m2') === true && all()?.fields.includes('binding') === true);
  // Records may come together.
  assert.deepEqual(all(), {
    session,
    writer: writing.writer,
    messages: ['m1', 'm2'],
    fields: ['title', 'head', 'binding'],
    textOnly: false,
    all: false,
  });
  await writing.erase(session);
  await until(() => told.at(-1)?.all === true);
});

test('[J41] files that come or go, and joined ones, are a change of everything', patience, async t => {
  const folder = temporaryFolder(t);
  const [writing, reading] = [await openTestHistory(folder), await openTestHistory(folder)];
  const journal = join(folder, 'journal');
  await fill(writing);
  while ((await reading.sessions())[0]?.messages !== 2) await new Promise(resolve => setImmediate(resolve));
  await reading.append(session, [setFact(session, 'pinned', true)]);
  const { told, until } = listen(reading);
  const [segment = ''] = readdirSync(journal).filter(name => name.includes(writing.writer));
  renameSync(join(journal, segment), join(folder, segment));
  await until(() => told.at(-1)?.all === true);
  assert.equal(told.at(-1)?.writer, null);
  renameSync(join(folder, segment), join(journal, segment));
  await until(() => told.some(({ messages }) => messages.includes('m2')));
  told.length = 0;
  await writing.join(session);
  await until(() => told.some(({ all }) => all));
});

test('[J41] changes are joined by session, and one that names too much is one of everything', () => {
  const log = new ChangeLog();
  log.add(changeBy('one', 'a', [userFact('a', 'm1', null, 'x'), setFact('a', 'head', 'm1')]));
  log.add(changeBy('one', 'b', []));
  log.add(changeBy('two', 'a', [endFact('a', 'm1'), endFact('a', 'm2')]));
  assert.deepEqual(log.take(), [
    { session: 'a', writer: null, messages: ['m1', 'm2'], fields: ['head'], textOnly: false, all: false },
    { session: 'b', writer: 'one', messages: [], fields: [], textOnly: false, all: false },
  ]);
  assert.deepEqual(log.take(), []);
  const text = changeBy('one', 'a', [textFact('a', 'm2', 0, 0, 'That.'), blockFact('a', 'm2', 1, aBlock)]);
  log.add(text);
  log.add(text);
  assert.deepEqual(log.take(), [
    { session: 'a', writer: 'one', messages: ['m2'], fields: [], textOnly: true, all: false },
  ]);
  log.add(text);
  log.add(changeBy('one', 'a', [endFact('a', 'm2')]));
  assert.equal(log.take()[0]?.textOnly, false, 'its end is news for lists');
  const texts = Array.from({ length: 300 }, () => textFact('a', ids.message(), 0, 0, 'x'));
  assert.deepEqual(changeBy('one', 'a', texts), { ...changedAltogether('a'), writer: 'one' });
  const many = Array.from({ length: 300 }, () => endFact('a', ids.message()));
  assert.deepEqual(changeBy('one', 'a', many), { ...changedAltogether('a'), writer: 'one' });
});
