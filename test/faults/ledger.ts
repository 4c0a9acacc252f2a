// What writers said and when: the word of a writer before each append, and the history's acknowledgement after it.
// Promises: a line that was not read whole was not said; whoever reads the ledger learns of every append which facts
// it had, and how each message that it touches must read once it is there. The texts themselves are hashes here.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';

export type Line =
  | { readonly type: 'ready'; readonly writer: string }
  | ({ readonly type: 'intends'; readonly append: number } & Intent)
  | { readonly type: 'acknowledged'; readonly append: number }
  | { readonly type: 'refused'; readonly append: number; readonly code: string };

export interface Intent {
  readonly session: string;
  /** One key per fact, in order. */
  readonly keys: readonly string[];
  /** Each message that the append touches, as it must read from then on. */
  readonly states: { readonly [message: string]: string };
}

/** What one writer said of one session, in the order in which it said it. */
export interface Said extends Intent {
  readonly acknowledged: boolean;
}

export interface Ledger {
  /** By writer and session. */
  readonly said: ReadonlyMap<string, readonly Said[]>;
  readonly writers: number;
  readonly acknowledged: number;
  /** Codes of appends that the history refused; there is no reason for any. */
  readonly refused: readonly string[];
}

export function readLedger(folder: string): Ledger {
  const said = new Map<string, Said[]>();
  const refused: string[] = [];
  let writers = 0;
  let acknowledged = 0;
  for (const file of readdirSync(folder)) {
    let writer = '';
    const appends = new Map<number, { intent: Intent; state: Line['type'] }>();
    // What stands after the last line end was cut off by a kill.
    for (const text of readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)) {
      const line = JSON.parse(text) as Line;
      if (line.type === 'ready') writer = line.writer;
      else if (line.type === 'intends') appends.set(line.append, { intent: line, state: line.type });
      else {
        const append = appends.get(line.append);
        if (append) append.state = line.type;
        if (line.type === 'refused') refused.push(line.code);
      }
    }
    if (writer !== '') writers++;
    for (const { intent, state } of appends.values()) {
      if (state === 'refused') continue;
      if (state === 'acknowledged') acknowledged++;
      const key = keyOfWriter(writer, intent.session);
      said.set(key, [...(said.get(key) ?? []), { ...intent, acknowledged: state === 'acknowledged' }]);
    }
  }
  return { said, writers, acknowledged, refused };
}

export function keyOfWriter(writer: string, session: string): string {
  return `${session}~${writer}`;
}

/** What makes a fact this one and no other; its text is compared through the state of its message. */
export function keyOf(fact: Fact): string {
  switch (fact.type) {
    case 'session':
      return `session ${fact.created}`;
    case 'message':
      return `message ${fact.message.id}`;
    case 'block':
      return `block ${fact.message} ${fact.at}`;
    case 'text':
      return `text ${fact.message} ${fact.at} ${fact.offset}`;
    case 'end':
      return `end ${fact.message}`;
    case 'title':
      return `title ${fact.title}`;
    case 'flag':
      return `flag ${fact.on}`;
    case 'head':
      return `head ${fact.head}`;
    default:
      return 'unknown';
  }
}

export function stateOf(message: Message): string {
  return digestOf(message);
}

/** The same for the same content, whatever the order of keys. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
