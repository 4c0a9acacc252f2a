// Who answers, and how it is set: each is a button that says what it is now and asks the host for another choice.

import { cleanLine } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { optionWords } from './options.ts';

export function AgentLine() {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'Agent';
  const { workFolder } = store.place.value;
  const isBegun = Boolean(store.part('messages').value?.length || store.part('turn').value);
  const options = optionWords(store.part('options').value ?? []);
  return (
    <div class="agentLine">
      <Picker
        name="Agent"
        value={agent}
        title={`${agent}: choose another agent`}
        press={() => post({ type: 'selectAgent' })}
      />
      {workFolder && (
        <Picker
          name="Folder"
          value={cleanLine(workFolder)}
          title={`This session works in ${cleanLine(workFolder)}`}
          look="folder"
          // What was begun in one folder goes on there.
          isFixed={isBegun}
          press={() => post({ type: 'chooseFolder', session })}
        />
      )}
      {options.map(({ id, name, value, title }) => (
        <Picker
          key={id}
          name={name}
          value={value}
          title={title}
          press={() => post({ type: 'pickOption', session, option: id })}
        />
      ))}
    </div>
  );
}

interface PickerProps {
  readonly name: string;
  readonly value: string;
  readonly title: string;
  /** What tells it apart where the value alone does not. */
  readonly look?: 'folder';
  readonly isFixed?: boolean;
  readonly press: () => void;
}

function Picker({ name, value, title, look, isFixed, press }: PickerProps) {
  return (
    <button
      type="button"
      class="picker"
      // What is to be read is in the name, for those who say what they press.
      aria-label={value.startsWith(`${name}: `) ? value : `${name}: ${value}`}
      title={title}
      disabled={isFixed}
      onClick={press}
    >
      {look && icon(look)}
      <span>{value}</span>
      {!isFixed && icon('below')}
    </button>
  );
}
