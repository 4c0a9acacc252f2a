// The chips above the words: what goes with the prompt, each with a button that takes it away again.

import { cleanLine } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';
import type { Chip } from './attached.ts';
import { looks } from './looks.ts';

export function Chips() {
  const { outbox, focusWanted } = usePanel();
  const { chips, trouble, remove } = outbox.attached;
  const shown = chips.value;
  const words = trouble.value;
  const take = (key: string) => {
    remove(key);
    // The button that was pressed goes away; whoever pressed it is writing.
    focusWanted.value += 1;
  };
  return (
    <>
      {shown.length > 0 && (
        <ul class="chips" aria-label="Attached">
          {shown.map(chip => (
            <ChipOf key={chip.key} chip={chip} remove={() => take(chip.key)} />
          ))}
        </ul>
      )}
      {words !== null && (
        <div class="notAttached" role="alert">
          <span>{words}</span>
          <button
            type="button"
            class="iconButton"
            aria-label="Dismiss"
            title="Dismiss"
            onClick={() => void (trouble.value = null)}
          >
            {icon('fail')}
          </button>
        </div>
      )}
    </>
  );
}

function ChipOf({ chip, remove }: { readonly chip: Chip; readonly remove: () => void }) {
  const name = cleanLine(chip.name);
  const facts = [name, cleanLine(chip.folder), chip.gone ? gone : ''].filter(fact => fact !== '');
  return (
    <li class={chip.gone ? 'chip gone' : 'chip'} title={facts.join(' · ')}>
      {chip.preview === null ? icon(chip.gone ? 'warning' : looks[chip.kind]) : <img src={chip.preview} alt="" />}
      <span class="chipName">{name}</span>
      {chip.gone && <span class="chipGone">{gone}</span>}
      <button type="button" class="iconButton" aria-label={`Remove ${name}`} title="Remove" onClick={remove}>
        {icon('fail')}
      </button>
    </li>
  );
}

const gone = 'not there any more';
