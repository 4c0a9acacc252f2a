// Which parts of a record go into files of their own, and how they come back. Promises: a text of more than 256 KB and
// everything binary is taken out, with the way to it; what is put back is what was taken out, or says in its place that
// it is gone. The files themselves, and their names' hashes, are node's.

import { statesOf, type FileState } from '../../model/changes.ts';
import type { BlobRef, Block, Json } from '../../model/message.ts';
import type { BlobPlace, Fact, FieldName, JournalRecord, SetFact } from '../../model/record.ts';

export const longestInline = 256 * 1024;

/**
 * Fields whose content goes to blobs, with a reference in its place, and how long a text in their values may be: those are in
 * the index, and in every snapshot of it. Any other value is short or is refused.
 */
const longestInField: ReadonlyMap<FieldName, number> = new Map<FieldName, number>([
  ['queued', 32 * 1024],
  ['systemPrompt', 0],
]);

/** Saves content and says where it is. */
export type KeepBlob = (content: string | Uint8Array) => BlobRef;

/** Content that is kept already, in the place of its bytes or its text. */
export class KeptBlob implements BlobRef {
  readonly sha256: string;
  readonly size: number;
  readonly as: BlobPlace['as'];

  constructor({ sha256, size }: BlobRef, as: BlobPlace['as']) {
    this.sha256 = sha256;
    this.size = size;
    this.as = as;
  }
}

/** A text that would go to a file of its own, as the bytes of that file, and where in a list of values it stands. */
export interface TakenText {
  readonly at: readonly (string | number)[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The values with `null` where a long text was. */
export function takeOutTexts<Value>(values: readonly Value[]): {
  readonly values: readonly Value[];
  readonly texts: readonly TakenText[];
} {
  const texts: TakenText[] = [];
  const encoder = new TextEncoder();
  const walk = (value: unknown, at: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      if (!isLong(value, longestInline)) return value;
      texts.push({ at, bytes: encoder.encode(value) });
      return null;
    }
    return changeParts(value, (item, step) => walk(item, [...at, step]));
  };
  const without = values.map((value, at) => walk(value, [at]) as Value);
  return { values: texts.length > 0 ? without : values, texts };
}

/** The values with something in the place of each text that was taken out of them. */
export function putTexts<Value>(
  values: readonly Value[],
  texts: readonly TakenText[],
  replace: (bytes: Uint8Array<ArrayBuffer>) => string | KeptBlob,
): readonly Value[] {
  const root = [...values];
  const copied = new Set<unknown>();
  for (const { at, bytes } of texts) put(root as unknown as Container, at, replace(bytes), copied);
  return root;
}

/**
 * The facts with `null` where something was taken out, in fields with content with a reference; the same facts where
 * nothing was.
 */
export function takeOut(
  facts: readonly Fact[],
  keep: KeepBlob,
): { readonly facts: readonly Fact[]; readonly blobs: readonly BlobPlace[] } {
  const blobs: BlobPlace[] = [];
  const walk = (value: unknown, at: readonly (string | number)[], longest: number | null): unknown => {
    const move = (content: string | Uint8Array, as: BlobPlace['as']) => {
      const ref = keep(content);
      blobs.push({ ...ref, at, as });
      return longest === null ? null : ref;
    };
    if (typeof value === 'string') {
      return isLong(value, longest ?? longestInline) ? move(value, 'text') : value;
    }
    if (value instanceof Uint8Array) return move(value, 'bytes');
    if (value instanceof KeptBlob) {
      blobs.push({ sha256: value.sha256, size: value.size, at, as: value.as });
      return null;
    }
    return changeParts(value, (item, step) => walk(item, [...at, step], longest));
  };
  const without = facts.map((fact, at): Fact => {
    if (!hasContent(fact)) return walk(fact, [at], null) as Fact;
    return {
      ...fact,
      value: walk(fact.value, [at, 'value'], longestInField.get(fact.name) ?? null) as SetFact['value'],
    };
  });
  return blobs.length > 0 ? { facts: without, blobs } : { facts, blobs };
}

/** A text that has a file of its own. */
function isLong(text: string, longest: number): boolean {
  // No character of UTF-16 becomes more than three bytes.
  if (text.length * 3 <= longest || byteLength(text) <= longest) return false;
  // A lone surrogate has no bytes of its own: such a text stays, escaped, in the record.
  return !/\p{Surrogate}/u.test(text);
}

function changeParts(value: unknown, change: (item: unknown, step: string | number) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
}

/** Whether the value would be long in the index, and in every snapshot of it. */
export function isTooLarge(fact: SetFact): boolean {
  if (typeof fact.value !== 'string' && typeof fact.value !== 'object') return false;
  const nowhere: BlobRef = { sha256: '', size: 0 };
  const [kept = fact] = hasContent(fact) ? takeOut([fact], () => nowhere).facts : [fact];
  return kept.type === 'set' && JSON.stringify(kept.value).length > longestInline;
}

function hasContent(fact: Fact): fact is SetFact {
  return fact.type === 'set' && longestInField.has(fact.name);
}

/** Whether there is something for blobs in a record that is short. Long texts are found by the length of the whole. */
export function mayNeedBlobs(facts: readonly Fact[]): boolean {
  return facts.some(fact => {
    if (hasContent(fact)) return true;
    const blocks = fact.type === 'message' ? fact.message.blocks : fact.type === 'block' ? [fact.block] : [];
    return blocks.some(hasBytes);
  });
}

function hasBytes(block: Block): boolean {
  if ('data' in block) return block.data instanceof Uint8Array;
  const isNew = (state: FileState) => state.kind === 'file' && (state.content ?? state.elsewhere) instanceof Uint8Array;
  if (block.kind !== 'changes') return false;
  return block.files.map(statesOf).some(({ before, after }) => isNew(before) || isNew(after));
}

/** The record as it was before. Bytes stay where they are, as their place; `text` gives null for what is gone. */
export function putBack(record: JournalRecord, text: (ref: BlobRef) => string | null): JournalRecord {
  if (!record.blobs || record.blobs.length === 0) return record;
  // Only what is on the way to a blob is copied.
  const facts = [...record.facts];
  const copied = new Set<unknown>();
  for (const { at, as, sha256, size } of record.blobs) {
    const value = as === 'bytes' ? { sha256, size } : (text({ sha256, size }) ?? goneWords(size));
    put(facts as unknown as Container, at, value, copied);
  }
  const { blobs: _blobs, ...rest } = record;
  return { ...rest, facts };
}

/** What stands in the place of a text that cannot be read. */
export function goneWords(size: number): string {
  return `(${size} bytes belong here; their file is gone from the history folder or is damaged.)`;
}

/** Changes `root`, which is the caller's own, and copies what is inside on the way, each once. */
function put(root: Container, at: readonly (string | number)[], value: Json | KeptBlob, copied: Set<unknown>): void {
  let inside = root;
  for (const step of at.slice(0, -1)) {
    let next = inside[step];
    if (typeof next !== 'object' || next === null) return;
    if (!copied.has(next)) copied.add((next = Array.isArray(next) ? [...next] : { ...next }));
    define(inside, step, next);
    inside = next as Container;
  }
  const last = at.at(-1);
  if (last !== undefined) define(inside, last, value);
}

interface Container {
  readonly [step: string | number]: unknown;
}

/** Whatever the key is: `__proto__` is one like any other. */
function define(inside: Container, key: string | number, value: unknown): void {
  Object.defineProperty(inside, key, { value, enumerable: true, writable: true, configurable: true });
}

function byteLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a pair is two of its four bytes.
    length += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return length;
}
