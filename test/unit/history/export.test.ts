// The exported file, read by another SQLite than the one that wrote it.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';
import { createEncoder } from '../../../src/core/history/codec.ts';
import type { History } from '../../../src/core/history/history.ts';
import { HistoryError, type HistoryErrorCode } from '../../../src/core/history/historyError.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import { recordVersion } from '../../../src/model/record.ts';
import { agentRef, sessionFact, userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

type Row = { readonly [column: string]: SQLOutputValue };

const long = 'Ein langer Text, 長い文章, texte long. 😀\n'.repeat(12_000);
const image = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) % 256);
const blocks: readonly Block[] = [
  { kind: 'text', mime: 'text/markdown', text: 'Plain, “quoted”, \u202e, 日本, 😀' },
  { kind: 'text', mime: 'text/markdown', text: 'with a NUL \0 in it' },
  { kind: 'text', mime: 'text/markdown', text: 'with half a pair \ud83d' },
  { kind: 'text', mime: 'text/markdown', text: '' },
  { kind: 'text', mime: 'text/markdown', text: long, extra: { annotations: { priority: 1 } } },
  { kind: 'thought', mime: 'text/markdown', text: 'Let me see.' },
  {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'call_1',
    title: 'Read a file',
    tool: 'read',
    status: 'completed',
    locations: [{ path: 'a/b.ts', line: 3 }],
    input: { path: 'a/b.ts' },
    output: [{ type: 'content', text: long }, 'half a pair \udc00', null, 1.5],
  },
  { kind: 'plan', mime: 'application/json', entries: [{ content: 'Do it', priority: 'high', status: 'pending' }] },
  { kind: 'image', mime: 'image/png', data: image, name: 'a.png' },
  { kind: 'audio', mime: 'audio/wav', data: new Uint8Array(0) },
  { kind: 'image', mime: 'image/png', uri: 'https://example.org/a.png' },
  { kind: 'resource', mime: 'text/plain', uri: 'file:///a', text: 'text of it' },
  { kind: 'resource', mime: 'application/pdf', uri: 'file:///b', data: image.subarray(5, 900) },
  { kind: 'notice', mime: 'text/plain', severity: 'warning', text: 'Look out.' },
  { kind: 'unknown', mime: 'application/json', value: { what: 'nobody knows' } },
];

interface Made {
  readonly history: History;
  readonly folder: string;
  readonly session: string;
  readonly branch: string;
}

/** One of everything. */
async function make(t: TestContext): Promise<Made> {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(join(folder));
  const session = ids.session();
  const [root, answer, branch, open, gone] = Array.from({ length: 5 }, () => ids.message()) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const fact = { ...sessionFact(session), cwd: '/home/a', origin: 'import', systemPrompt: `Be kind. ${long}` };
  await history.append(session, [fact, userFact(session, root, null, 'root')]);
  await history.append(session, [
    {
      type: 'message',
      session,
      message: { id: answer, parent: root, role: 'assistant', created: 2e12, agent: agentRef, blocks },
    },
  ]);
  const usage = { inputTokens: 5, outputTokens: 7, thoughtTokens: 2, cost: { amount: 0.25, currency: 'USD' } };
  await history.append(session, [
    { type: 'end', session, message: answer, end: { reason: 'failed', at: 2e12 + 5, detail: 'Why.', usage } },
    userFact(session, branch, root, 'another branch', 3000),
    { type: 'message', session, message: { ...userMessage(open, answer, 'beside'), label: 'subagent:find:1' } },
    userFact(session, gone, answer, 'to be erased', 3000),
    { type: 'set', session, name: 'name', of: branch, value: 'The other way' },
    { type: 'set', session, name: 'title', value: 'Fix the parser' },
    { type: 'set', session, name: 'label', of: 'urgent', value: true },
    { type: 'set', session, name: 'metadata', of: 'ticket', value: { id: 12 } },
    { type: 'set', session, name: 'archived', value: true },
    { type: 'set', session, name: 'head', value: answer },
  ]);
  await history.append(session, [
    {
      type: 'message',
      session,
      message: { id: 'open22', parent: branch, role: 'assistant', created: 4000, blocks: [] },
    },
    {
      type: 'text',
      session,
      message: 'open22',
      at: 0,
      kind: 'text',
      mime: 'text/markdown',
      offset: 0,
      text: 'Half an ans',
    },
  ]);
  await history.trash(session, { message: branch, subtree: true });
  await history.erase(session, { message: gone, subtree: true });
  const other = ids.session();
  const many = Array.from({ length: 100 }, (_, n) =>
    userFact(other, `many${n}`, n > 0 ? `many${n - 1}` : null, `${n}`),
  );
  await history.append(other, [sessionFact(other), ...many]);
  return { history, folder, session, branch };
}

function rowsOf(file: string, sql: string, ...values: readonly string[]): readonly Row[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(sql).all(...values) as readonly unknown[] as readonly Row[];
  } finally {
    db.close();
  }
}

/** The message as whoever knows the tables would read it, with bytes where history gives the place of them. */
function exported(file: string, id: string): unknown {
  const [row = {}] = rowsOf(file, 'SELECT * FROM message WHERE id = ?', id);
  const found = rowsOf(file, 'SELECT * FROM block WHERE message = ? ORDER BY at', id);
  return {
    columns: ['id', 'session', 'parent', 'role', 'created', 'label'].map(column => row[column]),
    agent: row['agent'] === null ? undefined : { id: row['agent'], name: row['agent_name'] },
    end: [row['ended'], row['stop_reason'], row['stop_detail'], row['input_tokens'], row['cost'], row['currency']],
    json: row['json'],
    blocks: found.map(({ kind, mime, text, json, data }) => ({
      kind,
      mime,
      ...(text === null ? {} : { text }),
      ...(data === null ? {} : { data }),
      ...(json === null ? {} : (JSON.parse(String(json)) as object)),
    })),
  };
}

async function expected(history: History, message: Message): Promise<unknown> {
  const { id, session, parent, role, created, label = null, agent, end } = message;
  return {
    columns: [id, session, parent, role, created, label],
    agent,
    end: [
      end?.at ?? null,
      end?.reason ?? null,
      end?.detail ?? null,
      end?.usage?.inputTokens ?? null,
      end?.usage?.cost?.amount ?? null,
      end?.usage?.cost?.currency ?? null,
    ],
    json: null,
    blocks: await Promise.all(
      message.blocks.map(async block => {
        const data = 'data' in block ? block.data : undefined;
        return data && 'sha256' in data ? { ...block, data: await history.blob(session, data) } : block;
      }),
    ),
  };
}

test('[J28] every message is in the exported file as history gives it, byte for byte', async t => {
  const { history, folder, session, branch } = await make(t);
  const file = join(folder, 'all.sqlite');
  await history.exportSqlite(file);
  assert.deepEqual(
    rowsOf(file, 'PRAGMA integrity_check')[0],
    Object.assign(Object.create(null), { integrity_check: 'ok' }),
  );
  assert.deepEqual(rowsOf(file, 'PRAGMA foreign_key_check'), []);
  const messages = await history.list({ order: 'oldest' });
  assert.equal(messages.length, 105);
  assert.equal(rowsOf(file, 'SELECT id FROM message').length, messages.length);
  for (const message of messages) assert.deepEqual(exported(file, message.id), await expected(history, message));
  const answer = messages.find(({ blocks: { length } }) => length === blocks.length);
  assert.deepEqual(
    rowsOf(file, 'SELECT data FROM block WHERE message = ? AND at = 8', answer?.id ?? '')[0]?.['data'],
    image,
  );

  const [row = {}] = rowsOf(file, 'SELECT * FROM session WHERE id = ?', session);
  const [summary] = (await history.sessions({ archived: true })).filter(({ id }) => id === session);
  assert.deepEqual(
    { ...row },
    {
      id: session,
      title: 'Fix the parser',
      agent: agentRef.id,
      agent_name: agentRef.name,
      model: null,
      mode: null,
      cwd: '/home/a',
      key: null,
      generation: null,
      origin: 'import',
      system_prompt: `Be kind. ${long}`,
      created: 1000,
      active: summary?.active,
      expires: null,
      messages: summary?.messages,
      trashed: 0,
      archived: 1,
      pinned: 0,
      head: answer?.id,
      input_tokens: 5,
      output_tokens: 7,
      costs: '[{"amount":0.25,"currency":"USD"}]',
    },
  );
  const one = (sql: string) => rowsOf(file, sql).map(found => Object.values(found));
  assert.deepEqual(one('SELECT session, label FROM label'), [[session, 'urgent']]);
  assert.deepEqual(one('SELECT session, key, value FROM metadata'), [[session, 'ticket', '{"id":12}']]);
  assert.deepEqual(one('SELECT id, branch_name FROM message WHERE branch_name IS NOT NULL'), [
    [branch, 'The other way'],
  ]);
  assert.deepEqual(one('SELECT count(*) FROM message WHERE trashed = 1'), [[2]]);
  assert.deepEqual(one('SELECT format, exported_at > 1700000000000 FROM about'), [[1, 1]]);
  const names = one(`SELECT name FROM field WHERE session = '${session}' AND of = '' ORDER BY name`).flat();
  assert.deepEqual(names, ['archived', 'head', 'title']);
  assert.ok(!readFileSync(file).includes('to be erased'));
  assert.ok(readFileSync(file).includes('-- JSON: [{amount, currency}]'), 'the tables say what they are');
});

test('[J28] messages of which files are gone are exported as they are shown', async t => {
  const { history, folder, session } = await make(t);
  const names = readdirSync(join(folder, 'blobs', session));
  for (const name of names) writeFileSync(join(folder, 'blobs', session, name), 'other');
  const file = join(folder, 'all.sqlite');
  await history.exportSqlite(file);
  const rows = rowsOf(file, `SELECT json, data FROM block WHERE kind = 'image' AND at = 8`);
  assert.equal(rows[0]?.['data'], null);
  assert.equal((JSON.parse(String(rows[0]?.['json'])) as { data: { size: number } }).data.size, image.length);
  assert.match(
    String(rowsOf(file, 'SELECT text FROM block WHERE at = 4')[0]?.['text']),
    /is gone from the history folder/,
  );
});

test('[J28] an export goes on while messages come, and leaves out what is erased meanwhile', async t => {
  const { history, folder, session } = await make(t);
  // Sessions are exported in the order of their ids: this one is in before it is erased.
  const erased = '222222222222';
  await history.append(erased, [sessionFact(erased), userFact(erased, ids.message(), null, 'never to be seen')]);
  const file = join(folder, 'all.sqlite');
  let done = false;
  const exporting = history.exportSqlite(file).finally(() => (done = true));
  let appended = 0;
  let erasing: Promise<unknown> | null = null;
  for (let parent: string | null = null; !done; appended++) {
    if (appended === 3) erasing = history.erase(erased);
    const id = ids.message();
    await history.append(session, [userFact(session, id, parent, `while it is written ${appended}`)]);
    parent = id;
  }
  await Promise.all([exporting, erasing]);
  assert.ok(appended > 3, `${appended} messages came`);
  assert.ok(!readFileSync(file).includes('never to be seen'));
  assert.deepEqual(rowsOf(file, 'SELECT id FROM session WHERE id = ?', erased), []);
  assert.equal(rowsOf(file, `SELECT id FROM message WHERE id LIKE 'many%'`).length, 100);
});

test('[J28] the target is replaced when the new file is whole, and only then', async t => {
  const { history, folder, session } = await make(t);
  const target = join(folder, 'out', 'all.sqlite');
  mkdirSync(join(folder, 'out'));
  writeFileSync(target, 'what was there');
  await history.exportSqlite(target);
  assert.equal(rowsOf(target, 'SELECT count(*) AS count FROM session')[0]?.['count'], 2);

  // Whoever runs the tests may write everywhere; what no system does is put a file where a folder is.
  const [folderThere, tooLong] = [join(folder, 'out', 'folder'), join(folder, 'out', 'a'.repeat(240))];
  mkdirSync(join(folderThere, 'in it'), { recursive: true });
  writeFileSync(tooLong, 'what was there');
  writeFileSync(join(folder, 'file'), '');
  const before = readdirSync(join(folder, 'out'));
  const refused: readonly [string, HistoryErrorCode][] = [
    [folderThere, 'io'],
    [tooLong, 'io'],
    [join(folder, 'nowhere', 'all.sqlite'), 'gone'],
    [join(folder, 'file', 'all.sqlite'), 'gone'],
  ];
  for (const [path, code] of refused) await assert.rejects(history.exportSqlite(path), fails(code), path);

  // A blob that nobody has the memory for; its record is whole, so it counts as there.
  const [segment = ''] = readdirSync(join(folder, 'journal')).filter(name => name.startsWith(session));
  const w = /~([0-9a-z]+)\./.exec(segment)?.[1] ?? '';
  const facts = [
    { type: 'block', session, message: 'open22', at: 1, block: { kind: 'video', mime: 'video/mp4', data: null } },
  ] as const;
  const blobs = [{ sha256: 'a'.repeat(64), size: 1_000_000_000, at: [0, 'block', 'data'], as: 'bytes' }];
  const record = { v: recordVersion, w, n: 99, h: `dzzzzzzzzz${w}`, facts, blobs };
  appendFileSync(join(folder, 'journal', `${session}~${w}.99.joined`), createEncoder(crc32)(record as never));
  const again = await openTestHistory(folder);
  await assert.rejects(again.exportSqlite(target), fails('export-too-large'));
  assert.equal(rowsOf(target, 'SELECT count(*) AS count FROM session')[0]?.['count'], 2);
  assert.equal(readFileSync(tooLong, 'utf8'), 'what was there');
  assert.deepEqual(readdirSync(join(folder, 'out')), before, 'nothing unfinished is left');
  assert.ok(existsSync(join(folderThere, 'in it')));
});

function fails(code: HistoryErrorCode): (cause: unknown) => true {
  return cause => {
    assert.ok(cause instanceof HistoryError, String(cause));
    assert.equal(cause.code, code, String(cause.cause));
    return true;
  };
}
