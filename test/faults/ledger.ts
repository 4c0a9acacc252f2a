// What writers said and when: the word of a writer before each append, erasure and join, and the history's answer after
// it. Promises: a line that was not read whole was not said; whoever reads the ledger learns of every append which facts
// it had, which message each is about, and how each message that it touches must read once it is there. The texts
// themselves are hashes here.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';

export type Line =
  | { readonly type: 'ready'; readonly writer: string }
  | ({ readonly type: 'intends'; readonly append: number } & Intent)
  | { readonly type: 'acknowledged'; readonly append: number }
  | { readonly type: 'refused'; readonly append: number; readonly code: string }
  | { readonly type: 'erases'; readonly erase: number; readonly session: string; readonly message: string | null }
  | { readonly type: 'erased'; readonly erase: number; readonly messages: number; readonly remaining: number }
  | { readonly type: 'joins' }
  | { readonly type: 'joined' }
  /** The writer ended its own history worker. */
  | { readonly type: 'workerKilled' }
  /** As often as it was asked to. */
  | { readonly type: 'workersKilled' }
  /** Anything but an append; nothing of that may fail. */
  | { readonly type: 'failed'; readonly what: string };

export interface Intent {
  readonly session: string;
  /** In the order of the record. */
  readonly facts: readonly SaidFact[];
  /** Each message that the append touches, as it must read from then on. */
  readonly states: { readonly [message: string]: string };
}

export interface SaidFact {
  readonly key: string;
  /** The message that it says something of; erasing that erases this. */
  readonly about?: string;
  /** Where it begins a message. */
  readonly parent?: string | null;
  /** Where it puts a message into the trash. */
  readonly trashes?: true;
}

/** What one writer said of one session, in the order in which it said it. */
export interface Said extends Intent {
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  readonly code?: string;
}

export interface Erase {
  readonly session: string;
  readonly message: string | null;
  /** How many messages it took; null where its word died with its process. */
  readonly messages: number | null;
  readonly remaining: number;
}

export interface Ledger {
  /** By writer and session. */
  readonly said: ReadonlyMap<string, readonly Said[]>;
  readonly erases: readonly Erase[];
  readonly joins: number;
  readonly workerKills: number;
  readonly writers: number;
  readonly acknowledged: number;
  /** What was no append and did not go well. */
  readonly failed: readonly string[];
}

export function readLedger(folder: string): Ledger {
  const said = new Map<string, Said[]>();
  const erases: Erase[] = [];
  const failed: string[] = [];
  const counts = { writers: 0, acknowledged: 0, joins: 0, workerKills: 0 };
  for (const file of readdirSync(folder)) {
    let writer = '';
    const appends = new Map<number, Said>();
    const erasures = new Map<number, Erase>();
    // What stands after the last line end was cut off by a kill.
    for (const text of readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)) {
      const line = JSON.parse(text) as Line;
      if (line.type === 'ready') writer = line.writer;
      else if (line.type === 'intends') appends.set(line.append, { ...line, outcome: 'unknown' });
      else if (line.type === 'erases') erasures.set(line.erase, { ...line, messages: null, remaining: 0 });
      else if (line.type === 'failed') failed.push(line.what);
      else if (line.type === 'joined') counts.joins++;
      else if (line.type === 'workerKilled') counts.workerKills++;
      else if (line.type === 'joins' || line.type === 'workersKilled') continue;
      else if (line.type === 'erased') {
        const erase = erasures.get(line.erase);
        if (erase) erasures.set(line.erase, { ...erase, messages: line.messages, remaining: line.remaining });
      } else {
        const append = appends.get(line.append);
        const answer = line.type === 'refused' ? { outcome: line.type, code: line.code } : { outcome: line.type };
        if (append) appends.set(line.append, { ...append, ...answer });
        if (line.type === 'acknowledged') counts.acknowledged++;
      }
    }
    if (writer !== '') counts.writers++;
    erases.push(...erasures.values());
    for (const append of appends.values()) {
      const key = keyOfWriter(writer, append.session);
      const before = said.get(key);
      if (before) before.push(append);
      else said.set(key, [append]);
    }
  }
  return { said, erases, failed, ...counts };
}

export function keyOfWriter(writer: string, session: string): string {
  return `${session}~${writer}`;
}

export function saidOf(fact: Fact): SaidFact {
  const key = digestOf(fact);
  switch (fact.type) {
    case 'message':
      return { key, about: fact.message.id, parent: fact.message.parent };
    case 'block':
    case 'text':
    case 'end':
      return { key, about: fact.message };
    case 'set': {
      const about = fact.from ?? (['name', 'note', 'trashed'].includes(fact.name) ? fact.of : undefined);
      const trashes = fact.name === 'trashed' && fact.value === true && fact.of !== undefined;
      return { key, ...(about === undefined ? {} : { about }), ...(trashes ? { trashes } : {}) };
    }
    default:
      return { key };
  }
}

export function stateOf(message: Message): string {
  return digestOf(message);
}

/** The same for the same content, whatever the order of keys; bytes are what history makes of them. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) {
      return { sha256: createHash('sha256').update(inner).digest('hex'), size: inner.length };
    }
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner;
  });
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
