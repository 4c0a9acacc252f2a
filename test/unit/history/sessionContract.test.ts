// The contract of single sessions, for the history on the disk and for the one of incognito sessions in memory: the same
// steps, allowed and not, have the same outcome in both, and after each step both answer the same to everything that is
// asked of a session. The disk's own contract is in the files beside this one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { BranchChoice, History, SessionHistory } from '../../../src/core/history/history.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { Block, Json } from '../../../src/model/message.ts';
import type { Fact, FieldName } from '../../../src/model/record.ts';
import {
  agentRef,
  answerFact,
  blockFact,
  endFact,
  sessionFact,
  setFact,
  textFact,
  userFact,
} from '../support/facts.ts';
import { openTestHistory, temporaryFolder } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';
import { randomFrom } from '../support/random.ts';

const sessions = ['session2', 'session3'];

type Step = (history: SessionHistory) => Promise<unknown>;

/** Everything that can be asked, with what is thrown as its code. */
async function answers(history: SessionHistory, messages: readonly string[]): Promise<unknown> {
  const all: unknown[] = [await history.sessions()];
  for (const session of sessions) {
    const stored = await history.open(session);
    const { path: _path, branches: _branches, ...fields } = stored ?? {};
    assert.deepEqual((await history.fields(session)) ?? {}, fields, '[J42] the same without the path');
    all.push(
      stored,
      [...(await history.erased([session, 'session4']))],
      await history.tree(session),
      await history.audit(session),
      await history.branches(session, null),
    );
    for (const message of messages.filter(id => id.startsWith(session))) {
      all.push(await outcome(() => history.open(session, message)), await history.branches(session, message));
      all.push(await outcome(() => history.messages([message])));
    }
  }
  return all;
}

async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await run()) ?? 'nothing';
  } catch (cause) {
    assert.ok(cause instanceof HistoryError, String(cause));
    return cause.code;
  }
}

function steps(random: () => number, known: string[]): Step {
  const below = (most: number) => Math.floor(random() * most);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const session = one(sessions);
  const own = known.filter(id => id.startsWith(session));
  const some = () => (random() < 0.06 || own.length === 0 ? `${session}none` : one(own));
  const fresh = () => {
    const id = random() < 0.05 && known.length > 0 ? one(known) : `${session}m${known.length}`;
    if (!known.includes(id)) known.push(id);
    return id;
  };
  const parent = () => (own.length === 0 || random() < 0.1 ? null : some());
  const choice = (): BranchChoice => ({ message: some(), subtree: random() < 0.6 });
  const blocks: readonly Block[] = [
    { kind: 'text', mime: 'text/markdown', text: 'words '.repeat(below(9)) },
    { kind: 'text', mime: 'text/markdown', text: 'long '.repeat(60_000) },
    { kind: 'image', mime: 'image/png', data: new Uint8Array([below(3), 1, 2]) },
  ];
  const names: readonly FieldName[] = [
    'title',
    'givenTitle',
    'pinned',
    'archived',
    'head',
    'binding',
    'option',
    'name',
    'queue',
    'queued',
    'systemPrompt',
    'metadata',
  ];
  const field = (): Fact => {
    const name = one(names);
    // Of a queued prompt, what is long goes to blobs; anything else that is long is refused.
    const content = one(['short', '“long” '.repeat(60_000)]);
    const queued = one([null, { content, data: [new Uint8Array(below(3) * 200_000)] }]);
    if (name === 'queued') return { type: 'set', session, name, of: one(['x', 'y']), value: queued, from: some() };
    if (name === 'systemPrompt') return { type: 'set', session, name, value: one([{ content }, null]), from: some() };
    if (name === 'metadata') return setFact(session, name, one(['a', null]), { of: 'systemPrompt', from: some() });
    if (name === 'queue') return setFact(session, name, { writer: 'writer22', waiting: [one([content, 'short'])] });
    const isFlag = name === 'pinned' || name === 'archived';
    const value = isFlag ? random() < 0.5 : name === 'head' ? some() : one(['a', 'b', null, 'x'.repeat(300_000)]);
    if (name === 'name') return setFact(session, name, value, { of: some(), from: some() });
    return setFact(session, name, value, name === 'binding' || name === 'option' ? { of: one(['x', 'y']) } : {});
  };
  const usage = { inputTokens: below(9), cost: { amount: 1, currency: one(['EUR', 'USD']) } };
  const append =
    (...facts: readonly Fact[]): Step =>
    history =>
      history.append(session, facts);
  const at = below(1000);
  switch (below(14)) {
    case 0:
      return append(sessionFact(session, at), setFact(session, 'title', 'A title'));
    case 1:
    case 2: {
      const [prompt, above] = [fresh(), parent()];
      return append(sessionFact(session, at), userFact(session, prompt, above, `What is ${at}?`, at));
    }
    case 3:
    case 4:
      return append(answerFact(session, fresh(), parent(), { created: at, agent: agentRef }));
    case 5:
      return append(textFact(session, some(), 0, 0, 'an answer'));
    case 6:
      return append(blockFact(session, some(), 0, one(blocks)));
    case 7:
      return append(endFact(session, some(), { at, usage }));
    case 8:
    case 9: {
      const fact = field();
      return history => history.append(session, [waitingHere(fact, history)]);
    }
    case 10: {
      const branch = choice();
      return history => history.trash(session, random() < 0 ? undefined : branch);
    }
    case 11: {
      const message = random() < 0.3 ? undefined : some();
      return history => history.restore(session, message);
    }
    case 12:
      return history => history.trash(session);
    default: {
      const branch = random() < 0.9 ? choice() : undefined;
      return history => history.erase(session, branch);
    }
  }
}

/** What waits in another window is nothing that memory could have. */
function waitingHere(fact: Fact, { writer }: SessionHistory): Fact {
  if (fact.type !== 'set' || (fact.name !== 'queue' && fact.name !== 'queued') || fact.value === null) return fact;
  return { ...fact, value: { ...(fact.value as { readonly [name: string]: Json }), writer } };
}

test('[H105] [J42] a session in memory answers and refuses as one on the disk does', { timeout: 120_000 }, async t => {
  for (let seed = 1; seed <= 4; seed++) {
    const disk: History = await openTestHistory(temporaryFolder(t));
    const memory = memoryHistory(disk.writer);
    const random = randomFrom(seed);
    const known: string[] = [];
    for (let at = 0; at < 60; at++) {
      const step = steps(random, known);
      const [theirs, ours] = [await outcome(() => step(disk)), await outcome(() => step(memory))];
      const where = `seed ${seed}, step ${at}: ${step.toString()}`;
      assert.deepEqual(ours, theirs, where);
      assert.deepEqual(await answers(memory, known), await answers(disk, known), where);
    }
  }
});

test('[H105] [T13] a queued prompt of any length is taken, on the disk and in memory; another long value is refused', async t => {
  for (const history of [await openTestHistory(temporaryFolder(t)), memoryHistory('writer22')]) {
    await history.append('session2', [sessionFact('session2'), userFact('session2', 'm1', null, 'Look')]);
    const queued = (content: string): Fact => {
      const value = { content, data: [new Uint8Array(10_000_000)] };
      return { type: 'set', session: 'session2', name: 'queued', of: 'q1', value, from: 'm2' };
    };
    await history.append('session2', [queued('“quotes” '.repeat(500_000))]);
    await history.append('session2', [queued('"\\'.repeat(16_000))]);
    const named = ['title', 'metadata', 'queue', 'option', 'binding', 'decision'] as const;
    for (const name of named) {
      const fact = setFact('session2', name, 'x'.repeat(300_000), name === 'title' ? {} : { of: 'k' });
      await assert.rejects(history.append('session2', [fact]), new HistoryError('too-large'));
    }
  }
});

test('[H105] what is kept in memory is not what somebody changes later, and bytes come back as bytes', async () => {
  const memory = memoryHistory('writer22');
  const data = new Uint8Array([1, 2, 3]);
  await memory.append('session2', [sessionFact('session2'), userFact('session2', 'm1', null, 'Look')]);
  await memory.append('session2', [answerFact('session2', 'm2', 'm1')]);
  await memory.append('session2', [blockFact('session2', 'm2', 0, { kind: 'image', mime: 'image/png', data })]);
  data.fill(9);
  const waiting = { content: 'short', data: [new Uint8Array([1, 2, 3])] };
  const ref = {
    sha256: createHash('sha256')
      .update(new Uint8Array([1, 2, 3]))
      .digest('hex'),
    size: 3,
  };
  assert.deepEqual((await memory.messages(['m2']))[0]?.blocks[0], { kind: 'image', mime: 'image/png', data: ref });
  assert.deepEqual([...(await memory.blob('session2', ref))], [1, 2, 3]);
  await memory.erase('session2', { message: 'm2', subtree: false });
  await assert.rejects(memory.blob('session2', ref), new HistoryError('no-blob'));
  await memory.append('session2', [{ type: 'set', session: 'session2', name: 'queued', of: 'q1', value: waiting }]);
  assert.deepEqual([...(await memory.blob('session2', ref))], [1, 2, 3]);
  await memory.erase('session2');
  await assert.rejects(memory.blob('session2', ref), new HistoryError('no-blob'));
  assert.deepEqual(await memory.sessions(), []);
});

test('[H105] a session in memory needs no file that may be written', async () => {
  const script = join(import.meta.dirname, 'withoutDisk.ts');
  await promisify(execFile)(process.execPath, ['--permission', '--allow-fs-read=*', script]);
});

test('[H105] the history on the disk takes nothing of an incognito session', async t => {
  const disk = await openTestHistory(temporaryFolder(t));
  const id = 'incognito~session22222';
  await assert.rejects(disk.append(id, [sessionFact(id), userFact(id, 'm1', null, 'A secret')]), {
    name: 'HistoryError',
  });
  assert.deepEqual(await disk.sessions(), []);
});
