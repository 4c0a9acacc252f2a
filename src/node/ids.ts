// New ids: short enough to type, without letters that look alike, and the same on every file system, because session
// ids are parts of file names: lower case and digits only.

import { customAlphabet } from 'nanoid';
import type { Ids } from '../core/ports.ts';

export const idAlphabet = '23456789abcdefghjkmnpqrstvwxyz';
export const sessionIdLength = 12;

export function randomIds(): Ids & { readonly writer: () => string; readonly nonce: () => string } {
  const sessionId = customAlphabet(idAlphabet, sessionIdLength);
  const messageId = customAlphabet(idAlphabet, 14);
  const writerId = customAlphabet(idAlphabet, 8);
  const nonce = customAlphabet(idAlphabet, 32);
  return { session: () => sessionId(), message: () => messageId(), writer: () => writerId(), nonce: () => nonce() };
}

/** What comes back from a panel's saved state is not taken for an id before it looks like one. */
export function isSessionId(text: string): boolean {
  return /^[2-9a-hjkmnp-z]{12}$/.test(text);
}
