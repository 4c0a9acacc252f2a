// Who answers, and how it is set: the agent's name chooses another one, its model and its mode are told.

import { cleanLine } from './cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';
import { optionWords } from './options.ts';

export function AgentLine() {
  const { store, post } = usePanel();
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'Agent';
  const options = optionWords(store.part('options').value ?? []);
  return (
    <div class="agentLine">
      <button
        type="button"
        class="agentName"
        aria-label="Agent"
        title={`${agent}: choose another agent`}
        onClick={() => post({ type: 'selectAgent' })}
      >
        <span>{agent}</span>
        {icon('below')}
      </button>
      {options.map(({ id, name, value }) => (
        <span key={id} class="option" title={`${name}: ${value}`}>
          <span class="hidden">{`${name}: `}</span>
          {value}
        </span>
      ))}
    </div>
  );
}
