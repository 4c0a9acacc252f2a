// What versions write is never passed over as unfit: every kind of block with all its fields and with none that may be
// absent, and each record of the profile that f23b1dd wrote.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { isFitting, readFitting } from '../../../src/core/history/fittingFacts.ts';
import type { FileChange } from '../../../src/model/changes.ts';
import type { Block, Message, Usage } from '../../../src/model/message.ts';
import type { Fact, SessionFact } from '../../../src/model/record.ts';
import { fixture, parts } from '../../fixtures/profile-f23b1dd/profile.ts';
import { agentRef, blockFact, endFact, setFact, textFact } from '../support/facts.ts';

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
