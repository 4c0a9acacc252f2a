// Sessions with one of everything in them, and what goes out and comes in, for the tests of exports and imports.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ImportedFile } from '../../../src/core/exchange/exchange.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import type { Block, MessageId, SessionId } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { answerFact, blockFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

export const image = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) % 256);
export const hash = createHash('sha256').update(image).digest('hex');
const long = 'Ein langer Text, 長い文章, texte long. 😀\n'.repeat(12_000);
const state = { kind: 'file', is: { sha256: hash, size: image.length }, content: image } as const;
export const nested = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`) as never;

/** One of each, and what they may hold. */
const blocks: readonly Block[] = [
  { kind: 'text', mime: 'text/markdown', text: '<img src=x onerror=alert(1)> \u202e\u0007 [a](javascript:b) \ud83d' },
  { kind: 'text', mime: 'text/plain', text: long, extra: { annotations: { priority: 1 }, list: [null, 1.5] } },
  { kind: 'thought', mime: 'text/plain', text: 'Let me see.' },
  {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'call_1',
    title: 'Read',
    tool: 'read',
    status: 'completed',
    locations: [{ path: 'a/b.ts', line: 3 }, { path: 'c' }],
    input: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as never,
    output: [{ type: 'terminal', output: long }, 'half \udc00', null, nested(200)],
    raw: { a: [] },
    permission: { choice: 'Yes', allowed: true, byRule: true },
  },
  { kind: 'plan', mime: 'application/json', entries: [{ content: 'Do it', priority: 'high', status: 'pending' }] },
  { kind: 'image', mime: 'image/png', data: image, name: 'a.png' },
  { kind: 'audio', mime: 'audio/wav', data: new Uint8Array(0) },
  { kind: 'video', mime: 'video/mp4', uri: 'https://example.org/a' },
  { kind: 'resource', mime: 'application/pdf', uri: 'file:///b', data: image.subarray(5, 900), text: 't', name: 'n' },
  { kind: 'notice', mime: 'text/plain', severity: 'warning', text: 'Look out.' },
  {
    kind: 'changes',
    mime: 'application/json',
    files: [
      { path: '/w/a', before: { kind: 'absent' }, after: state, lines: { added: 1, removed: 0 }, seen: 'written' },
      { path: '/w/b', before: { kind: 'unknown' }, after: { kind: 'file', is: state.is }, seen: 'disk' },
    ],
  },
  { kind: 'unknown', mime: 'application/json', value: { what: 'nobody knows' } },
];

interface Made {
  readonly session: SessionId;
  readonly messages: readonly MessageId[];
}

/** A session of random shape in which there is one of everything. */
export async function make(history: OpenedHistory, random: () => number): Promise<Made> {
  const session = ids.session();
  const below = (most: number) => Math.floor(random() * most);
  const messages = Array.from({ length: 8 + below(20) }, () => ids.message());
  const facts: Fact[] = messages.flatMap((id, at): Fact[] => {
    const parent = at === 0 ? null : (messages[below(at)] ?? null);
    const created = 1000 + below(1000);
    if (at % 2 === 0) return [userFact(session, id, parent, `prompt ${at}`, created)];
    return [answerFact(session, id, parent, { created, ...(below(5) === 0 ? { label: 'subagent:find:1' } : {}) })];
  });
  const [, answer = '', , open = ''] = messages;
  const usage = { inputTokens: 5, cachedTokens: 1, cost: { amount: 0.25, currency: 'USD' } };
  const begun = { ...sessionFact(session, 900), cwd: '/w', systemPrompt: 'Be kind.', origin: 'session:abc' };
  await history.append(session, [
    { ...begun, key: { key: 'k', generation: 0 } } as Fact,
    // In a random tree a subagent's message may be answered, which no window writes: those are no subagents here.
    ...facts.map(fact => {
      if (fact.type !== 'message') return fact;
      const isAnswered = facts.some(one => one.type === 'message' && one.message.parent === fact.message.id);
      const { label, ...rest } = fact.message;
      return { ...fact, message: isAnswered || label === undefined ? rest : fact.message };
    }),
    ...blocks.map((block, at) => blockFact(session, answer, at, block)),
    endFact(session, answer, { reason: 'failed', detail: 'Why.', usage }),
    textFact(session, open, 0, 0, 'Half an ans'),
    setFact(session, 'title', 'Made title'),
    setFact(session, 'givenTitle', `Title ${below(100)}`),
    setFact(session, 'label', true, { of: 'urgent' }),
    setFact(session, 'metadata', { id: 12 }, { of: 'ticket' }),
    setFact(session, 'pinned', true),
    setFact(session, 'archived', true),
    setFact(session, 'expires', 4_000_000_000_000),
    setFact(session, 'name', 'The other way', { of: answer, from: answer }),
    setFact(session, 'trashed', true, { of: messages.at(-1) ?? '', from: messages.at(-1) ?? '' }),
    setFact(session, 'decision', { message: answer, path: '/w/a', decision: 'kept' }, { of: `${answer}:/w/a` }),
    setFact(session, 'head', answer),
    setFact(session, 'binding', { secret: 'agent-session-id' }, { of: 'a\nb' }),
    setFact(session, 'option', { secret: 'yolo' }, { of: 'a' }),
    setFact(session, 'queue', { writer: 'gone2222', waiting: [{ id: 'x', text: 'unsent' }] }),
  ]);
  return { session, messages };
}

export const running = { signal: new AbortController().signal, onProgress() {} };

export async function exported(
  history: OpenedHistory,
  folder: string,
  sessions: readonly SessionId[],
): Promise<string> {
  const file = join(folder, `${ids.session()}.json`);
  assert.equal(await history.exportJson(sessions, file, running), true);
  return readFileSync(file, 'utf8');
}

export async function imported(
  history: OpenedHistory,
  folder: string,
  text: string | Uint8Array,
): Promise<ImportedFile> {
  const file = join(folder, `${ids.session()}.json`);
  writeFileSync(file, text);
  return history.importJson(file, running);
}

/** What no import takes. */
export const leftOut: readonly string[] = ['trashed', 'expires', 'decision'];

/** The file without what says where it came from, and without what an import leaves out. */
export function content(text: string): unknown {
  const { sessions } = JSON.parse(text) as {
    sessions: { origin?: string; key?: unknown; fields: { name: string }[] }[];
  };
  return sessions.map(({ origin: _origin, key: _key, fields, ...rest }) => ({
    ...rest,
    fields: fields.filter(({ name }) => !leftOut.includes(name)),
  }));
}

export const counts = ({ added, grown, here, unread }: ImportedFile) => [
  added.length,
  grown.length,
  here.length,
  unread.map(({ words }) => words),
];

export async function two(t: TestContext) {
  const [one, other] = [temporaryFolder(t), temporaryFolder(t)];
  return { one, other, from: await openTestHistory(one), to: await openTestHistory(other) };
}
