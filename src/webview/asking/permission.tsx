// A question of the agent's that stops it until a person answers. Promises: only a press of one of its own buttons
// answers, made after they could be read; none of them has the focus or is a default; what the agent calls a choice and
// what the choice does are both there. What allows something is offered only where all of it can be seen.

import { useMemo, useRef, useState } from 'preact/hooks';
import { alwaysByRule, type Permission, type PermissionChoice } from '../../model/agentState.ts';
import { fitOf } from '../../model/permissionSize.ts';
import { Fold } from '../transcript/fold.tsx';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { useSettled } from '../transcript/settled.ts';
import { asked } from './asked.ts';
import { choiceWords, ruleWords } from './permissionChoices.ts';
import { permissionTitle } from './questions.ts';
import { choicesNow, reviewWords } from './review.ts';

export function PermissionNeeded({ permission }: { readonly permission: Permission }) {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  // One that is answered makes room, and the next one's buttons move under the pointer.
  const isMeant = useSettled(store.part('permissions').value);
  const group = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const rule = ruleWords(permission.rule);
  const fit = useMemo(() => fitOf(permission), [permission]);
  const canAllow = fit === 'panel' || (fit === 'editor' && permission.opened === true);
  const review = reviewWords(permission, fit);
  const open = () => post({ type: 'openPermission', session, permission: permission.id });
  const answer = (event: Event, choice: string) => {
    if (chosen !== null || !isMeant(event)) return;
    setChosen(choice);
    // The buttons are about to go, and a key that is still held must not land in the composer.
    group.current?.closest<HTMLElement>('.scroller')?.focus({ preventScroll: true });
    post({ type: 'answerPermission', session, permission: permission.id, choice });
  };
  return (
    <div class="permission" role="group" aria-label="Permission needed" ref={group}>
      <div class="permissionHead">
        {icon('warning')}
        <span>
          Permission needed: <b>{permissionTitle(permission)}</b>
        </span>
      </div>
      {asked(permission, fit, Fold)}
      {review !== null && <div class="extent">{review}</div>}
      <div class="answers">
        {fit === 'editor' && (
          <button type="button" class="answer review" onClick={open}>
            Open to Review
          </button>
        )}
        {choicesNow(permission, canAllow).map(choice => (
          <Choice key={choice.id} choice={choice} isChosen={chosen === choice.id} press={answer} />
        ))}
        {rule && canAllow && (
          <button
            type="button"
            class={chosen === alwaysByRule ? 'answer allow chosen' : 'answer allow'}
            title={rule.effect}
            onClick={event => answer(event, alwaysByRule)}
          >
            {icon('done')}
            {rule.name}
          </button>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly choice: PermissionChoice;
  readonly isChosen: boolean;
  readonly press: (event: Event, choice: string) => void;
}

function Choice({ choice, isChosen, press }: ChoiceProps) {
  const { name, effect, look } = choiceWords(choice);
  return (
    <button
      type="button"
      class={isChosen ? `answer ${look} chosen` : `answer ${look}`}
      title={effect}
      onClick={event => press(event, choice.id)}
    >
      {look !== 'unknown' && icon(look === 'allow' ? 'done' : 'fail')}
      {name}
    </button>
  );
}
