// How long a model may think before it answers: which levels one can be set to. What a person wrote counts, then what its
// server says of it, then what is known by its name; of a model of which nothing is known, nothing is offered. Pure.

import type { ThinkingLevel } from '../loop/model.ts';

/** As a person's settings and servers say it: that it can or cannot, or which levels. */
export type SaidOfThinking = boolean | readonly ThinkingLevel[];

const levels: readonly ThinkingLevel[] = ['off', 'low', 'medium', 'high'];
/** Of those that cannot do without. */
const always: readonly ThinkingLevel[] = ['low', 'medium', 'high'];

/** By the beginning of the name, after that of whoever serves it; the first that fits counts. */
const known: readonly (readonly [name: RegExp, levels: readonly ThinkingLevel[]])[] = [
  [/^claude-(fable-5|(opus|sonnet)-5[.-]5)/, always],
  [/^claude-(3[.-]7|([a-z]+-)?[4-9])/, levels],
  [/^(gpt-5-chat|o1-(mini|preview))/, []],
  [/^gpt-(5[.-][1-9]|[6-9])/, levels],
  [/^(gpt-5|gpt-oss|o[134])/, always],
];

export function thinkingOf(id: string, said: SaidOfThinking | undefined): readonly ThinkingLevel[] {
  if (said === false) return [];
  if (Array.isArray(said)) return said;
  const bare = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  return known.find(([begins]) => begins.test(bare))?.[1] ?? (said === true ? levels : []);
}

type Fields = { readonly [field: string]: unknown };

/** What a listing says of a model; undefined where it says nothing. */
export function thinkingIn(listed: Fields): SaidOfThinking | undefined {
  const reasoning = fieldsOf(listed['reasoning']);
  if (typeof reasoning?.['mandatory'] === 'boolean') {
    const efforts = reasoning['supported_efforts'];
    const can = (level: ThinkingLevel) => !Array.isArray(efforts) || efforts.includes(level === 'off' ? 'none' : level);
    return (reasoning['mandatory'] ? always : levels).filter(can);
  }
  const supported = fieldsOf(fieldsOf(listed['capabilities'])?.['thinking'])?.['supported'];
  if (typeof supported === 'boolean') return supported;
  const parameters = listed['supported_parameters'];
  if (!Array.isArray(parameters)) return undefined;
  return parameters.some(one => one === 'reasoning' || one === 'reasoning_effort');
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
