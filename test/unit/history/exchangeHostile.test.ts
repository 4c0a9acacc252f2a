// What is made of a file with sessions that a stranger wrote, over a real history.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { longestInline, type KeepBlob } from '../../../src/core/history/blobs.ts';
import { blockIn, messageIn } from '../../../src/core/exchange/messageShape.ts';
import type { SessionId } from '../../../src/model/message.ts';
import { writeSession } from '../../../src/node/history/import/writeSession.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';
import { content, counts, exported, hash, image, imported, make, nested, running, two } from './exchangeStage.ts';

test('[H93] a session and messages that only have the ids of others are kept apart, and those others stay', async t => {
  const { one, from, to } = await two(t);
  const { session, messages } = await make(from, randomFrom(10));
  const text = await exported(from, one, [session]);
  // Another session has its id; and a third one has a message with the id of one of its messages.
  await to.append(session, [sessionFact(session, 5), userFact(session, ids.message(), null, 'Mine')]);
  const third = ids.session();
  await to.append(third, [sessionFact(third, 6), userFact(third, messages[0] ?? '', null, 'Mine too')]);
  const result = await imported(to, one, text);
  assert.deepEqual(counts(result), [1, 0, 0, []]);
  assert.deepEqual(counts(await imported(to, one, text)), [0, 0, 1, []]);
  const [came] = result.added;
  assert.equal((await to.tree(came?.id ?? '')).length, messages.length);
  assert.equal((await to.tree(session)).length, 1);
  const [mine] = await to.messages([messages[0] ?? '']);
  assert.deepEqual(
    [mine?.session, mine?.blocks[0]],
    [third, { kind: 'text', mime: 'text/markdown', text: 'Mine too' }],
  );
  // Names and places went along to the new ids.
  const stored = await to.open(came?.id ?? '');
  const tree = await to.tree(came?.id ?? '');
  assert.equal(tree.find(({ name }) => name === 'The other way')?.id, stored?.head);
});

test('[H93] the changes of an imported answer can be seen and never be put into a workspace', async t => {
  const { one, from, to } = await two(t);
  const { session, messages } = await make(from, randomFrom(11));
  await imported(to, one, await exported(from, one, [session]));
  const [answer] = await to.messages([messages[1] ?? '']);
  const changes = answer?.blocks.find(block => block.kind === 'changes');
  const after = changes?.kind === 'changes' ? changes.files[0]?.foreign?.after : undefined;
  assert.ok(after?.kind === 'file' && after.content && 'sha256' in after.content);
  assert.deepEqual(Buffer.from(await to.blob(session, after.content)), Buffer.from(image));
});

/** A file with one good session, in which each row spoils something. */
function good(): { format: unknown; version: unknown; sessions: unknown; [field: string]: unknown } {
  const message = (id: string, parent: string | null) => ({
    id,
    parent,
    role: 'user',
    created: 1000,
    blocks: [{ kind: 'text', mime: 'text/plain', text: 'x' }],
    end: { reason: 'end_turn', at: 1000 },
  });
  const session = {
    id: '222222222222',
    created: 900,
    agent: { id: 'a', name: 'A' },
    fields: [{ name: 'title', value: 'Good' }],
    messages: [message('one', null), message('two', 'one')],
    blobs: {},
  };
  return { format: 'throughline-sessions', version: 1, sessions: [session] };
}

/** What is set at a way into the file. */
function spoilt(way: readonly (string | number)[], value: unknown): string {
  const file = structuredClone(good());
  let at = file as { [step: string | number]: unknown };
  for (const step of way.slice(0, -1)) at = at[step] as { [step: string | number]: unknown };
  at[way.at(-1) ?? ''] = value;
  return JSON.stringify(file);
}

const first = ['sessions', 0] as const;
const firstMessage = [...first, 'messages', 0] as const;
const refusals: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['garbage', 'garbage', /not JSON/],
  ['nothing', '', /not JSON/],
  ['a file that was cut', JSON.stringify(good()).slice(0, -9), /its end is missing/],
  ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), /UTF-8/],
  ['very deep JSON', '['.repeat(500_000) + ']'.repeat(500_000), /not an export/],
  ['another format', spoilt(['format'], 'x'), /not an export/],
  ['no version', spoilt(['version'], 'x'), /which version/],
  ['a newer version', spoilt(['version'], 2), /newer version/],
  ['no sessions', spoilt(['sessions'], {}), /no list of sessions/],
  ['a session that is none', spoilt(first, 'x'), /no session/],
  ['an id that leads elsewhere', spoilt([...first, 'id'], '../../etc/pw'), /id is none/],
  ['an id of letters that no id has', spoilt([...first, 'id'], '000000000000'), /id is none/],
  ['a session of tomorrow', spoilt([...first, 'created'], 4e15), /still to come/],
  ['a session without a time', spoilt([...first, 'created'], null), /still to come/],
  ['no agent', spoilt([...first, 'agent'], 'a'), /agent has no name/],
  ['a system prompt that is none', spoilt([...first, 'systemPrompt'], {}), /not written as an export/],
  ['messages that are none', spoilt([...first, 'messages'], {}), /not written as an export/],
  ['something nested deeply', spoilt([...first, 'fields', 0, 'value'], nested(600)), /nested too deeply/],
  ['a message id that leads elsewhere', spoilt([...firstMessage, 'id'], '../x'), /message 1 is not/],
  ['two of one id', spoilt([...firstMessage, 'id'], 'two'), /same id/],
  ['a circle', spoilt([...firstMessage, 'parent'], 'two'), /circle/],
  ['one that answers itself', spoilt([...firstMessage, 'parent'], 'one'), /circle/],
  ['a message of tomorrow', spoilt([...firstMessage, 'created'], 4e15), /message 1 is none, or/],
  ['an end of tomorrow', spoilt([...firstMessage, 'end', 'at'], 4e15), /message 1 is none, or/],
  ['a role that nobody has', spoilt([...firstMessage, 'role'], 'system'), /message 1 is not/],
  ['a text that is none', spoilt([...firstMessage, 'blocks', 0, 'text'], 5), /message 1 is not/],
  ['a kind that nobody knows', spoilt([...firstMessage, 'blocks', 0, 'kind'], 'constructor'), /message 1 is not/],
  [
    'a hash that is a path',
    spoilt([...firstMessage, 'blocks', 0], { kind: 'image', mime: 'a/b', data: { sha256: '../a', size: 1 } }),
    /message 1 is not/,
  ],
  ['an attachment that is another', spoilt([...first, 'blobs'], { [hash]: 'AAAA' }), /not what it was/],
  ['an attachment that is none', spoilt([...first, 'blobs'], { x: 'AAAA' }), /not written as/],
];

test('[H93] what a file may not hold is refused in words, and nothing of its session comes in', async t => {
  const [folder, at] = [temporaryFolder(t), temporaryFolder(t)];
  const history = await openTestHistory(at);
  for (const [name, text, words] of refusals) {
    const result = await imported(history, folder, text);
    assert.deepEqual([result.added, result.grown, result.here], [[], [], []], name);
    assert.equal(result.unread.length, 1, name);
    assert.match(result.unread[0]?.words ?? '', words, name);
  }
  assert.deepEqual(await history.sessions(), []);
  assert.deepEqual(readdirSync(join(at, 'journal')), []);
  assert.ok(!existsSync(join(at, 'blobs')) || readdirSync(join(at, 'blobs')).length === 0);
  assert.deepEqual(counts(await imported(history, folder, JSON.stringify(good()))), [1, 0, 0, []]);
  // A bad one takes no good one with it.
  const file = good();
  const [fine] = file.sessions as [object];
  const result = await imported(
    history,
    folder,
    JSON.stringify({ ...file, sessions: [{}, { ...fine, id: '333333333333' }, null] }),
  );
  assert.deepEqual([result.added.length + result.grown.length, result.unread.length], [1, 2]);
  assert.deepEqual(
    result.unread.map(({ title }) => title),
    ['Session 1', 'Session 3'],
  );
});

test('[H131] a file in any layout is read', async t => {
  const { one, from, to } = await two(t);
  const { session } = await make(from, randomFrom(12));
  const text = await exported(from, one, [session]);
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inside]) => [key, turned(inside)]),
    );
  };
  const spaced = JSON.stringify(turned(JSON.parse(text)), null, '\r\n \t').replaceAll('/', '\\/');
  const layout = `\ufeff \n${spaced.replace('{', '{"another": [{"sessions": ["]}"]}, "\\\\"],')}\n `;
  assert.deepEqual(counts(await imported(to, one, layout)), [1, 0, 0, []]);
  assert.deepEqual(counts(await imported(to, one, text)), [0, 0, 1, []]);
  assert.deepEqual(turned(content(await exported(to, one, [session]))), turned(content(text)));
});

test('[H93] what would deceive or reach beyond is made harmless', async t => {
  const [folder, at] = [temporaryFolder(t), temporaryFolder(t)];
  const history = await openTestHistory(at);
  const file = good();
  const [session] = file.sessions as [
    { fields: unknown[]; messages: { [field: string]: unknown }[]; [field: string]: unknown },
  ];
  session.fields = [
    { name: 'title', value: `\u202eevil\u0007\n\u{e0041}${'x'.repeat(2000)}` },
    {
      name: 'binding',
      of: 'a\nb',
      value: { agent: 'a', agentSession: 'b', from: null, head: 'two', dirty: false, cwd: null, owner: 'x' },
    },
    { name: 'option', of: 'a', value: { mode: 'bypassPermissions' } },
    { name: 'queue', value: { writer: 'gone2222', waiting: [{ id: 'q', text: 'rm -rf' }] } },
    { name: 'head', value: 'elsewhere' },
    { name: 'name', of: 'elsewhere', value: 'x' },
    { name: 'metadata', of: '__proto__', value: { polluted: true } },
    { name: 'pinned', value: 'yes' },
    { name: 'nobodyKnows', value: 1 },
    null,
  ];
  session['key'] = { key: 'review', generation: 0 };
  session['origin'] = 'agent:\u202ex';
  // It answers what is not there: it begins the conversation.
  Object.assign(session.messages[0] ?? {}, { parent: 'dangling', surprise: 1, session: 'another' });
  const text = JSON.stringify(file).replace('"fields"', '"__proto__":{"polluted":true},"fields"');
  assert.deepEqual(counts(await imported(history, folder, text)), [1, 0, 0, []]);
  const stored = await history.open('222222222222');
  assert.ok(stored);
  assert.match(stored.title, /^ evil {2} {1,2}x+…$/);
  assert.equal(Array.from(stored.title).length, 500);
  assert.deepEqual([stored.bindings, stored.options, stored.queue, stored.key], [[], [], null, null]);
  assert.deepEqual([stored.head, stored.pinned], ['two', false]);
  assert.ok(!(await exported(history, folder, ['222222222222'])).includes('elsewhere'));
  assert.equal(stored.path.at(-2)?.session, '222222222222');
  assert.ok(!('surprise' in (stored.path.at(-2) ?? {})));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.notEqual(await history.openByKey('review', { created: 1, agent: { id: 'a', name: 'A' } }), '222222222222');
  assert.deepEqual(counts(await imported(history, folder, text)), [0, 0, 1, []]);
});

test('[H93] a message that is let through has no field that nobody knows', () => {
  const end = { reason: 'end_turn', at: 1 };
  const message = { id: 'one', parent: null, role: 'user', created: 1, blocks: [], end };
  assert.deepEqual(messageIn({ ...message, session: 'x', end: { ...end, surprise: 1 }, surprise: 1 }), message);
  const block = { kind: 'text', mime: 'text/plain', text: 'x' };
  assert.deepEqual(blockIn({ ...block, surprise: 1 }), block);
});

test('[H131] a file that is larger than any export is not read', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(temporaryFolder(t));
  const file = join(folder, 'large.json');
  writeFileSync(file, '');
  truncateSync(file, 256 * 1024 * 1024 + 1);
  const { unread } = await history.importJson(file, running);
  assert.match(unread[0]?.words ?? '', /larger than 256 MB/);
});

test('[H131] a long message is written in parts', async t => {
  const [folder, at] = [temporaryFolder(t), temporaryFolder(t)];
  const history = await openTestHistory(at);
  const text = 'x'.repeat(200_000);
  const blocks = Array.from({ length: 40 }, () => ({ kind: 'text', mime: 'text/plain', text }));
  const file = spoilt([...firstMessage, 'blocks'], blocks);
  assert.deepEqual(counts(await imported(history, folder, file)), [1, 0, 0, []]);
  const [segment = ''] = readdirSync(join(at, 'journal'));
  const lines = readFileSync(join(at, 'journal', segment), 'utf8').split('\n');
  assert.ok(Math.max(...lines.map(({ length }) => length)) < 5 * 1024 * 1024);
  const [one] = await history.messages(['one']);
  assert.deepEqual(one?.blocks, blocks);
});

test('[H93] a session of which the import is stopped in the middle is not there, and leaves no file', async t => {
  const folder = temporaryFolder(t);
  const store = new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
  const session = ids.session();
  const label = (of: number) => setFact(session, 'label', true, { of: `l${of}` });
  const stop = new AbortController();
  const long = 'x'.repeat(longestInline + 1);
  async function* source(keep: KeepBlob) {
    yield [sessionFact(session), userFact(session, 'one', null, long), label(0)];
    assert.equal(readdirSync(store.journal).length, 1, 'it is being written');
    stop.abort();
    yield [label(1)];
    keep('never asked for');
  }
  assert.equal(await writeSession(store, session, source, ids.writer(), stop.signal), false);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  assert.deepEqual(files, []);
  assert.equal(store.intake.catchUpOn(session), false);
  store.close();
});

test('[H93] an import that is stopped keeps whole sessions only, and is finished by the next one', async t => {
  const { one, from, to } = await two(t);
  const sessions: SessionId[] = [];
  for (const seed of [1, 2, 3]) sessions.push((await make(from, randomFrom(seed))).session);
  const file = join(one, 'three.json');
  await from.exportJson(sessions, file, running);
  const stop = new AbortController();
  const result = await to.importJson(file, {
    signal: stop.signal,
    onProgress: ({ done }) => {
      if (done === 1) stop.abort();
    },
  });
  assert.equal(result.stopped, true);
  for (const { id } of await to.sessions()) {
    assert.deepEqual(content(await exported(to, one, [id])), content(await exported(from, one, [id])));
  }
  await to.importJson(file, running);
  assert.deepEqual(content(await exported(to, one, sessions)), content(readFileSync(file, 'utf8')));
  assert.deepEqual((await to.check()).findings, []);
});
