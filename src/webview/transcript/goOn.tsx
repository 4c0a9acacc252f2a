// The buttons under an answer that did not come to its own end. Promises: they are at the end of the path only, while
// something can be sent; what they send is seen in the conversation; the draft in the composer is not touched.

import { useComputed } from '@preact/signals';
import type { Message } from '../../model/message.ts';
import { canBranch, promptOf } from '../branching/branching.ts';
import { usePanel } from '../panel.ts';
import { continueWords, lookFirst, nextSteps, type NextStep } from './nextSteps.ts';

export function GoOn({ message }: { readonly message: Message }) {
  const { store, outbox, branching, focusWanted } = usePanel();
  const isLast = useComputed(() => store.part('messages').value?.at(-1)?.id === message.id).value;
  const isFree = useComputed(() =>
    canBranch({
      turn: store.part('turn').value ?? null,
      elsewhere: store.part('elsewhere').value ?? null,
      trashed: store.part('trashed').value ?? false,
    }),
  ).value;
  const isSending = outbox.underway.value !== null;
  const steps = isLast && isFree && !isSending ? nextSteps(message) : [];
  if (steps.length === 0) return null;
  const first = lookFirst(message);
  const take = ({ does }: NextStep) => {
    const session = store.part('session').peek() ?? '';
    const prompt = promptOf(store.part('messages').peek() ?? [], message.id);
    // What is edited takes the focus itself.
    if (does === 'edit') return prompt && branching.edit(prompt);
    if (does === 'continue') outbox.say(session, continueWords);
    else if (prompt) branching.retry(session, message, prompt);
    focusWanted.value += 1;
  };
  return (
    <div class="goOn">
      {first !== '' && <span>{first}</span>}
      {steps.map((step, at) => (
        <button
          key={step.name}
          type="button"
          class={at === 0 ? 'button' : 'quietButton'}
          title={titles[step.does]}
          onClick={() => take(step)}
        >
          {step.name}
        </button>
      ))}
    </div>
  );
}

const titles = {
  continue: `Sends “${continueWords}”`,
  retry: 'Sends the same prompt again; this answer stays as a branch',
  edit: 'Other words in the place of the prompt; this answer stays as a branch',
} as const;
