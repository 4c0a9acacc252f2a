// What writers write: texts of 0 to 500 KB with everything that can break a line format in them, tool calls with their
// inputs and outputs, pictures, fields that nobody knows. Promises: the same for the same random numbers; everything
// that is made for a message holds the token of that message, so that each piece of it is known wherever it lies.

import { createHash } from 'node:crypto';
import { json, markdown, type Block, type ToolStatus } from '../../src/model/message.ts';

const fragments: readonly string[] = [
  'The order is checked before it is paid. ',
  'line\nline\r\n\ttab ',
  '"quoted" and \\ back\\n slashed ',
  '漢字 العربية ελληνικά café ',
  '🜁🧵 pairs and a lone \ud83e half ',
  '\u0000\u0007\u001b[31m\u2028\u2029 ',
  '0a1b2c3d 00000010 {"v":1,"w":"writer22","n":0}\n',
  '```ts\nconst answer = 42;\n```\n',
];

/** Mostly short, as in life; one in sixty is up to 500 KB. */
export function sizeOf(random: () => number): number {
  const kind = random();
  const limit = kind < 0.55 ? 300 : kind < 0.85 ? 4_000 : kind < 0.98 ? 40_000 : 500_000;
  return Math.floor(random() * limit);
}

/** What only this message says, in letters that no format changes; its id alone may stay when it is erased. */
export function tokenOf(message: string): string {
  return `tk${createHash('sha256').update(message).digest('hex').slice(0, 18)}kt`;
}

export function tokensIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/tk[0-9a-f]{18}kt/g));
}

export function textOf(random: () => number, length: number): string {
  let paragraph = '';
  for (let piece = 0; piece < 12; piece++) paragraph += pick(fragments, random) + random().toString(36).slice(2, 8);
  const text = paragraph.repeat(Math.ceil(length / paragraph.length)).slice(0, length);
  // A long text with half a character in it stays in its record; every other one goes into a file of its own.
  return random() < 0.5 ? text : text.replace(/\p{Surrogate}/gu, '?');
}

/** What was sent by a person: sometimes with a picture, and sometimes with one that others have sent as well. */
export function promptOf(random: () => number, token: string): Block[] {
  const blocks: Block[] = [textBlock('text', `${token} ${textOf(random, sizeOf(random))}`)];
  if (random() < 0.06) blocks.push(picture(`${token} ${textOf(random, 3_000)}`));
  if (random() < 0.03) blocks.push(picture('The same picture in many messages.'));
  return blocks;
}

function picture(text: string): Block {
  return { kind: 'image', mime: 'image/png', data: new Uint8Array(Buffer.from(text)) };
}

export function toolCall(random: () => number, callId: string, token: string, status: ToolStatus): Block {
  return {
    kind: 'toolCall',
    mime: json,
    callId,
    title: `Search ${token} ${textOf(random, 12)}`,
    tool: pick(['read', 'search', 'execute', 'unheard-of'], random),
    status,
    locations: [{ path: textOf(random, 20), line: Math.floor(random() * 900) }],
    input: { query: textOf(random, Math.floor(random() * 200)), nested: [null, true, 1.5, { deep: 'ja' }] },
    output: status === 'completed' ? [{ type: 'content', text: `${token} ${textOf(random, sizeOf(random))}` }] : [],
    ...(random() < 0.3 ? { extra: { 'x.unknown/field': [1, { two: 'drei' }] } } : {}),
  };
}

export function textBlock(kind: 'text' | 'thought', text: string): Block {
  return { kind, mime: markdown, text };
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}
