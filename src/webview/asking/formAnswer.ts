// A form that is being filled in: what stands in its fields, what that is as an answer, and what is not right yet.
// Promises: an empty field is no answer at all, and never a zero or an empty word; what was typed outlives drawing anew,
// and is forgotten with its question. Pure, so that a table can prove it.

import type { Elicitation, FormField, FormValue } from '../../model/agentState.ts';
import { filledIn, problemOf } from '../../model/form.ts';
import type { SessionId } from '../../model/message.ts';
import type { HostEvent } from '../../model/wire.ts';

/** As the page's own fields have it: numbers and times are words. */
export type Typed = { readonly [field: string]: string | boolean | readonly string[] };

export function firstTyped(fields: readonly FormField[]): Typed {
  return Object.fromEntries(fields.map(field => [field.name, initial(field)]));
}

function initial({ input }: FormField): Typed[string] {
  switch (input.kind) {
    case 'text':
      return input.format === 'date-time' ? localTime(input.initial) : input.initial;
    case 'number':
      return input.initial === null ? '' : String(input.initial);
    case 'one':
      return input.initial ?? '';
    case 'yesNo':
    case 'many':
      return input.initial;
  }
}

export function valueOf({ input }: FormField, typed: Typed[string] | undefined): FormValue | undefined {
  if (typed === undefined || typed === '') return undefined;
  if (typeof typed !== 'string') return typed;
  if (input.kind === 'number') return Number(typed);
  if (input.kind !== 'text' || input.format !== 'date-time') return typed;
  const time = new Date(typed);
  return Number.isNaN(time.getTime()) ? typed : time.toISOString();
}

export interface Filled {
  readonly content: { readonly [field: string]: FormValue };
  readonly problems: ReadonlyMap<string, string>;
}

export function filled(fields: readonly FormField[], typed: Typed): Filled {
  const content: [string, FormValue][] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const value = valueOf(field, typed[field.name]);
    if (value !== undefined) content.push([field.name, value]);
    const problem = problemOf(field, value);
    if (problem !== null) problems.set(field.name, problem);
  }
  return { content: filledIn(fields, Object.fromEntries(content)), problems };
}

export interface FormKeeper {
  readonly read: (id: string) => Typed | undefined;
  readonly write: (id: string, typed: Typed) => void;
  readonly hear: (event: HostEvent) => void;
}

/** What was typed, for every question that is open, of the session that is left too. */
export function createFormKeeper(): FormKeeper {
  const kept = new Map<string, { readonly session: SessionId | null; readonly typed: Typed }>();
  let session: SessionId | null = null;
  const only = (open: readonly Elicitation[]) => {
    const ids = new Set(open.map(({ id }) => id));
    for (const [id, one] of kept) if (one.session === session && !ids.has(id)) kept.delete(id);
  };
  return {
    read: id => kept.get(id)?.typed,
    write: (id, typed) => void kept.set(id, { session, typed }),
    hear(event) {
      if (event.type === 'snapshot') {
        session = event.transcript.session;
        only(event.transcript.elicitations);
      } else if (event.type === 'elicitationsChanged') only(event.elicitations);
    },
  };
}

/** As the field for a time of the day wants it: on this clock, without a zone. */
function localTime(text: string): string {
  const time = new Date(text);
  if (text === '' || Number.isNaN(time.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
