// What versions write is never passed over as unfit: every kind of block with all its fields and with none that may be
// absent, and each record of the profile that f23b1dd wrote.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { read } from '../../../src/core/history/codec.ts';
import { Erasure, survivorOf } from '../../../src/core/history/erasure.ts';
import { isFitting, isPassedOver, readFitting } from '../../../src/core/history/fittingFacts.ts';
import type { FileChange } from '../../../src/model/changes.ts';
import type { Block, Message, Usage } from '../../../src/model/message.ts';
import type { Fact, SessionFact } from '../../../src/model/record.ts';
import { fixture, parts } from '../../fixtures/profile-f23b1dd/profile.ts';
import { agentRef, blockFact, endFact, setFact, textFact } from '../support/facts.ts';
import { deep, hostile, line } from './hostileFacts.ts';

const ref = { sha256: 'a'.repeat(64), size: 1 };
const absent = { kind: 'absent' } as const;
const file = { kind: 'file', is: ref } as const;
const change: Required<FileChange> = {
  path: '/a.ts',
  before: { ...file, content: ref },
  after: { ...file, elsewhere: ref },
  lines: { added: 1, removed: 0 },
  seen: 'written',
  foreign: { before: absent, after: file },
};
const leastChange: FileChange = { path: '/a.ts', before: { kind: 'unknown' }, after: absent, seen: 'disk' };
const usage: Required<Usage> = {
  inputTokens: 1,
  outputTokens: 2,
  cachedTokens: 3,
  thoughtTokens: 4,
  cost: { amount: 0.5, currency: 'EUR' },
};

const mime = 'text/plain';
const every = { mime, extra: { later: [{}] } };
const media = { ...every, data: ref, uri: 'file:///a', name: 'a' };
const call = { callId: 'c', title: '', tool: 'other', status: 'pending', locations: [], output: [] } as const;

const blocks: { readonly [Kind in Block['kind']]: readonly (Block & { readonly kind: Kind })[] } = {
  text: [
    { kind: 'text', ...every, text: 'a' },
    { kind: 'text', mime, text: '' },
  ],
  thought: [
    { kind: 'thought', ...every, text: 'a' },
    { kind: 'thought', mime, text: '' },
  ],
  toolCall: [
    { kind: 'toolCall', mime, ...call },
    {
      kind: 'toolCall',
      ...every,
      ...call,
      locations: [{ path: '/a.ts' }, { path: '/b.ts', line: 3 }],
      input: null,
      output: [{ type: 'terminal', terminalId: 't', output: '', exit: { code: null, signal: 'SIGKILL' } }],
      raw: { any: [1, null] },
      permission: { choice: null, allowed: false, byRule: true },
    },
  ],
  plan: [
    { kind: 'plan', ...every, entries: [{ content: 'a', priority: 'low', status: 'pending' }] },
    { kind: 'plan', mime, entries: [] },
  ],
  image: [
    { kind: 'image', ...media },
    { kind: 'image', mime },
  ],
  audio: [
    { kind: 'audio', ...media },
    { kind: 'audio', mime },
  ],
  video: [
    { kind: 'video', ...media },
    { kind: 'video', mime },
  ],
  resource: [
    { kind: 'resource', ...media, text: 'a' },
    { kind: 'resource', mime, uri: '' },
  ],
  notice: [
    { kind: 'notice', ...every, severity: 'info', text: 'a' },
    { kind: 'notice', mime, severity: 'error', text: '' },
  ],
  changes: [
    { kind: 'changes', ...every, files: [change, leastChange] },
    { kind: 'changes', mime, files: [] },
  ],
  unknown: [
    { kind: 'unknown', ...every, value: { any: null } },
    { kind: 'unknown', mime, value: null },
  ],
};

const session = 'session22222';
const id = 'message22222';
const wholeSession: Required<SessionFact> = {
  type: 'session',
  session,
  created: 1,
  agent: agentRef,
  cwd: '/',
  key: { key: 'k', generation: 0 },
  origin: 'import',
  systemPrompt: 'a',
};
const wholeMessage: Required<Omit<Message, 'session'>> = {
  id,
  parent: null,
  role: 'summary',
  created: 1,
  agent: agentRef,
  label: 'subagent:reader:1',
  covers: id,
  leftOut: [id],
  blocks: Object.values(blocks).flat(),
  end: { reason: 'failed', at: 1, detail: 'a', cause: 'gone', usage },
};
const facts: readonly Fact[] = [
  wholeSession,
  { type: 'session', session, created: 0, agent: agentRef },
  { type: 'message', session, message: wholeMessage },
  { type: 'message', session, message: { id, parent: id, role: 'user', created: 1, blocks: [] } },
  ...Object.values(blocks).flatMap(some => some.map(block => blockFact(session, id, 0, block))),
  textFact(session, id, 3, 1000, ''),
  endFact(session, id, { usage: {} }),
  setFact(session, 'head', null),
  setFact(session, 'metadata', { any: [true] }, { of: 'key', from: 'head' }),
];

test('[J40] nothing that this version can write is passed over', () => {
  for (const fact of facts) {
    const stored: unknown = JSON.parse(JSON.stringify(fact));
    assert.ok(isFitting(stored), JSON.stringify(stored));
  }
});

test('[J40] nothing that f23b1dd wrote is passed over', () => {
  const journal = join(fixture, parts.workspace, 'history', 'journal');
  let records = 0;
  for (const name of globSync('*', { cwd: journal })) {
    for (const piece of readFitting(readFileSync(join(journal, name)), crc32)) {
      if (piece.kind !== 'record') continue;
      records++;
      assert.equal(piece.unfit, 0, JSON.stringify(piece.record));
    }
  }
  assert.ok(records > 50, `${records} records`);
});

/** What is read of a record with these facts. */
function readOf(facts: readonly unknown[], more: object = {}) {
  const record = { v: 1, w: 'writer22', n: 0, h: 'dzzzzzzzzzwriter22', facts, ...more };
  const [piece] = readFitting(line(record), crc32);
  assert.ok(piece?.kind === 'record');
  return piece;
}

test('[J40] facts that no version writes are passed over and counted, and the others of their record are not', () => {
  const fine = setFact(session, 'label', true, { of: 'also here' });
  for (const [name, fact, more] of hostile) {
    const isLate = more !== undefined && 'h' in more;
    const { unfit, record } = readOf([fact(session, id), fine], more);
    assert.deepEqual([unfit, record.facts.map(isPassedOver)], isLate ? [2, [true, true]] : [1, [true, false]], name);
    assert.equal(record.h, isLate ? '' : 'dzzzzzzzzzwriter22', name);
  }
});

test('[J40] every check of a fact counts by itself', () => {
  const end = { reason: 'end_turn', at: 1 };
  const message = { id, parent: null, role: 'user', created: 1, blocks: [] };
  const spoilt: readonly unknown[] = [
    ...[
      { blocks: [null] },
      { created: 'x' },
      { agent: {} },
      { end: {} },
      { covers: '../x' },
      { leftOut: ['../x'] },
    ].map(more => ({ type: 'message', session, message: { ...message, ...more } })),
    { type: 'session', session, created: 'x', agent: agentRef },
    { type: 'session', session, created: 1, agent: null },
    { type: 'session', session, created: 1, agent: agentRef, cwd: 5 },
    { type: 'block', session, message: '../x', at: 0, block: { kind: 'text', mime, text: 'x' } },
    { type: 'end', session, message: '../x', end },
    blockFact(session, id, 0, { kind: 'toolCall', mime, ...call, callId: 5 } as never),
    blockFact(session, id, 0, { kind: 'toolCall', mime, ...call, output: [deep(100_000)] } as never),
    ...[{ before: {} }, { after: {} }, { foreign: {} }, { lines: {} }, { path: 5 }].map(more =>
      blockFact(session, id, 0, { kind: 'changes', mime, files: [{ ...leastChange, ...more }] } as never),
    ),
  ];
  for (const fact of spoilt) assert.equal(readOf([fact]).unfit, 1, JSON.stringify(fact));
});

test('[J40] a fact or a block of a later kind fits, whatever that is called', () => {
  for (const later of ['later', 'constructor', '__proto__', 'toString'])
    assert.ok(
      isFitting({ type: later, session }) && isFitting(blockFact(session, id, 0, { kind: later, mime } as never)),
    );
});

test('[J40] a blob takes the place of nothing that stands in its record', () => {
  const place = { ...ref, as: 'text', at: [0, 'block', 'text'] };
  const blobsOf = (text: unknown) =>
    readOf([blockFact(session, id, 0, { kind: 'text', mime, text } as never)], { blobs: [place] }).record.blobs;
  assert.deepEqual(blobsOf(null), [place]);
  assert.equal(blobsOf('In the record'), undefined);
});

test('[J31] a fact that cannot be understood goes where it may name what was erased', () => {
  const erasure = new Erasure();
  erasure.addMessage(session, 'gone2222');
  erasure.addSession('gonesession2');
  const unfit = (more: object) => ({ type: 'set', session, name: {}, ...more });
  const facts = [
    unfit({ value: 'x' }),
    unfit({ value: [{ of: 'gone2222' }] }),
    unfit({ value: 'gonesession2' }),
    unfit({ value: deep(100_000) }),
    setFact(session, 'label', true, { of: 'also here' }),
    setFact(session, 'name', 'x', { of: 'gone2222' }),
  ];
  const [piece] = read(line({ v: 1, w: 'writer22', n: 0, h: 'dzzzzzzzzzwriter22', facts }), crc32);
  assert.ok(piece?.kind === 'record');
  assert.equal(piece.record.facts.length, facts.length);
  assert.deepEqual(survivorOf(piece.record, erasure)?.facts, [facts[0], facts[4]]);
  assert.equal(survivorOf(piece.record, new Erasure()), piece.record);
});
