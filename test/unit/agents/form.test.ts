// Forms by themselves: how a JSON Schema becomes fields, and what may be filled in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormField, FormValue } from '../../../src/model/agentState.ts';
import { answerFits, filledIn, problemOf } from '../../../src/model/form.ts';
import { formFieldsOf } from '../../../src/node/acp/formFields.ts';

const text = { kind: 'text', format: null, least: null, most: null, initial: '' } as const;
const ab = [
  { value: 'a', title: 'A' },
  { value: 'b', title: 'b' },
] as const;

const properties: readonly (readonly [property: unknown, input: FormField['input']])[] = [
  [{ type: 'string' }, text],
  [
    { type: 'string', format: 'email', minLength: 2, maxLength: 5, default: 'x@y' },
    { kind: 'text', format: 'email', least: 2, most: 5, initial: 'x@y' },
  ],
  [{ type: 'string', format: 'ipv6', minLength: -1, maxLength: 'many', default: 7 }, text],
  [{ type: 'string', minLength: 5, maxLength: 2 }, text],
  [
    { type: 'string', enum: ['a', 'b'], enumNames: ['A'], default: 'b' },
    { kind: 'one', choices: ab, initial: 'b' },
  ],
  [
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }, { title: 'c' }, 7], default: 'c' },
    { kind: 'one', choices: ab, initial: null },
  ],
  [
    { type: 'string', enum: ['a', 'b', 'a'], enumNames: ['A'] },
    { kind: 'one', choices: ab, initial: null },
  ],
  [{ type: 'string', enum: [] }, text],
  [{ type: 'string', enum: [1, 2] }, text],
  [
    { type: 'number', minimum: -1.5, maximum: 2, default: 0 },
    { kind: 'number', whole: false, least: -1.5, most: 2, initial: 0 },
  ],
  [
    { type: 'integer', minimum: '1', maximum: null, default: 'x' },
    { kind: 'number', whole: true, least: null, most: null, initial: null },
  ],
  [
    { type: 'boolean', default: true },
    { kind: 'yesNo', initial: true },
  ],
  [
    { type: 'boolean', default: 'true' },
    { kind: 'yesNo', initial: false },
  ],
  [
    { type: 'array', items: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, minItems: 1, maxItems: 2 },
    { kind: 'many', choices: ab, least: 1, most: 2, initial: [] },
  ],
  [
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, default: ['b', 'x'], minItems: 3 },
    { kind: 'many', choices: ab, least: null, most: null, initial: ['b'] },
  ],
  [{ type: 'array', items: { type: 'number' } }, text],
  [{ type: 'array' }, text],
  [{ type: 'object', properties: {} }, text],
  [{ type: ['string'] }, text],
  [{}, text],
  [null, text],
  ['string', text],
];

test('[A15] whatever a property is, it becomes a field', () => {
  for (const [property, input] of properties) {
    const fields = formFieldsOf({ properties: { p: property }, required: ['p', 7] });
    assert.deepEqual(fields, [{ name: 'p', title: 'p', description: '', required: true, input }]);
  }
  for (const schema of [undefined, null, 7, [], {}, { properties: [] }]) assert.deepEqual(formFieldsOf(schema), []);
});

test('[A15] the words of a form are shown without control characters, its names go back as they are', () => {
  const property = { type: 'string', title: '\u001b[31mRed\u001b[0m', description: 'a\u0007b', enum: ['\u001b[1mx'] };
  const [field] = formFieldsOf({ properties: { 'na\u0007me': property } });
  assert.deepEqual([field?.name, field?.title, field?.description], ['na\u0007me', 'Red', 'ab']);
  assert.deepEqual(field?.input.kind === 'one' && field.input.choices, [{ value: '\u001b[1mx', title: 'x' }]);
  assert.equal(formFieldsOf({ properties: { p: { title: ' ' } } })[0]?.title, 'p');
});

function field(property: object, required = false): FormField {
  const [made] = formFieldsOf({ properties: { p: property }, required: required ? ['p'] : [] });
  assert.ok(made);
  return made;
}

const needed = 'This has to be filled in.';
const values: readonly (readonly [field: FormField, value: FormValue | undefined, problem: string | null])[] = [
  [field({ type: 'string' }), '', null],
  [field({ type: 'string' }), undefined, null],
  [field({ type: 'string' }, true), '', needed],
  [field({ type: 'string' }, true), undefined, needed],
  [field({ type: 'string' }, true), 7, 'This has to be a text.'],
  [field({ type: 'string', minLength: 2 }), 'a', 'This has to have at least 2 characters.'],
  [field({ type: 'string', minLength: 2 }), '', null],
  [field({ type: 'string', maxLength: 1 }), 'ab', 'This may have at most 1 character.'],
  [field({ type: 'string', maxLength: 1 }), '🦊', null],
  [field({ type: 'string', format: 'email' }), 'ada@example.com', null],
  [field({ type: 'string', format: 'email' }), 'ada', 'This has to be an email address.'],
  [field({ type: 'string', format: 'uri' }), 'https://example.com', null],
  [field({ type: 'string', format: 'uri' }), 'example', 'This has to be a whole address, such as https://example.com.'],
  [field({ type: 'string', format: 'date' }), '2028-02-29', null],
  [field({ type: 'string', format: 'date' }), '2026-02-30', 'This has to be a date, such as 2026-01-31.'],
  [field({ type: 'string', format: 'date' }), '31.1.2026', 'This has to be a date, such as 2026-01-31.'],
  [field({ type: 'string', format: 'date-time' }), '2026-01-31T09:30:00+01:00', null],
  [field({ type: 'string', format: 'date-time' }), '2026-01-31t09:30:00.5z', null],
  [
    field({ type: 'string', format: 'date-time' }),
    '2026-01-31T25:30:00Z',
    'This has to be a date with a time, such as 2026-01-31T09:30:00Z.',
  ],
  [
    field({ type: 'string', format: 'date-time' }),
    '2026-01-31',
    'This has to be a date with a time, such as 2026-01-31T09:30:00Z.',
  ],
  [field({ type: 'number', minimum: 1 }), 0.5, 'This has to be at least 1.'],
  [field({ type: 'number', maximum: 1 }), 1.5, 'This may be at most 1.'],
  [field({ type: 'number' }), Number.NaN, 'This has to be a number.'],
  [field({ type: 'number' }), '1', 'This has to be a number.'],
  [field({ type: 'number' }), 1.5, null],
  [field({ type: 'integer' }), 1.5, 'This has to be a whole number.'],
  [field({ type: 'integer' }, true), 0, null],
  [field({ type: 'boolean' }, true), false, null],
  [field({ type: 'boolean' }), 'no', 'This has to be yes or no.'],
  [field({ type: 'string', enum: ['a'] }), 'a', null],
  [field({ type: 'string', enum: ['a'] }), 'b', 'This has to be one of the choices.'],
  [field({ type: 'string', enum: ['a'] }, true), undefined, needed],
  [field({ type: 'array', items: { enum: ['a', 'b'] } }, true), [], null],
  [field({ type: 'array', items: { enum: ['a', 'b'] } }), ['a', 'b'], null],
  [field({ type: 'array', items: { enum: ['a', 'b'] } }), ['a', 'a'], 'These have to be of the choices, each once.'],
  [field({ type: 'array', items: { enum: ['a', 'b'] } }), ['c'], 'These have to be of the choices, each once.'],
  [field({ type: 'array', items: { enum: ['a', 'b'] } }), 'a', 'These have to be of the choices, each once.'],
  [field({ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }), ['a'], 'At least 2 choices must be taken.'],
  [field({ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }), [], null],
  [field({ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }, true), [], 'At least 1 choice must be taken.'],
  [field({ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }), ['a', 'b'], 'At most 1 choice can be taken.'],
  [field({ type: 'hologram' }, true), 'as it is', null],
];

test('[A15] what does not fit is said in words', () => {
  for (const [one, value, problem] of values)
    assert.equal(problemOf(one, value), problem, `${JSON.stringify(one.input)} ${JSON.stringify(value)}`);
});

test('[A15] nothing but the fields goes back, whatever they are called', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{},"toString":{}},"required":["toString"]}') as object;
  const fields = formFieldsOf(schema);
  const elicitation = { id: 'q', message: '', asks: { kind: 'form' as const, fields } };
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['__proto__', 'toString'],
  );
  assert.equal(answerFits(elicitation, { action: 'accept', content: {} }), false);
  const content = JSON.parse('{"__proto__":"p","toString":"s","more":"m"}') as Record<string, string>;
  assert.equal(answerFits(elicitation, { action: 'accept', content }), true);
  assert.equal(JSON.stringify(filledIn(fields, content)), '{"__proto__":"p","toString":"s"}');
  assert.equal(answerFits(elicitation, { action: 'decline' }), true);
});
