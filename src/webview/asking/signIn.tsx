// The agent must know who the person is before it answers. Promises: nothing is begun but by a press of one of the
// buttons; what went wrong is said in the agent's words; leaving it brings the words of the prompt back.

import { useRef } from 'preact/hooks';
import type { Held, HeldChoice } from '../../model/agentState.ts';
import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { heldWords } from './questions.ts';
import { useSettled } from '../transcript/settled.ts';

type SignInHeld = Extract<Held, { kind: 'signIn' }>;

export function SignIn({ held }: { readonly held: SignInHeld }) {
  const { store, post, focusWanted } = usePanel();
  const session = store.part('session').value ?? '';
  const agent = store.part('agent').value?.name ?? '';
  const isMeant = useSettled(held);
  const group = useRef<HTMLDivElement>(null);
  const answer = (event: Event, choice: HeldChoice) => {
    if (!isMeant(event)) return;
    post({ type: 'answerHeld', session, choice });
    if (choice === 'cancel') focusWanted.value += 1;
    // The button that was pressed goes away while it is tried.
    else group.current?.focus({ preventScroll: true });
  };
  const isTrying = held.trying !== null;
  return (
    <div class="ask signIn" role="group" aria-label="Sign in" tabIndex={-1} ref={group}>
      <div class="askHead">
        {isTrying ? <span class="pulse" aria-hidden="true" /> : icon('person')}
        <span>{heldWords({ ...held, words: null }, agent, 0)}</span>
      </div>
      {held.words !== null && !isTrying && (
        <div class="askFailed">
          {icon('warning')}
          <span>{cleanText(held.words)}</span>
        </div>
      )}
      {!isTrying && held.methods.length > 0 && (
        <ul class="methods" aria-label="Ways to sign in">
          {held.methods.map(method => {
            const description = cleanText(method.description);
            return (
              <li key={method.id}>
                <button
                  type="button"
                  class="method"
                  title={method.kind === 'terminal' ? 'Opens a terminal in the editor' : undefined}
                  onClick={event => answer(event, { signIn: method.id })}
                >
                  <b>{cleanLine(method.name) || cleanLine(method.id)}</b>
                  {description !== '' && <span>{description}</span>}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <div class="answers">
        <button type="button" class="answer unknown" onClick={event => answer(event, 'cancel')}>
          Cancel
        </button>
      </div>
    </div>
  );
}
