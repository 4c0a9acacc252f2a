// Every kind and size of content, byte for byte, and what is said where its file is gone or damaged.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { History } from '../../../src/core/history/history.ts';
import type { Block, Bytes, Json } from '../../../src/model/message.ts';
import { BlobFiles } from '../../../src/node/history/journal/blobFiles.ts';
import { answerFact, blockFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { refused } from '../support/refused.ts';

const patience = { timeout: 60_000 };

async function begin(history: History): Promise<{ readonly session: string; readonly message: string }> {
  const [session, message] = [ids.session(), ids.message()];
  await history.append(session, [sessionFact(session), answerFact(session, message, null)]);
  return { session, message };
}

function blobsOf(folder: string, session: string): readonly string[] {
  const inside = join(folder, 'blobs', session);
  return existsSync(inside) ? readdirSync(inside) : [];
}

function text(words: string): Block {
  return { kind: 'text', mime: 'text/markdown', text: words };
}

function call(input: Json, output: readonly Json[] = [], extra?: { readonly [key: string]: Json }): Block {
  const block = { kind: 'toolCall', mime: 'application/json', callId: 'c', title: 't', tool: 'read' } as const;
  return { ...block, status: 'completed', locations: [], input, output, ...(extra ? { extra } : {}) };
}

const kb256 = 256 * 1024;
/** As JSON, because a literal would set the prototype. */
const hostile = JSON.parse(
  `{"__proto__":{"polluted":1},"constructor":"c","toString":[null],"":"","a b":1,"1":"one","\\u0000":"\\ud800"}`,
) as { readonly [key: string]: Json };
const hostileLong = JSON.parse(
  `{"__proto__":{"__proto__":["${'x'.repeat(kb256 + 1)}"]},"hasOwnProperty":"${'y'.repeat(kb256 + 1)}"}`,
) as { readonly [key: string]: Json };

function nested(depth: number, inside: Json): Json {
  let value = inside;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

/** `files` is how many files of their own the content has. */
const rows: readonly { readonly what: string; readonly block: Block; readonly files: number }[] = [
  { what: 'nothing', block: text(''), files: 0 },
  { what: 'line ends and controls', block: text('a\r\n\n\u0000\u001b[31m\u2028\u2029\u0085'), files: 0 },
  { what: 'a lone surrogate', block: text('a\ud800b\udc00'), files: 0 },
  { what: 'a byte order mark', block: text('\ufeffa'), files: 0 },
  { what: 'just below 256 KB', block: text('a'.repeat(kb256 - 1)), files: 0 },
  { what: 'exactly 256 KB', block: text('a'.repeat(kb256)), files: 0 },
  { what: 'just above 256 KB', block: text('a'.repeat(kb256 + 1)), files: 1 },
  { what: 'exactly 256 KB of two bytes each', block: text('é'.repeat(kb256 / 2)), files: 0 },
  { what: 'just above, of two bytes each', block: text(`${'é'.repeat(kb256 / 2)}a`), files: 1 },
  { what: 'just below, of three bytes each', block: text('汉'.repeat(Math.floor(kb256 / 3))), files: 0 },
  { what: 'just above, of three bytes each', block: text('汉'.repeat(Math.ceil(kb256 / 3))), files: 1 },
  { what: 'exactly 256 KB of four bytes each', block: text('😀'.repeat(kb256 / 4)), files: 0 },
  { what: 'just above, of four bytes each', block: text(`${'😀'.repeat(kb256 / 4)}a`), files: 1 },
  { what: 'long, with a byte order mark', block: text(`\ufeff${'a'.repeat(kb256)}\u0000\r\n`), files: 1 },
  { what: 'long, with a lone surrogate', block: text(`${'a'.repeat(kb256 * 2)}\ud800`), files: 0 },
  { what: 'a long thought', block: { kind: 'thought', mime: 'text/plain', text: 't'.repeat(kb256 * 2) }, files: 1 },
  { what: 'keys of the language', block: call(hostile, [hostile], hostile), files: 0 },
  { what: 'long values at keys of the language', block: call(1, [], hostileLong), files: 2 },
  { what: 'deep', block: call(nested(1000, 'inside')), files: 0 },
  { what: 'deeper than a thread takes from another', block: call(nested(2500, 'inside')), files: 0 },
  { what: 'deep, and long inside', block: call(nested(2500, 'z'.repeat(kb256 + 1))), files: 1 },
  {
    what: 'a long input and two long outputs',
    block: call('i'.repeat(kb256 * 2), ['o'.repeat(kb256 * 2), 1, ['p'.repeat(kb256 * 2)]]),
    files: 3,
  },
  {
    what: 'a diff',
    block: call({}, [{ type: 'diff', path: '/a', oldText: null, newText: 'n'.repeat(kb256 * 2) }]),
    files: 1,
  },
  {
    what: 'a plan',
    block: {
      kind: 'plan',
      mime: 'application/json',
      entries: [{ content: 'c'.repeat(kb256 * 2), priority: 'low', status: 'pending' }],
    },
    files: 1,
  },
  {
    what: 'a resource as text',
    block: { kind: 'resource', mime: 'text/x', uri: 'file:///a', name: 'a', text: 'r'.repeat(kb256 * 2) },
    files: 1,
  },
  { what: 'a resource by its address', block: { kind: 'resource', mime: 'text/x', uri: 'file:///a' }, files: 0 },
  {
    what: 'an image by its address',
    block: { kind: 'image', mime: 'image/png', uri: 'https://a', name: 'a' },
    files: 0,
  },
  {
    what: 'a notice',
    block: { kind: 'notice', mime: 'text/plain', severity: 'error', text: 'n'.repeat(kb256 * 2) },
    files: 1,
  },
  {
    what: 'an unknown update',
    block: { kind: 'unknown', mime: 'application/json', value: { a: ['u'.repeat(kb256 * 2), null] } },
    files: 1,
  },
];

test('[J29] every kind and size of text is given back as it was', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const written: { readonly message: string; readonly block: Block; readonly what: string }[] = [];
  for (const { what, block, files } of rows) {
    const { session, message } = await begin(history);
    await history.append(session, [blockFact(session, message, 0, block)]);
    assert.equal(blobsOf(folder, session).length, files, what);
    written.push({ message, block, what });
  }
  for (const window of [history, await openTestHistory(folder)]) {
    for (const { message, block, what } of written) {
      const [found] = await window.messages([message]);
      assert.ok(same(found?.blocks, [block]), `${what}: ${JSON.stringify(found?.blocks).slice(0, 200)}`);
    }
  }
});

/** As text: what is deep is deeper than `assert.deepEqual` goes, and of what is long the difference would be longer. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

test(
  '[J29] several questions at once each have their own answer, where some are too deep to be sent',
  patience,
  async t => {
    const history = await openTestHistory(temporaryFolder(t));
    const { session, message } = await begin(history);
    const block = call(nested(2500, 'inside'));
    const next = ids.message();
    await history.append(session, [blockFact(session, message, 0, block), userFact(session, next, message, 'next')]);
    const answers = await Promise.all([
      history.messages([next]),
      history.messages([message]),
      history.open(session),
      history.messages([message, next]),
      history.messages([next]),
    ]);
    const [short, deep, opened, both, last] = answers;
    assert.deepEqual(short, last);
    assert.ok(same(deep[0]?.blocks, [block]));
    assert.ok(same(opened?.path, [...deep, ...short]));
    assert.ok(same(both, [...deep, ...short]));
  },
);

test('[J29] streaming text longer than a record holds is whole', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const parts = ['é'.repeat(kb256), 'short', '汉'.repeat(kb256), ' and its end'];
  let offset = 0;
  for (const part of parts) {
    await history.append(session, [textFact(session, message, 0, offset, part)]);
    offset += part.length;
  }
  await history.append(session, [endFact(session, message)]);
  for (const window of [history, await openTestHistory(folder)]) {
    assert.ok(same((await window.messages([message]))[0]?.blocks, [text(parts.join(''))]));
  }
});

test('[J29] a tool output of 50 MB is given back as it was', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const output = 'A line of a log that does not end.\n'.repeat(1_500_000);
  assert.ok(output.length > 50 * 1024 * 1024);
  await history.append(session, [blockFact(session, message, 0, call({ command: 'yes' }, [output]))]);
  const [found] = await history.messages([message]);
  const block = found?.blocks[0];
  assert.ok(block?.kind === 'toolCall' && block.output[0] === output);
  const segments = readdirSync(join(folder, 'journal')).map(name =>
    readFileSync(join(folder, 'journal', name), 'utf8'),
  );
  const lengths = segments.flatMap(text => text.split('\n').map(line => line.trim().length));
  assert.ok(Math.max(...lengths) < 4096, 'each record is small');
});

function bytesOf(length: number, first: number): Uint8Array {
  const bytes = new Uint8Array(length).map((_, at) => (at * 31) & 255);
  bytes[0] = first;
  return bytes;
}

test('[J29] bytes of any kind and size are fetched as they were', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const contents = [
    new Uint8Array(),
    new Uint8Array([0]),
    bytesOf(10, 0xef),
    bytesOf(kb256 + 1, 1),
    bytesOf(5_000_000, 2),
    // Not from the beginning of its buffer.
    bytesOf(100, 3).subarray(10, 20),
  ];
  const kinds = ['image', 'audio', 'video', 'image', 'video', 'resource'] as const;
  const blocks = contents.map((data, at): Block => {
    const kind = kinds[at] ?? 'image';
    return kind === 'resource'
      ? { kind, mime: 'x/y', uri: 'file:///a', data }
      : { kind, mime: 'x/y', name: `${at}`, data };
  });
  await history.append(
    session,
    blocks.map((block, at) => blockFact(session, message, at, block)),
  );
  for (const window of [history, await openTestHistory(folder)]) {
    const [found] = await window.messages([message]);
    for (const [at, content] of contents.entries()) {
      const block = found?.blocks[at];
      const data: Bytes | undefined = block && 'data' in block ? block.data : undefined;
      assert.ok(data && !(data instanceof Uint8Array), `${at}`);
      assert.deepEqual(data, { sha256: createHash('sha256').update(content).digest('hex'), size: content.length });
      assert.deepEqual(Buffer.from(await window.blob(session, data)), Buffer.from(content));
      assert.deepEqual({ ...block, data: null }, { ...blocks[at], data: null });
    }
  }
});

test('[J29] many blobs in one record, and the same content twice in one file', patience, async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const image = (at: number): Block => ({ kind: 'image', mime: 'image/png', data: bytesOf(100, at % 20) });
  await history.append(
    session,
    Array.from({ length: 60 }, (_, at) => blockFact(session, message, at, image(at))),
  );
  assert.equal(blobsOf(folder, session).length, 20);
  await history.append(session, [blockFact(session, message, 60, image(3))]);
  assert.equal(blobsOf(folder, session).length, 20);
  const blocks = (await history.messages([message]))[0]?.blocks ?? [];
  assert.equal(blocks.length, 61);
  for (const [at, block] of blocks.entries()) {
    assert.ok(block.kind === 'image' && block.data && !(block.data instanceof Uint8Array));
    assert.equal((await history.blob(session, block.data))[0], at === 60 ? 3 : at % 20);
  }
});

const harms: readonly { readonly what: string; readonly act: (file: string) => void }[] = [
  { what: 'gone', act: file => rmSync(file) },
  { what: 'cut', act: file => truncateSync(file, statSync(file).size - 1) },
  { what: 'empty', act: file => truncateSync(file, 0) },
  { what: 'longer', act: file => writeFileSync(file, 'x', { flag: 'a' }) },
  { what: 'of other bytes', act: file => writeFileSync(file, readFileSync(file).fill(65, 0, 1)) },
];

test('[J29] a file that is gone or damaged says so in its place, and the same content mends it', patience, async t => {
  for (const { what, act } of harms) {
    const folder = temporaryFolder(t);
    const history = await openTestHistory(folder);
    const { session, message } = await begin(history);
    const data = bytesOf(1000, 7);
    const blocks: readonly Block[] = [
      text('b'.repeat(kb256 + 1)),
      { kind: 'image', mime: 'image/png', data },
      text('kept'),
    ];
    const facts = (id: string) => blocks.map((block, at) => blockFact(session, id, at, block));
    await history.append(session, facts(message));
    for (const name of blobsOf(folder, session)) act(join(folder, 'blobs', session, name));
    for (const window of [history, await openTestHistory(folder)]) {
      const [lost, image, kept] = (await window.messages([message]))[0]?.blocks ?? [];
      assert.match(lost?.kind === 'text' ? lost.text : '', /^\(262145 bytes belong here;.* gone .* damaged.\)$/, what);
      assert.deepEqual(kept, blocks[2], what);
      assert.ok(image?.kind === 'image' && image.data && !(image.data instanceof Uint8Array));
      await assert.rejects(window.blob(session, image.data), refused('no-blob'), what);
    }
    const again = ids.message();
    await history.append(session, [answerFact(session, again, null), ...facts(again)]);
    for (const id of [message, again]) {
      const [first, image] = (await history.messages([id]))[0]?.blocks ?? [];
      assert.ok(same(first, blocks[0]), what);
      assert.ok(image?.kind === 'image' && image.data && !(image.data instanceof Uint8Array));
      assert.deepEqual(Buffer.from(await history.blob(session, image.data)), Buffer.from(data), what);
    }
  }
});

test('[J29] what is asked for by a hash that is none is refused, and reads no other file', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session } = await begin(history);
  writeFileSync(join(folder, 'secret'), 'secret');
  for (const sha256 of ['../../secret', '', 'a'.repeat(63), 'A'.repeat(64), 'a'.repeat(64)]) {
    await assert.rejects(history.blob(session, { sha256, size: 6 }), refused('no-blob'), sha256);
  }
  for (const other of ['../blobs', ids.session()]) {
    await assert.rejects(history.blob(other, { sha256: 'a'.repeat(64), size: 6 }), refused('no-blob'));
  }
});

test('[J29] a hash that would become a path outside of the blobs is refused before a file is touched', t => {
  const folder = temporaryFolder(t);
  const files = new BlobFiles(folder, 'writer');
  const session = ids.session();
  files.keep(session, 'there');
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'outside');
  for (const sha256 of [
    '../../outside',
    `../${session}/../../outside`,
    outside,
    '',
    '.',
    'A'.repeat(64),
    `${'a'.repeat(64)}/..`,
  ]) {
    const ref = { sha256, size: 7 };
    assert.throws(() => files.remove(session, ref), /This is no hash/, sha256);
    assert.throws(() => files.has(session, ref), /This is no hash/, sha256);
    assert.equal(files.read(session, ref), null);
  }
  assert.equal(readFileSync(outside, 'utf8'), 'outside');
  assert.equal(readdirSync(join(folder, 'blobs', session)).length, 1);
});

test('[J29] a branch’s name and a session’s title are as they were set', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const { session, message } = await begin(history);
  const words = 'a\u0000b\ud800 “x”\r\n😀';
  await history.append(session, [
    setFact(session, 'givenTitle', words),
    setFact(session, 'name', words, { of: message }),
    userFact(session, ids.message(), message, 'x'),
  ]);
  for (const window of [history, await openTestHistory(folder)]) {
    assert.equal((await window.open(session))?.title, words);
    assert.equal((await window.tree(session)).find(({ id }) => id === message)?.name, words);
  }
});
