// Questions of an agent that are filled in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Elicitation, FormField, FormValue } from '../../../src/model/agentState.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import { createFormKeeper, filled, firstTyped, type Typed } from '../../../src/webview/asking/formAnswer.ts';
import { questionNews } from '../../../src/webview/asking/questions.ts';
import { place, transcript } from './fixture.ts';

function field(name: string, input: FormField['input'], required = false): FormField {
  return { name, title: name, description: '', required, input };
}

const text = { kind: 'text', format: null, least: null, most: null, initial: '' } as const;
const number = { kind: 'number', whole: true, least: 1, most: 9, initial: null } as const;
const choices = [
  { value: 'a', title: 'A' },
  { value: 'b', title: 'B' },
];
const one = { kind: 'one', choices, initial: null } as const;
const many = { kind: 'many', choices, least: null, most: null, initial: [] } as const;

test('[W23] what was typed is an answer of its kind, and what is empty is none', () => {
  const rows: readonly (readonly [FormField['input'], Typed[string], FormValue | undefined])[] = [
    [text, 'words', 'words'],
    [text, '', undefined],
    [{ ...text, format: 'date' }, '2026-01-31', '2026-01-31'],
    [{ ...text, format: 'date-time' }, '2026-01-31T09:30', new Date('2026-01-31T09:30').toISOString()],
    [number, '3', 3],
    [number, '', undefined],
    [{ kind: 'yesNo', initial: false }, false, false],
    [one, 'b', 'b'],
    [one, '', undefined],
    [many, ['a', 'b'], ['a', 'b']],
    [many, [], undefined],
  ];
  for (const [input, typed, expected] of rows) {
    const { content, problems } = filled([field('x', input)], { x: typed });
    assert.deepEqual(content['x'], expected);
    assert.equal(problems.size, 0, JSON.stringify([input, typed]));
  }
});

test('[W23] a field says what is not right in it', () => {
  const fields = [
    field('needed', text, true),
    field('number', number),
    field('mail', { ...text, format: 'email' }),
    field('constructor', text),
  ];
  const { problems } = filled(fields, { needed: '', number: 'NaN', mail: 'nobody', constructor: '' });
  assert.deepEqual([...problems.keys()], ['needed', 'number', 'mail']);
});

test('[W23] a form begins with what the agent gave', () => {
  const time = field('time', { ...text, format: 'date-time', initial: '2026-01-31T09:30:00Z' });
  const fields = [
    field('n', { ...number, initial: 0 }),
    field('o', { ...one, initial: 'b' }),
    field('m', { ...many, initial: ['a'] }),
    time,
  ];
  const typed = firstTyped(fields);
  assert.deepEqual([typed['n'], typed['o'], typed['m']], ['0', 'b', ['a']]);
  assert.deepEqual(filled([time], typed).content, { time: '2026-01-31T09:30:00.000Z' });
});

const question: Elicitation = { id: 'e', message: 'Where\nto?', asks: { kind: 'form', fields: [] } };

test('[W23] what was typed stays while the question is open', () => {
  const keeper = createFormKeeper();
  const show = (session: string, elicitations: readonly Elicitation[]): HostEvent => ({
    type: 'snapshot',
    transcript: { ...transcript, session, elicitations },
    place,
    draft: '',
  });
  keeper.hear(show('s', [question]));
  keeper.write('e', { x: 'typed' });
  keeper.hear({ type: 'elicitationsChanged', elicitations: [question, { ...question, id: 'f' }] });
  keeper.hear(show('s', [question]));
  keeper.hear(show('another', []));
  keeper.hear(show('s', [question]));
  assert.deepEqual(keeper.read('e'), { x: 'typed' });
  keeper.hear({ type: 'elicitationsChanged', elicitations: [] });
  assert.equal(keeper.read('e'), undefined);
});

test('[W23] a question is told once, when it comes', () => {
  assert.equal(questionNews([], [question], 'Claude'), 'Question from Claude: Where to?');
  assert.equal(questionNews([question], [question], 'Claude'), undefined);
  assert.equal(questionNews([], [question], ''), 'Question from the agent: Where to?');
});
