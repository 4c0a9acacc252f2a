// Which parts of a record go into files of their own, and how they come back. Promises: a text of more than 256 KB and
// everything binary is taken out, with the way to it; what is put back is what was taken out, or says in its place that
// it is gone. The files themselves, and their names' hashes, are node's.

import type { FileState } from '../../model/changes.ts';
import type { BlobRef, Block, Json } from '../../model/message.ts';
import type { BlobPlace, Fact, JournalRecord } from '../../model/record.ts';

export const longestInline = 256 * 1024;

/** Saves content and says where it is. */
export type KeepBlob = (content: string | Uint8Array) => BlobRef;

/** The facts with `null` where something was taken out; the same facts where nothing was. */
export function takeOut(
  facts: readonly Fact[],
  keep: KeepBlob,
): { readonly facts: readonly Fact[]; readonly blobs: readonly BlobPlace[] } {
  const blobs: BlobPlace[] = [];
  const walk = (value: unknown, at: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      // No character of UTF-16 becomes more than three bytes.
      if (value.length * 3 <= longestInline || byteLength(value) <= longestInline) return value;
      // A lone surrogate has no bytes of its own: such a text stays, escaped, in the record.
      if (/\p{Surrogate}/u.test(value)) return value;
      blobs.push({ ...keep(value), at, as: 'text' });
      return null;
    }
    if (value instanceof Uint8Array) {
      blobs.push({ ...keep(value), at, as: 'bytes' });
      return null;
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...at, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...at, key])]));
  };
  const without = walk(facts, []) as readonly Fact[];
  return blobs.length > 0 ? { facts: without, blobs } : { facts, blobs };
}

/** Whether a block brings bytes. Long texts are found by the length of the whole record. */
export function bringsBytes(facts: readonly Fact[]): boolean {
  return facts.some(fact => {
    const blocks = fact.type === 'message' ? fact.message.blocks : fact.type === 'block' ? [fact.block] : [];
    return blocks.some(hasBytes);
  });
}

function hasBytes(block: Block): boolean {
  if ('data' in block) return block.data instanceof Uint8Array;
  const isNew = (state: FileState) => state.kind === 'file' && (state.content ?? state.elsewhere) instanceof Uint8Array;
  return block.kind === 'changes' && block.files.some(({ before, after }) => isNew(before) || isNew(after));
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

function goneWords(size: number): string {
  return `(${size} bytes belong here; their file is gone from the history folder or is damaged.)`;
}

/** Changes `root`, which is the caller's own, and copies what is inside on the way, each once. */
function put(root: Container, at: readonly (string | number)[], value: Json, copied: Set<unknown>): void {
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
