// Parsers for the fields of intents. They read what an untrusted page sent, so each answers undefined for every value that
// it does not name.

import type { ElicitationAnswer, FormValue, HeldChoice } from './agentState.ts';
import { largestPicture, mostAttachments } from './attachment.ts';

/** Undefined refuses the value, and with it the intent. */
export type Field<Value = unknown> = (value: unknown) => Value | undefined;
type Raw = { readonly [key: string]: unknown };

/** What `optional` answers for a field that is left out. */
export const absent = Symbol('absent');

/** A prompt can be long, such as a pasted log. */
export const longestPrompt = 4 * 1024 * 1024;
const mostFormFields = 256;
const longestFormText = 65_536;
const longestBase64 = Math.ceil(largestPicture / 3) * 4;

export const id = string(1, 128);
export const text = string(0, longestPrompt);
export const code = string(1, longestPrompt);
/** What was typed after `@`. */
export const typed = string(0, 256);
export const address = string(0, 8192);
/** A file name, or an agent's own id of what it offers. */
export const name = string(0, 1024);

export const prompt: Field<string> = value => {
  const words = text(value);
  return words?.trim() ? words : undefined;
};

export const base64: Field<string> = value => {
  const bytes = string(4, longestBase64)(value);
  return bytes && bytes.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(bytes) ? bytes : undefined;
};

/** An index into a list. */
export const index: Field<number> = value =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** At least one, and none twice. */
const ids: Field<readonly string[]> = value => {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostAttachments) return undefined;
  const known = value.flatMap(one => id(one) ?? []);
  return known.length === value.length && new Set(known).size === known.length ? known : undefined;
};

export const idsOrNone: Field<readonly string[]> = value =>
  Array.isArray(value) && value.length === 0 ? [] : ids(value);

export const idOrNull = orNull(id);
export const textOrNull = orNull(text);
export const indexOrNull = orNull(index);
export const optionalId = optional(id);
export const optionalIds = optional(ids);
export const decision = oneOf('keep', 'undo', 'redo');

const heldWord = oneOf('transcript', 'retry', 'cancel');

export const heldChoice: Field<HeldChoice> = value => {
  if (!isRaw(value)) return heldWord(value);
  const signIn = name(value['signIn']);
  return signIn === undefined ? undefined : { signIn };
};

export const elicitationAnswer: Field<ElicitationAnswer> = value => {
  if (!isRaw(value)) return undefined;
  const { action, content } = value;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept' || !isRaw(content)) return undefined;
  const fields = Object.entries(content);
  if (fields.length > mostFormFields || !fields.every(isFormField)) return undefined;
  const texts = fields.flatMap(([, one]) => one).filter(one => typeof one === 'string');
  if (texts.reduce((sum, { length }) => sum + length, 0) > longestPrompt) return undefined;
  return { action, content: Object.fromEntries(fields) };
};

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function string(least: number, most: number): Field<string> {
  return value => (typeof value === 'string' && value.length >= least && value.length <= most ? value : undefined);
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]): Field<Choice> {
  return value => choices.find(choice => choice === value);
}

function orNull<Value>(parse: Field<Value>): Field<Value | null> {
  return value => (value === null ? null : parse(value));
}

function optional<Value>(parse: Field<Value>): Field<Value | typeof absent> {
  return value => (value === undefined ? absent : parse(value));
}

function isFormField(field: readonly [string, unknown]): field is [string, FormValue] {
  return name(field[0]) !== undefined && isFormValue(field[1]);
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.length <= mostFormFields && value.every(isFormText);
  return typeof value === 'boolean' || Number.isFinite(value) || isFormText(value);
}

function isFormText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestFormText;
}
