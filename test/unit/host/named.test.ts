// Places of a conversation that a panel names: what is there is found, and everything else is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestMedia, locationAt, mediaAt } from '../../../src/host/chat/named.ts';
import { parseIntent } from '../../../src/model/intent.ts';
import type { Block, Message } from '../../../src/model/message.ts';

const mime = 'application/json';
const ref = (size: number) => ({ sha256: 'x', size });
const blocks: readonly Block[] = [
  {
    kind: 'toolCall',
    mime,
    callId: 'c',
    title: 'Read',
    tool: 'read',
    status: 'completed',
    locations: [{ path: '/w/a.ts', line: 12 }, { path: '/w/b.ts' }],
    output: [],
  },
  { kind: 'text', mime: 'text/markdown', text: '/w/a.ts:1' },
  { kind: 'resource', mime: 'text/plain', uri: 'file:///w/a%20b.ts#L7' },
  { kind: 'resource', mime: 'text/plain', uri: 'https://x.example/a.ts' },
  { kind: 'resource', mime: 'text/plain', uri: 'file://host/share%2F..' },
  { kind: 'image', mime: 'image/png', data: ref(3) },
  { kind: 'image', mime: 'image/svg+xml', data: ref(3) },
  { kind: 'image', mime: 'image/png', data: ref(largestMedia + 1) },
  { kind: 'image', mime: 'image/png', uri: 'https://x.example/a.png' },
  { kind: 'image', mime: 'image/png', data: new Uint8Array([4, 5]) },
  { kind: 'audio', mime: 'image/png', data: ref(3) },
];
const messages: readonly Message[] = [{ id: 'm', session: 's', parent: null, role: 'assistant', created: 0, blocks }];

test('[H20] a location is looked up in the conversation, and what is not there opens nothing', () => {
  const rows: readonly (readonly [message: string, block: number, location: number, found: unknown])[] = [
    ['m', 0, 0, { path: '/w/a.ts', line: 12 }],
    ['m', 0, 1, { path: '/w/b.ts' }],
    ['m', 0, 2, null],
    ['m', 1, 0, null],
    ['m', 2, 0, { path: '/w/a b.ts', line: 7 }],
    ['m', 2, 1, null],
    ['m', 3, 0, null],
    ['m', 4, 0, null],
    ['m', 5, 0, null],
    ['m', 99, 0, null],
    ['n', 0, 0, null],
  ];
  for (const [message, block, location, found] of rows)
    assert.deepEqual(locationAt(messages, { session: 's', message, block, location }), found, `${block} ${location}`);
});

test('[H21] only a picture that a page can draw is given, and none that is too large is read', async () => {
  let read = 0;
  const bytes = () => {
    read += 1;
    return Promise.resolve(new Uint8Array([1, 2, 3]));
  };
  const rows: readonly (readonly [block: number, base64: string | null])[] = [
    [5, 'AQID'],
    [6, null],
    [7, null],
    [8, null],
    [9, 'BAU='],
    [10, null],
    [0, null],
    [99, null],
  ];
  for (const [block, base64] of rows) {
    const media = await mediaAt(messages, { session: 's', message: 'm', block }, bytes);
    assert.equal(media.base64, base64, String(block));
    assert.deepEqual([media.message, media.block], ['m', block]);
  }
  assert.equal(read, 1);
  const gone = await mediaAt(messages, { session: 's', message: 'm', block: 5 }, () =>
    Promise.reject(new Error('gone')),
  );
  assert.equal(gone.base64, null);
});

test('[H1] places are whole numbers and code is text', () => {
  const where = { session: 's', message: 'm' };
  const refused: readonly unknown[] = [
    { type: 'openLocation', ...where, block: -1, location: 0 },
    { type: 'openLocation', ...where, block: 0, location: null },
    { type: 'openLocation', ...where, block: 0, location: 0.5 },
    { type: 'openLocation', ...where, block: 0, path: '/etc/passwd' },
    { type: 'wantMedia', ...where, block: null },
    { type: 'wantMedia', ...where, block: '0' },
    { type: 'insertCode', text: '' },
    { type: 'insertCode', text: 'x'.repeat(5_000_000) },
  ];
  for (const one of refused) assert.equal(parseIntent(one), undefined, JSON.stringify(one).slice(0, 80));
  const more = { type: 'openLocation', ...where, block: 0, location: 1, path: '/etc/passwd' };
  assert.deepEqual(parseIntent(more), { type: 'openLocation', ...where, block: 0, location: 1 });
});
