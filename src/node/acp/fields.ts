// What came off the wire as something to look into: JSON of any shape, read field by field. Promises: nothing here
// throws, and a field that has not the type that was asked for is the same as one that is not there.

import type { Json } from '../../model/message.ts';

export type Fields = { readonly [key: string]: Json | undefined };

export function fieldsOf(value: unknown): Fields | undefined {
  // What came off the wire is JSON, whatever it means.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A capability is on where it is true or an object, however empty. */
export function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'object' && value !== null);
}

/** A number that can be one of something counted. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
