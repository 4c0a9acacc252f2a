// A question of the agent's that stops it until a person answers. Promises: only a press of one of its own buttons
// answers, made after they could be read; none of them has the focus or is a default; what the agent calls a choice and
// what the choice does are both there.

import { useRef, useState } from 'preact/hooks';
import { alwaysByRule, type Permission, type PermissionChoice } from '../../model/agentState.ts';
import { exactLine, exactText } from '../transcript/cleanText.ts';
import { Fold } from '../transcript/fold.tsx';
import { icon } from '../icons.ts';
import { Output } from '../tools/output.tsx';
import { usePanel } from '../panel.ts';
import { choiceWords, commandIn, extentOf, permissionTitle, ruleWords } from './questions.ts';
import { useSettled } from '../transcript/settled.ts';
import { shownInput, shownOutput } from '../tools/toolOutput.ts';

export function PermissionNeeded({ permission }: { readonly permission: Permission }) {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  // One that is answered makes room, and the next one's buttons move under the pointer.
  const isMeant = useSettled(store.part('permissions').value);
  const group = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const rule = ruleWords(permission.rule);
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
      <Asked permission={permission} />
      <div class="answers">
        {permission.choices.map(choice => (
          <Choice key={choice.id} choice={choice} isChosen={chosen === choice.id} press={answer} />
        ))}
        {rule && (
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

function Asked({ permission }: { readonly permission: Permission }) {
  const { input, output, locations, title } = permission;
  const command = commandIn(input);
  const extent = command === null ? null : extentOf(command);
  const places = locations
    .map(({ path, line }) => exactLine(line === undefined ? path : `${path}:${line}`))
    .filter(place => !exactLine(title).includes(place));
  return (
    <>
      {places.length > 0 && (
        <ul class="places" aria-label="Files" tabIndex={places.length > 5 ? 0 : undefined}>
          {places.map(place => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      )}
      {command !== null && (
        <pre class="asked" tabIndex={0} aria-label={extent === null ? 'Command' : `Command, ${extent}`}>
          {command}
        </pre>
      )}
      {extent !== null && <div class="extent">{extent}</div>}
      {output.map((one, at) => (
        <Output key={at} shown={shownOutput(one, exactText)} />
      ))}
      {input !== undefined && (
        <Fold
          line={<span class="lineWords">{command === null ? 'Input' : 'All of the input'}</span>}
          inside={() => <pre tabIndex={0}>{shownInput(input, exactText)}</pre>}
        />
      )}
    </>
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
