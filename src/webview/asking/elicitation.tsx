// A question of the agent's that is no permission: a form to fill in, or an address to open. Promises: only a press of
// its own buttons answers, made after they could be read; what was typed stays while the question is open; Escape in it
// stays in it.

import { useRef, useState } from 'preact/hooks';
import type { Elicitation, ElicitationAnswer, FormField } from '../../model/agentState.ts';
import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import { filled, firstTyped } from './formAnswer.ts';
import { FieldOf } from './formField.tsx';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { questionName } from './questions.ts';
import { useSettled } from '../transcript/settled.ts';

export function Question({ elicitation }: { readonly elicitation: Elicitation }) {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const agent = store.part('agent').value?.name ?? '';
  const isMeant = useSettled(store.part('elicitations').value);
  const group = useRef<HTMLDivElement>(null);
  const [answered, setAnswered] = useState(false);
  const { message, asks } = elicitation;
  const answer = (event: Event, given: ElicitationAnswer) => {
    if (answered || !isMeant(event)) return;
    setAnswered(true);
    // Its fields and buttons are about to go, and a key that is still held must not land in the composer.
    group.current?.closest<HTMLElement>('.scroller')?.focus({ preventScroll: true });
    post({ type: 'answerElicitation', session, elicitation: elicitation.id, answer: given });
  };
  const decline = (event: Event) => answer(event, { action: 'decline' });
  return (
    <div
      class="ask"
      role="group"
      aria-label={questionName(agent)}
      ref={group}
      onKeyDown={event => {
        // Elsewhere Escape stops the answer; here it closes a list of choices, or means nothing.
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <div class="askHead">
        {icon('question')}
        <span>{questionName(agent)}</span>
      </div>
      {message.trim() !== '' && <div class="askWords">{cleanText(message).trim()}</div>}
      {asks.kind === 'form' ? (
        <Form
          id={elicitation.id}
          fields={asks.fields}
          send={(event, content) => answer(event, { action: 'accept', content })}
          decline={decline}
        />
      ) : (
        <>
          <div class="askAddress">
            <b>{cleanLine(asks.host)}</b>
            <span>{cleanLine(asks.url)}</span>
          </div>
          <div class="answers">
            <button
              type="button"
              class="button primary"
              onClick={event => answer(event, { action: 'accept', content: {} })}
            >
              {`Open ${cleanLine(asks.host)}`}
            </button>
            <button type="button" class="answer unknown" onClick={decline}>
              Decline
            </button>
          </div>
        </>
      )}
    </div>
  );
}

interface FormProps {
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly send: (event: Event, content: ReturnType<typeof filled>['content']) => void;
  readonly decline: (event: Event) => void;
}

function Form({ id, fields, send, decline }: FormProps) {
  const { forms, said } = usePanel();
  const [typed, setTyped] = useState(() => forms.read(id) ?? firstTyped(fields));
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { content, problems } = filled(fields, typed);
  const submit = (event: Event) => {
    event.preventDefault();
    if (problems.size === 0) {
      send(event, content);
      return;
    }
    setTried(true);
    said.value = problems.size === 1 ? 'One answer is not right yet' : `${problems.size} answers are not right yet`;
    const bad = fields.findIndex(field => problems.has(field.name));
    form.current?.querySelector<HTMLElement>(`[data-field="${bad}"] :is(input, select)`)?.focus();
  };
  return (
    <form class="form" ref={form} noValidate onSubmit={submit}>
      {fields.map((field, at) => (
        <FieldOf
          key={field.name}
          at={at}
          field={field}
          typed={typed[field.name] ?? ''}
          problem={tried ? (problems.get(field.name) ?? null) : null}
          change={value => {
            const next = { ...typed, [field.name]: value };
            forms.write(id, next);
            setTyped(next);
          }}
        />
      ))}
      <div class="answers">
        <button type="submit" class="button primary">
          Send answer
        </button>
        <button type="button" class="answer unknown" onClick={decline}>
          Decline
        </button>
      </div>
    </form>
  );
}
