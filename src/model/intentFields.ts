// What a field of an intent may be. Each answers undefined for what it is not, so that nobody forgets to ask.

import type { HeldChoice } from './agentState.ts';
import { mostAttachments } from './attachment.ts';

export type Raw = { readonly [key: string]: unknown };

const longestId = 128;
/** An agent's own id of what it offers. */
export const longestChoice = 1024;

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function id(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= longestId ? value : undefined;
}

export function isNone(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** At least one, each once. */
export function ids(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostAttachments) return undefined;
  const known = value.flatMap(one => id(one) ?? []);
  return known.length === value.length && new Set(known).size === known.length ? known : undefined;
}

export function words(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}

/** In a list; null stands for the whole of it. */
export function place(value: unknown): number | null | undefined {
  if (value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function heldChoice(value: unknown): HeldChoice | undefined {
  if (value === 'transcript' || value === 'retry' || value === 'cancel') return value;
  const method = isRaw(value) ? words(value['signIn'], longestChoice) : undefined;
  return method === undefined ? undefined : { signIn: method };
}
