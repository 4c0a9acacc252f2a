// One file of those that a turn changed. Promises: its buttons are quiet until the line is pointed at or has the focus;
// a second press in the same moment does nothing, because the button may be another one by then.

import { useId, useRef } from 'preact/hooks';
import type { Decision, FileChange } from '../../model/changes.ts';
import { fileTitle, offersFor, pathWords, statusWords, type Sum } from './changeWords.ts';
import { icon, type IconName } from '../icons.ts';
import { usePanel } from '../panel.ts';
import { useSettled } from '../transcript/settled.ts';

/** No event says that the host refused; until it could have answered, one press is one. */
const answerTime = 800;

export interface ChangedFileProps {
  readonly change: FileChange;
  readonly decision: Decision | undefined;
  readonly running: boolean;
  readonly open: () => void;
  readonly decide: (event: Event, decision: 'keep' | 'undo' | 'redo') => void;
}

export function ChangedFile({ change, decision, running, open, decide }: ChangedFileProps) {
  const { store } = usePanel();
  const id = useId();
  const isMeant = useSettled(`${running} ${decision}`);
  const row = useRef<HTMLLIElement>(null);
  const pressedAt = useRef(-Infinity);
  // Another folder is another window: nothing has to be drawn anew for it.
  const { stem, ending, folder } = pathWords(change.path, store.place.peek().folders);
  const { letter } = statusWords(change);
  const title = fileTitle(change, decision);
  const offers = running ? [] : offersFor(change, decision);
  const press = (event: Event, wanted: 'keep' | 'undo' | 'redo') => {
    if (!isMeant(event) || event.timeStamp - pressedAt.current < answerTime) return;
    pressedAt.current = event.timeStamp;
    // The button may be gone when it is decided, and the focus with it.
    row.current?.querySelector('button')?.focus({ preventScroll: true });
    decide(event, wanted);
  };
  return (
    <li class={decision === undefined ? 'change' : `change ${decision}`} title={title} ref={row}>
      <span class="hidden" id={id}>
        {title.replaceAll('\n', ', ')}
      </span>
      <span class={`letter ${letter}`} aria-hidden="true">
        {letter}
      </span>
      <span class="changeWhat">
        <span class="changePath" aria-hidden="true" onClick={open}>
          <span class="changeName">
            <span class="stem">{stem}</span>
            <span>{ending}</span>
          </span>
          {folder !== '' && <span class="changeFolder">{folder}</span>}
        </span>
        <span class="changeActions">
          <Action name="Open diff" look="diff" about={id} press={open} />
          {offers.includes('redo') && (
            <Action name="Redo" look="redo" about={id} press={event => press(event, 'redo')} />
          )}
          {offers.includes('undo') && (
            <Action name="Undo" look="undo" about={id} press={event => press(event, 'undo')} />
          )}
          {offers.includes('keep') && (
            <Action name="Keep" look="done" about={id} press={event => press(event, 'keep')} />
          )}
        </span>
      </span>
      <Sums sum={change.lines ?? null} />
    </li>
  );
}

interface ActionProps {
  readonly name: string;
  readonly look: IconName;
  /** The id of the words that say of which file. */
  readonly about: string;
  readonly press: (event: Event) => void;
}

function Action({ name, look, about, press }: ActionProps) {
  return (
    <button type="button" class="iconButton" aria-label={name} aria-describedby={about} title={name} onClick={press}>
      {icon(look)}
    </button>
  );
}

export function Sums({ sum }: { readonly sum: Sum | null }) {
  if (!sum) return <span class="sums" />;
  return (
    <span class="sums">
      <span class="sumAdded">{sum.added > 0 && `+${sum.added}`}</span>
      <span class="sumRemoved">{sum.removed > 0 && `−${sum.removed}`}</span>
    </span>
  );
}
