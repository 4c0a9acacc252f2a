// One field of a form: its label, what it is for, the page's own input for its kind, and what is not right about it.
// Promises: all of these are tied together for a screen reader; few choices are all in sight, many are a list.

import { useId } from 'preact/hooks';
import type { FormChoice, FormField } from '../../model/agentState.ts';
import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import type { Typed } from './formAnswer.ts';
import { icon } from '../icons.ts';

const mostInSight = 5;
const types = {
  text: { type: 'text' },
  email: { type: 'email' },
  uri: { type: 'url' },
  date: { type: 'date' },
  'date-time': { type: 'datetime-local' },
} as const;

export interface FieldProps {
  readonly at: number;
  readonly field: FormField;
  readonly typed: Typed[string];
  readonly problem: string | null;
  readonly change: (typed: Typed[string]) => void;
}

interface InputProps extends FieldProps {
  readonly id: string;
  readonly described: string | undefined;
}

export function FieldOf(props: FieldProps) {
  const { at, field, problem } = props;
  const id = useId();
  const description = cleanText(field.description).trim();
  const about = [description !== '' && `${id}-about`, problem !== null && `${id}-problem`];
  const described = about.filter(one => one !== false).join(' ') || undefined;
  const title = cleanLine(field.title) || cleanLine(field.name);
  const label = (
    <>
      {title}
      {field.required && field.input.kind !== 'yesNo' && (
        <span class="required" title="Needed">
          <span aria-hidden="true">*</span>
          <span class="hidden"> (needed)</span>
        </span>
      )}
    </>
  );
  const input = { ...props, id, described };
  const below = (
    <>
      {description !== '' && (
        <div class="fieldAbout" id={`${id}-about`}>
          {description}
        </div>
      )}
    </>
  );
  const said = problem !== null && (
    <div class="fieldProblem" id={`${id}-problem`}>
      {icon('warning')}
      <span>{cleanText(problem)}</span>
    </div>
  );
  const isGroup = field.input.kind === 'many' || (field.input.kind === 'one' && isFew(field.input.choices));
  if (field.input.kind === 'yesNo') {
    return (
      <div class="field" data-field={at}>
        <label class="choice">
          <InputOf {...input} />
          <span>{label}</span>
        </label>
        {below}
        {said}
      </div>
    );
  }
  if (isGroup) {
    return (
      <fieldset class="field" data-field={at} aria-describedby={described} aria-invalid={problem !== null}>
        <legend>{label}</legend>
        {below}
        <InputOf {...input} />
        {said}
      </fieldset>
    );
  }
  return (
    <div class="field" data-field={at}>
      <label for={id}>{label}</label>
      {below}
      <InputOf {...input} />
      {said}
    </div>
  );
}

function InputOf({ at, field: { input, required }, typed, problem, change, id, described }: InputProps) {
  const shared = { id, 'aria-describedby': described, 'aria-invalid': problem !== null, 'aria-required': required };
  const words = typeof typed === 'string' ? typed : '';
  const onInput = (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    change(event.currentTarget.value);
  switch (input.kind) {
    case 'text':
      return (
        <input
          {...shared}
          {...types[input.format ?? 'text']}
          value={words}
          autocomplete="off"
          spellcheck={false}
          onInput={onInput}
        />
      );
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          step={input.whole ? 1 : 'any'}
          min={input.least ?? undefined}
          max={input.most ?? undefined}
          value={words === notANumber ? undefined : words}
          // The page gives no words for what is no number; it must not look like an empty field.
          onInput={({ currentTarget }) => change(currentTarget.validity.badInput ? notANumber : currentTarget.value)}
        />
      );
    case 'yesNo':
      return (
        <input
          {...shared}
          type="checkbox"
          checked={typed === true}
          onInput={event => change(event.currentTarget.checked)}
        />
      );
    case 'one':
      return isFew(input.choices) ? (
        <Choices type="radio" name={`${id}-${at}`} choices={input.choices} chosen={[words]} press={change} />
      ) : (
        <select {...shared} value={words} onInput={onInput}>
          <option value="">{required ? 'Choose one' : 'None'}</option>
          {input.choices.map(({ value, title }) => (
            <option key={value} value={value}>
              {cleanLine(title) || cleanLine(value)}
            </option>
          ))}
        </select>
      );
    case 'many': {
      const chosen = Array.isArray(typed) ? (typed as readonly string[]) : [];
      const press = (value: string) =>
        change(
          input.choices
            .map(choice => choice.value)
            .filter(one => (one === value ? !chosen.includes(one) : chosen.includes(one))),
        );
      return <Choices type="checkbox" name={`${id}-${at}`} choices={input.choices} chosen={chosen} press={press} />;
    }
  }
}

const notANumber = 'NaN';

function isFew(choices: readonly FormChoice[]): boolean {
  return choices.length <= mostInSight;
}

interface ChoicesProps {
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly choices: readonly FormChoice[];
  readonly chosen: readonly string[];
  readonly press: (value: string) => void;
}

function Choices({ type, name, choices, chosen, press }: ChoicesProps) {
  return (
    <div class="choices">
      {choices.map(({ value, title }) => (
        <label key={value} class="choice">
          <input type={type} name={name} checked={chosen.includes(value)} onChange={() => press(value)} />
          <span>{cleanLine(title) || cleanLine(value)}</span>
        </label>
      ))}
    </div>
  );
}
