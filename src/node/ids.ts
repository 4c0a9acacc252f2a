// New ids: short enough to type, without letters that look alike, and the same on every file system, because session
// ids are parts of file names: lower case and digits only.

import { createHash } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import type { Ids } from '../core/ports.ts';

export const idAlphabet = '23456789abcdefghjkmnpqrstvwxyz';
export const sessionIdLength = 12;
export const messageIdLength = 14;
/** Of the id that a window has for its whole life. */
const ownerIdLength = 8;

/** Each start of a window's history worker writes under a name of its own that begins with the window's id. */
export function writerOf(owner: string, restarts: number): string {
  return restarts === 0 ? owner : `${owner}${restarts.toString(36)}`;
}

/** The window that a writer belongs to. */
export function ownerOf(writer: string): string {
  return writer.slice(0, ownerIdLength);
}

export function randomIds(): Ids & { readonly writer: () => string; readonly nonce: () => string } {
  const sessionId = customAlphabet(idAlphabet, sessionIdLength);
  const messageId = customAlphabet(idAlphabet, messageIdLength);
  const writerId = customAlphabet(idAlphabet, ownerIdLength);
  const nonce = customAlphabet(idAlphabet, 32);
  return { session: () => sessionId(), message: () => messageId(), writer: () => writerId(), nonce: () => nonce() };
}

/** What comes back from a panel's saved state is not taken for an id before it looks like one. */
export function isSessionId(text: string): boolean {
  return /^[2-9a-hjkmnp-z]{12}$/.test(text);
}

/** The same for the same words on every machine, and an id like any other. */
export function idFrom(words: string, length: number): string {
  const hash = createHash('sha256').update(words).digest();
  let rest = hash.readBigUInt64BE(0);
  let id = '';
  for (let at = 0; at < length; at++) {
    id += idAlphabet.charAt(Number(rest % BigInt(idAlphabet.length)));
    rest /= BigInt(idAlphabet.length);
  }
  return id;
}
