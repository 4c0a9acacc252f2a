// Who answers, and how it is set: each is a button that says what it is now and asks the host for another choice.

import { cleanLine } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { optionWords } from './options.ts';

export function AgentLine() {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'Agent';
  const options = optionWords(store.part('options').value ?? []);
  return (
    <div class="agentLine">
      <Picker
        name="Agent"
        value={agent}
        title={`${agent}: choose another agent`}
        press={() => post({ type: 'selectAgent' })}
      />
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
  readonly press: () => void;
}

function Picker({ name, value, title, press }: PickerProps) {
  return (
    <button
      type="button"
      class="picker"
      // What is to be read is in the name, for those who say what they press.
      aria-label={value.startsWith(`${name}: `) ? value : `${name}: ${value}`}
      title={title}
      onClick={press}
    >
      <span>{value}</span>
      {icon('below')}
    </button>
  );
}
