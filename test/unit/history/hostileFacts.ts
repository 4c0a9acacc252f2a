// Facts that no version writes, and records with them that are whole.

import { crc32 } from 'node:zlib';
import { blockFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';

/** As a line of a segment. What is nested deeply stands in it by its depth, because nothing can write it. */
export function line(record: { readonly w: string; readonly n: number; readonly [field: string]: unknown }): Buffer {
  const json = JSON.stringify(record).replaceAll(
    /"deep:(\d+)"/g,
    (_, depth: string) => `${'['.repeat(Number(depth))}1${']'.repeat(Number(depth))}`,
  );
  const hex = (value: number) => value.toString(16).padStart(8, '0');
  const data = Buffer.from(`${hex(Buffer.byteLength(json))} ${json}`);
  return Buffer.concat([
    Buffer.from(`${hex(crc32(data, crc32(`${record.w} ${record.n}`)))} `),
    data,
    Buffer.from('\n'),
  ]);
}

export const deep = (depth: number) => `deep:${depth}`;
export const block = { kind: 'text', mime: 'text/plain', text: 'x' };
export const call = {
  kind: 'toolCall',
  mime: 'a/b',
  callId: 'c',
  title: 't',
  tool: 'read',
  status: 'completed',
  locations: [],
  output: [],
};
export const hash = 'a'.repeat(64);

/** What stands in the place of a fact; `s` is the session, `m` the answer. Each is reported as one damaged record. */
export const hostile: readonly (readonly [string, (s: string, m: string) => unknown, object?])[] = [
  ['a place far behind', (session, message) => ({ type: 'block', session, message, at: 3e7, block })],
  ['a place before the first', (session, message) => ({ type: 'block', session, message, at: -1, block })],
  ['a place between two', (session, message) => ({ type: 'block', session, message, at: 0.5, block })],
  ['a place that is a name', (session, message) => ({ type: 'block', session, message, at: '__proto__', block })],
  [
    'no place',
    (session, message) => ({ type: 'text', session, message, kind: 'text', mime: 'a/b', offset: 0, text: '' }),
  ],
  ['a text far behind', (session, message) => ({ ...textFact(session, message, 3e7, 0, 'x') })],
  ['an offset before the text', (session, message) => textFact(session, message, 0, -5, 'x')],
  ['an offset that is no number', (session, message) => textFact(session, message, 0, 0.5, 'x')],
  ['an offset that no text has', (session, message) => textFact(session, message, 0, 1e300, 'x')],
  ['a text that is none', (session, message) => ({ ...textFact(session, message, 0, 0, 'x'), text: { length: 5 } })],
  ['a block that is none', (session, message) => blockFact(session, message, 0, null as never)],
  [
    'a text that is missing',
    (session, message) => blockFact(session, message, 0, { kind: 'text', mime: 'a/b' } as never),
  ],
  ['a deep input', (session, message) => blockFact(session, message, 0, { ...call, input: deep(100_000) } as never)],
  [
    'a deep unknown block',
    (session, message) => blockFact(session, message, 0, { kind: 'later', mime: '', x: deep(100_000) } as never),
  ],
  [
    'locations that are none',
    (session, message) => blockFact(session, message, 0, { ...call, locations: [null] } as never),
  ],
  ['an output that is none', (session, message) => blockFact(session, message, 0, { ...call, output: 'x' } as never)],
  [
    'files that are none',
    (session, message) => blockFact(session, message, 0, { kind: 'changes', mime: '', files: [{}] } as never),
  ],
  [
    'a state that is none',
    (session, message) =>
      blockFact(session, message, 0, {
        kind: 'changes',
        mime: '',
        files: [{ path: '/a', seen: 'disk', before: null, after: {} }],
      } as never),
  ],
  [
    'entries that are none',
    (session, message) => blockFact(session, message, 0, { kind: 'plan', mime: '', entries: 5 } as never),
  ],
  [
    'data that is a path',
    (session, message) =>
      blockFact(session, message, 0, { kind: 'image', mime: '', data: { sha256: '../../x', size: 1 } } as never),
  ],
  ['a fact that is none', () => null],
  ['a fact that is a word', () => 'block'],
  ['a fact that is a list', () => [[]]],
  ['a message that is none', session => ({ type: 'message', session, message: null })],
  [
    'a message without blocks',
    session => ({ type: 'message', session, message: { id: 'other', parent: null, role: 'user', created: 1 } }),
  ],
  [
    'blocks that are none',
    session => ({
      type: 'message',
      session,
      message: { id: 'other', parent: null, role: 'user', created: 1, blocks: {} },
    }),
  ],
  ['an id that is a path', session => userFact(session, '../../x', null, 'x')],
  ['a parent that is none', session => userFact(session, 'other', { $ne: 1 } as never, 'x')],
  ['a time that no date has', session => userFact(session, 'other', null, 'x', 1e300)],
  ['a session that is a path', () => setFact('../../etc', 'title', 'x')],
  ['a session that began never', session => ({ type: 'session', session, created: 'x', agent: null })],
  ['a key that is none', session => ({ ...sessionFact(session), key: 'x' })],
  ['an end that is none', (session, message) => ({ type: 'end', session, message, end: null })],
  ['an end at no time', (session, message) => endFact(session, message, { at: {} as never })],
  ['usage that is none', (session, message) => endFact(session, message, { usage: { cost: 5 } as never })],
  ['usage of words', (session, message) => endFact(session, message, { usage: { inputTokens: 'x' } as never })],
  ['a title of 5 MB', session => setFact(session, 'title', 'x'.repeat(5_000_000))],
  ['a deep value', session => setFact(session, 'metadata', deep(100_000) as never, { of: 'x' })],
  ['no value', session => ({ type: 'set', session, name: 'title' })],
  ['a name that is none', session => ({ type: 'set', session, name: {}, value: 1 })],
  ['a clock that no clock can follow', session => setFact(session, 'title', 'x'), { h: 'zzzzzzzzzzwriter99' }],
  [
    'a text in a blob that is none',
    (session, message) => blockFact(session, message, 0, { ...block, text: null } as never),
    { blobs: 'x' },
  ],
  [
    'a blob behind everything',
    (session, message) => blockFact(session, message, 0, { ...block, text: null } as never),
    { blobs: [{ sha256: hash, size: 1, as: 'text', at: [1e9, 'x'] }] },
  ],
  [
    'a blob in a list far behind',
    (session, message) => blockFact(session, message, 0, { ...block, text: null } as never),
    { blobs: [{ sha256: hash, size: 1, as: 'text', at: [0, 'block', 'extra', 1e9] }] },
  ],
  [
    'a blob without a place',
    (session, message) => blockFact(session, message, 0, { ...block, text: null } as never),
    { blobs: [{ sha256: hash, size: 1, as: 'text' }, null] },
  ],
];
