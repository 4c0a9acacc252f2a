// A prompt that is held back because less would reach the agent than was shown, or because nobody answers. Promises:
// it stays until the person answers, and never takes the focus; a press that was not meant for it does nothing.

import { useComputed } from '@preact/signals';
import type { HeldChoice } from '../../model/agentState.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { heldWords } from './questions.ts';
import { useSettled } from '../transcript/settled.ts';
import { countOf } from '../words.ts';

const choices: readonly (readonly [HeldChoice, string])[] = [
  ['transcript', 'Send with transcript'],
  ['retry', 'Ask again'],
  ['cancel', 'Do not send'],
];

export function Held() {
  const { store, post, focusWanted, late } = usePanel();
  const session = store.part('session').value ?? '';
  const held = store.part('held').value ?? null;
  const agent = store.part('agent').value?.name ?? '';
  const count = useComputed(() => countOf(store.transcript.value)).value;
  const isMeant = useSettled(held);
  if (!held) return null;
  if (held.kind === 'signIn') return late.value && <late.value.SignIn held={held} />;
  const answer = (event: Event, choice: HeldChoice) => {
    if (!isMeant(event)) return;
    post({ type: 'answerHeld', session, choice });
    focusWanted.value += 1;
  };
  return (
    <div class="banner held" role="group" aria-label="Not sent yet">
      {icon('warning')}
      <span>{heldWords(held, agent, count)}</span>
      <div class="answers">
        {choices.map(([choice, name]) => (
          <button key={choice} type="button" class="button" onClick={event => answer(event, choice)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}
