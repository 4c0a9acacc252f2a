// What a person fills in when an agent asks by a form: whether it fits, and what of it goes back. Pure, the same in the
// webview, which shows what does not fit beside its field, and in the host, which lets nothing else through.

import type { Elicitation, ElicitationAnswer, FormChoice, FormField, FormValue } from './agentState.ts';

export type FormContent = { readonly [field: string]: FormValue };

type TextInput = Extract<FormField['input'], { readonly kind: 'text' }>;
type NumberInput = Extract<FormField['input'], { readonly kind: 'number' }>;
type ManyInput = Extract<FormField['input'], { readonly kind: 'many' }>;
type Bounds = Pick<TextInput, 'least' | 'most'>;

/** What is wrong with it, in words to show at the field; null where it can be sent. Undefined is what was not filled in. */
export function problemOf(field: FormField, value: FormValue | undefined): string | null {
  const { input, required } = field;
  if (isEmpty(field, value)) return required ? 'This has to be filled in.' : null;
  switch (input.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(input, value) : 'This has to be a text.';
    case 'number':
      return typeof value === 'number' ? numberProblem(input, value) : 'This has to be a number.';
    case 'yesNo':
      return typeof value === 'boolean' ? null : 'This has to be yes or no.';
    case 'one':
      return isChoice(input.choices, value) ? null : 'This has to be one of the choices.';
    case 'many':
      return manyProblem(input, value);
  }
}

/** Nothing else may be sent for this question. */
export function answerFits({ asks }: Elicitation, answer: ElicitationAnswer): boolean {
  if (answer.action !== 'accept' || asks.kind === 'url') return true;
  return asks.fields.every(field => problemOf(field, valueOf(field, answer.content)) === null);
}

/** What goes back: the fields that were asked for, without what was left empty. */
export function filledIn(fields: readonly FormField[], content: FormContent): FormContent {
  const filled = fields.flatMap((field): readonly (readonly [string, FormValue])[] => {
    const value = valueOf(field, content);
    return value === undefined || isEmpty(field, value) ? [] : [[field.name, value]];
  });
  return Object.fromEntries(filled);
}

function valueOf({ name }: FormField, content: FormContent): FormValue | undefined {
  return Object.hasOwn(content, name) ? content[name] : undefined;
}

/** Of a required list, to choose nothing is an answer too, unless it says how many. */
function isEmpty({ input, required }: FormField, value: FormValue | undefined): boolean {
  if (value === undefined || value === '') return true;
  return input.kind === 'many' && !required && Array.isArray(value) && value.length === 0;
}

function textProblem({ format, least, most }: TextInput, value: string): string | null {
  // As JSON Schema counts: an emoji is one character.
  const { length } = Array.from(value);
  if (least !== null && length < least) return `This has to have at least ${counted(least, 'character')}.`;
  if (most !== null && length > most) return `This may have at most ${counted(most, 'character')}.`;
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? null : 'This has to be an email address.';
    case 'uri':
      return URL.canParse(value) ? null : 'This has to be a whole address, such as https://example.com.';
    case 'date':
      return isDate(value) ? null : 'This has to be a date, such as 2026-01-31.';
    case 'date-time':
      return isDateTime(value) ? null : 'This has to be a date with a time, such as 2026-01-31T09:30:00Z.';
    case null:
      return null;
  }
}

function numberProblem({ whole, ...bounds }: NumberInput, value: number): string | null {
  if (!Number.isFinite(value)) return 'This has to be a number.';
  if (whole && !Number.isInteger(value)) return 'This has to be a whole number.';
  const { least, most } = bounds;
  if (least !== null && value < least) return `This has to be at least ${least}.`;
  return most !== null && value > most ? `This may be at most ${most}.` : null;
}

function manyProblem({ choices, ...bounds }: ManyInput, value: FormValue | undefined): string | null {
  const taken: readonly unknown[] = Array.isArray(value) ? value : [null];
  const known = taken.every(one => isChoice(choices, one)) && new Set(taken).size === taken.length;
  return known ? countProblem(bounds, taken.length) : 'These have to be of the choices, each once.';
}

function countProblem({ least, most }: Bounds, count: number): string | null {
  if (least !== null && count < least) return `At least ${counted(least, 'choice')} must be taken.`;
  return most !== null && count > most ? `At most ${counted(most, 'choice')} can be taken.` : null;
}

function isChoice(choices: readonly FormChoice[], value: unknown): boolean {
  return choices.some(choice => choice.value === value);
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // The thirtieth of February would be a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isDateTime(value: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))$/.exec(value);
  return (
    parts !== null && isDate(parts[1] ?? '') && !Number.isNaN(Date.parse(`${parts[1]}T${parts[2]?.toUpperCase()}`))
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
