// Searching everything, without an index, over real files.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { statSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { History, ScanProgress } from '../../../src/core/history/history.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { sessionFact, userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';

const never = new AbortController().signal;

function scan(history: History, text: string): Promise<ScanProgress> {
  return history.scan(text, () => {}, never);
}

async function begin(history: History, created = 1000): Promise<string> {
  const session = ids.session();
  await history.append(session, [sessionFact(session, created)]);
  return session;
}

/** An answer with these blocks. */
async function answer(history: History, session: string, blocks: readonly Block[], created = 1000): Promise<string> {
  const id = ids.message();
  const message: Omit<Message, 'session'> = { ...userMessage(id, null, '', created), role: 'assistant', blocks };
  await history.append(session, [{ type: 'message', session, message }]);
  return id;
}

function text(words: string): Block {
  return { kind: 'text', mime: 'text/markdown', text: words };
}

function toolCall(input: unknown, output: string): Block {
  return {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'c',
    title: 'Run the titleword',
    tool: 'execute',
    status: 'completed',
    locations: [{ path: 'src/pathword.ts' }],
    input: input as never,
    output: [{ type: 'content', content: { type: 'text', text: output } }],
  };
}

test('[J26] any text is found wherever it stands, whatever its characters', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const session = await begin(history);
  const long = 'é'.repeat(200_000);
  const blocks: readonly Block[] = [
    text('Prose with a "quoted word" and a tab\there'),
    { kind: 'thought', mime: 'text/plain', text: 'a thought\nof two lines' },
    toolCall(
      { command: 'echo "$HOME" \\ && ls', nested: { list: [1, 65_535, 'deepword'] } },
      'C:\\Users\\me\r\n  at line 2\u0007',
    ),
    { kind: 'plan', mime: 'application/json', entries: [{ content: 'planword', priority: 'high', status: 'pending' }] },
    text('Größe ÄÖÜ, Москва, 数据库, ΟΔΟΣ, 😀🎉, ​zero\u2028line'),
    { kind: 'resource', mime: 'text/plain', uri: 'file:///resourceword', text: `${long} blobbed text` },
    text('lone \ud800 surrogate'),
    { kind: 'unknown', mime: 'application/json', value: { any: ['unknownword'] } },
    { kind: 'notice', mime: 'text/plain', severity: 'info', text: 'noticeword' },
    { kind: 'image', mime: 'image/png', name: 'imageword', data: new Uint8Array([1, 2, 3]) },
  ];
  const id = await answer(history, session, blocks);
  const rows: readonly (readonly [needle: string, block: number, position: number])[] = [
    ['QUOTED WORD"', 0, 14],
    ['"quoted', 0, 13],
    ['tab\there', 0, 33],
    ['thought\nof', 1, 2],
    ['titleword', 2, 8],
    ['pathword', 2, 4],
    ['"$HOME" \\ &&', 2, 5],
    ['65535', 2, 0],
    ['deepword', 2, 0],
    ['c:\\users\\ME\r\n  at', 2, 0],
    ['line 2\u0007', 2, 18],
    ['PLANWORD', 3, 0],
    ['größe äöü', 4, 0],
    ['МОСКВА', 4, 11],
    ['据库', 4, 20],
    ['οδοσ', 4, 24],
    ['😀🎉', 4, 30],
    ['zero\u2028', 4, 37],
    ['resourceword', 5, 8],
    ['ÉÉ BLOBBED', 5, 199_998],
    ['\ud800 SURR', 6, 5],
    ['unknownword', 7, 0],
    ['noticeword', 8, 0],
    ['imageword', 9, 0],
  ];
  for (const [needle, block, position] of rows) {
    const { hits, bytesRead, bytes } = await scan(history, needle);
    assert.deepEqual(
      hits.map(hit => [hit.session, hit.message, hit.leaf, hit.block, hit.position]),
      [[session, id, id, block, position]],
      needle,
    );
    assert.ok(bytes > 400_000 && bytesRead === bytes);
    const [hit] = hits;
    const [mark] = hit?.marks ?? [];
    const marked = hit?.snippet.slice(mark?.at, (mark?.at ?? 0) + (mark?.length ?? 0));
    const plain = (one: string) => one.toLowerCase().replaceAll('ς', 'σ').replace(/\s+/g, ' ').trim();
    assert.equal(plain(marked ?? ''), plain(needle));
  }
  for (const needle of ['', 'no such text', 'mime', 'toolCall', 'callId', '\\n', 'text/markdown', '.*', 'cafe']) {
    assert.deepEqual((await scan(history, needle)).hits, [], needle);
  }
});

test('[J26] text that was streamed in pieces is found across them, and a block that was replaced is not', async t => {
  const folder = temporaryFolder(t);
  const first = await openTestHistory(folder);
  const session = await begin(first);
  const id = ids.message();
  const { end: _end, ...message } = userMessage(id, null, '');
  const whole = 'streamed in very small pieces 😀, and all of them together';
  await first.append(session, [{ type: 'message', session, message: { ...message, blocks: [] } }]);
  const piece = (offset: number, length: number): Fact => ({
    type: 'text',
    session,
    message: id,
    at: 0,
    kind: 'text',
    mime: 'text/markdown',
    offset,
    text: whole.slice(offset, offset + length),
  });
  for (let offset = 0; offset < whole.length; offset += 3) await first.append(session, [piece(offset, 3)]);
  const block = (output: string): Fact => ({ type: 'block', session, message: id, at: 1, block: toolCall({}, output) });
  await first.append(session, [block('pending')]);
  await first.append(session, [block('finished')]);
  for (const needle of ['REAMED', 'very small pieces', 'pieces 😀,', '😀', whole, 'finished']) {
    assert.deepEqual(
      (await scan(first, needle)).hits.map(hit => hit.message),
      [id],
      needle,
    );
  }
  assert.deepEqual((await scan(first, 'pending')).hits, []);
  // The same when its records were copied into another file.
  await first.close();
  const second = await openTestHistory(folder);
  await second.append(session, [userFact(session, ids.message(), id, 'another file')]);
  await second.join(session);
  assert.ok(readdirSync(join(folder, 'journal')).some(name => name.endsWith('.joined')));
  assert.deepEqual(
    (await scan(second, 'very small pieces')).hits.map(hit => hit.message),
    [id],
  );
});

test('[J26] titles are found too, the trash is left out, and the newest comes first', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const [one, two, three] = [await begin(history), await begin(history), await begin(history)];
  const words = async (session: string, created: number) => answer(history, session, [text('the needle')], created);
  const [a, b, c, d] = [
    await words(one, 5000),
    await words(two, 4000),
    await words(two, 6000),
    await words(three, 9000),
  ];
  await history.append(one, [{ type: 'set', session: one, name: 'title', value: 'About needles' }]);
  await history.trash(three);
  const { hits } = await scan(history, 'NEEDLE');
  assert.deepEqual(
    hits.map(({ session, message, created }) => [session, message, created]),
    [
      [two, c, 6000],
      [one, null, 5000],
      [one, a, 5000],
      [two, b, 4000],
    ],
  );
  assert.deepEqual(hits[1] && [hits[1].title, hits[1].position, hits[1].marks], [
    'About needles',
    6,
    [{ at: 6, length: 6 }],
  ]);
  await history.trash(two, { message: c, subtree: true });
  assert.deepEqual(
    (await scan(history, 'needle')).hits.map(hit => hit.message),
    [null, a, b],
  );
  await history.restore(three);
  assert.equal((await scan(history, 'needle')).hits[0]?.message, d);
  await history.erase(one);
  assert.deepEqual(
    (await scan(history, 'needle')).hits.map(hit => hit.message),
    [d, b],
  );
});

/** A history of some megabytes, in which every hundredth message has the needle. */
async function fill(history: History, megabytes: number): Promise<void> {
  const random = randomFrom(26);
  const noise = Array.from({ length: 4000 }, () => Math.floor(random() * 1e9).toString(36)).join(' ');
  for (let at = 0; at < megabytes * 2; at++) {
    const session = ids.session();
    const facts = Array.from({ length: 20 }, (_, index) =>
      userFact(session, ids.message(), null, `${noise} ${index === 10 && at % 5 === 0 ? 'needle' : ''}`, 1000 + at),
    );
    await history.append(session, [sessionFact(session), ...facts]);
  }
}

test('[J26] progress goes forward with new hits each time, and appends go on meanwhile', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  await fill(history, 30);
  const progress: ScanProgress[] = [];
  const answered: string[] = [];
  // The letters outside of ASCII make it slower.
  const scanning = history.scan('Ä', one => progress.push(one), never).finally(() => answered.push('scan'));
  const session = ids.session();
  const more = Array.from({ length: 5 }, () => [userFact(session, ids.message(), null, 'more')]);
  const appends = [[sessionFact(session)], ...more].map(async facts => {
    await history.append(session, facts);
    answered.push('append');
  });
  await Promise.all([scanning, ...appends]);
  assert.deepEqual((await scanning).hits, []);
  assert.deepEqual(answered, [...appends.map(() => 'append'), 'scan'], 'appends wait for no scan');
  assert.ok(progress.length >= 2, `${progress.length} times told`);

  const told: ScanProgress[] = [];
  const { hits, bytesRead, bytes } = await history.scan('needle', one => told.push(one), never);
  assert.equal(hits.length, 12);
  assert.equal(bytesRead, bytes);
  const size = readdirSync(join(folder, 'journal')).reduce(
    (sum, name) => sum + statSync(join(folder, 'journal', name)).size,
    0,
  );
  assert.equal(bytes, size);
  assert.deepEqual(
    new Set(told.flatMap(one => one.hits.map(hit => hit.message))),
    new Set(hits.map(hit => hit.message)),
  );
  assert.equal(
    told.reduce((sum, one) => sum + one.hits.length, 0),
    hits.length,
    'each hit is told once',
  );
  for (const all of [progress, told]) {
    all.reduce((before, one) => (assert.ok(one.bytesRead >= before && one.bytesRead <= one.bytes), one.bytesRead), 0);
  }
});

test('[J26] one at a time, and stopped it gives what it has', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  await fill(history, 30);
  const stop = new AbortController();
  const first = history.scan('Ä', () => {}, stop.signal);
  const second = scan(history, 'other');
  stop.abort();
  await assert.rejects(second, (cause: unknown) => cause instanceof HistoryError && cause.code === 'busy');
  const { bytesRead, bytes } = await first;
  assert.ok(bytesRead < bytes, 'it was stopped before its end');
  assert.equal((await scan(history, 'needle')).hits.length, 12);
  const closed = history.scan('Ä', () => {}, never).catch(() => 'closed');
  await history.close();
  await closed;
});

test('[J26] many hits are cut, and those of the sessions that were active last stay', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  for (let at = 0; at < 12; at++) {
    const session = await begin(history);
    const facts = Array.from({ length: 50 }, (_, index) =>
      userFact(session, ids.message(), null, 'the same', 1000 * (at + 1) + index),
    );
    await history.append(session, facts);
  }
  const { hits } = await scan(history, 'same');
  assert.equal(hits.length, 500);
  assert.deepEqual([hits[0]?.created, hits.at(-1)?.created], [12_049, 3000]);
});
