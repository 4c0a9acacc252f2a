// The form that an agent describes as a JSON Schema, as fields to show. Promises: the order stays; a field that is not
// understood, or contradicts itself, is a text that a person can fill in; words are clean, names and values are the
// agent's own. Patterns are left to the agent: an expression of a stranger may run for ever.

import type { FormChoice, FormField } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';
import { countOf, fieldsOf, listOf, textOf, type Fields } from './fields.ts';
import { plainText } from './plainText.ts';

type Input = FormField['input'];

const mostTitle = 200;
const mostWords = 2000;
const formats = ['email', 'uri', 'date', 'date-time'] as const;

export function formFieldsOf(schema: unknown): readonly FormField[] {
  const { properties, required } = fieldsOf(schema) ?? {};
  const needed = listOf(required);
  return Object.entries(fieldsOf(properties) ?? {}).map(([name, property]): FormField => {
    const described = fieldsOf(property) ?? {};
    return {
      name,
      title: words(described['title'], mostTitle) || words(name, mostTitle),
      description: words(described['description'], mostWords),
      required: needed.includes(name),
      input: inputOf(described),
    };
  });
}

/** Words of an agent as they can be shown. */
export function words(value: unknown, most = mostWords): string {
  return plainText(textOf(value) ?? '').slice(0, most);
}

function inputOf(property: Fields): Input {
  switch (property['type']) {
    case 'string':
      return oneOf(property) ?? textIn(property);
    case 'number':
    case 'integer':
      return numberIn(property);
    case 'boolean':
      return { kind: 'yesNo', initial: property['default'] === true };
    case 'array':
      return manyOf(property) ?? textIn({});
    default:
      return textIn({});
  }
}

function textIn(property: Fields): Input {
  const { minLength, maxLength, format } = property;
  return {
    kind: 'text',
    format: formats.find(one => one === format) ?? null,
    ...bounds(countOf(minLength), countOf(maxLength)),
    initial: textOf(property['default']) ?? '',
  };
}

function numberIn(property: Fields): Input {
  const { type, minimum, maximum } = property;
  return {
    kind: 'number',
    whole: type === 'integer',
    ...bounds(numberOf(minimum), numberOf(maximum)),
    initial: numberOf(property['default']) ?? null,
  };
}

function oneOf(property: Fields): Input | null {
  const choices = choicesIn(property);
  const initial = choices.find(({ value }) => value === property['default'])?.value ?? null;
  return choices.length === 0 ? null : { kind: 'one', choices, initial };
}

function manyOf(property: Fields): Input | null {
  const choices = choicesIn(fieldsOf(property['items']) ?? {});
  if (choices.length === 0) return null;
  const chosen = listOf(property['default']);
  const initial = choices.map(({ value }) => value).filter(value => chosen.includes(value));
  const least = countOf(property['minItems']);
  // More than there are could never be taken.
  const within =
    least === undefined || least <= choices.length ? bounds(least, countOf(property['maxItems'])) : nothing;
  return { kind: 'many', choices, ...within, initial };
}

function choicesIn({ enum: values, enumNames, oneOf, anyOf }: Fields): readonly FormChoice[] {
  const names = listOf(enumNames);
  const plain = listOf(values).flatMap((value, at) => choice(value, names[at]));
  const titled = [...listOf(oneOf), ...listOf(anyOf)].flatMap((option: Json) => {
    const { const: value, title } = fieldsOf(option) ?? {};
    return choice(value, title);
  });
  const all = [...plain, ...titled];
  return all.filter(({ value }, at) => all.findIndex(other => other.value === value) === at);
}

function choice(value: unknown, title: unknown): readonly FormChoice[] {
  if (typeof value !== 'string') return [];
  return [{ value, title: words(title, mostTitle) || words(value, mostTitle) }];
}

const nothing = { least: null, most: null };

/** Bounds between which nothing lies are none. */
function bounds(least: number | undefined, most: number | undefined): { least: number | null; most: number | null } {
  if (least !== undefined && most !== undefined && least > most) return nothing;
  return { least: least ?? null, most: most ?? null };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
