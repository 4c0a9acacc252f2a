// The files that a turn changed: one quiet list at the end of the answer. Promises: what is done to a file is done by the
// host, and shown when it says so; while the turn runs there is nothing to decide; the name of a file is never lost
// where there is little room, and every button is there for the keyboard.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FileChange } from '../../model/changes.ts';
import type { MessageId } from '../../model/message.ts';
import { ChangedFile, Sums } from './changedFile.tsx';
import { decisionsOn, heading, sumOf } from './changeWords.ts';
import { icon } from '../icons.ts';
import { memo } from '../transcript/memo.ts';
import { usePanel } from '../panel.ts';
import { useSettled } from '../transcript/settled.ts';

const shownAtFirst = 10;

export interface ChangesProps {
  readonly message: MessageId;
  readonly files: readonly FileChange[];
  /** The turn runs: the list still grows. */
  readonly running: boolean;
}

const allNames = { keep: 'Keep all', undo: 'Undo all', redo: 'Redo all' };

export const Changes = memo(({ message, files, running }: ChangesProps) => {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const decisions = decisionsOn(message, files, store.part('decided').value ?? []);
  const { words, isKept, offers } = heading(files, decisions, running);
  const [unfolded, setUnfolded] = useState(false);
  const [all, setAll] = useState(false);
  const isOpen = !isKept || unfolded;
  const isMeant = useSettled(`${running} ${isOpen} ${offers.join()}`);
  const section = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  // The button that was pressed goes away with the list; whoever pressed it goes on from the line that is left.
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body;
    if (pressed.current && isKept && isLost) section.current?.querySelector('button')?.focus({ preventScroll: true });
    pressed.current = false;
  }, [isKept]);
  // So does the one that shows the rest, which begins where it was.
  const grown = useRef(false);
  useLayoutEffect(() => {
    if (grown.current) section.current?.querySelectorAll('li')[shownAtFirst]?.querySelector('button')?.focus();
    grown.current = false;
  }, [all]);
  const decide = (event: Event, file: number | null, decision: 'keep' | 'undo' | 'redo') => {
    if (!isMeant(event)) return;
    pressed.current = decision === 'keep';
    post({ type: 'decideChange', session, message, file, decision });
  };
  const showAll = () => {
    setAll(true);
    grown.current = true;
  };
  const open = (file: number | null) => post({ type: 'openChange', session, message, file });
  const line = (
    <>
      <b>{words}</b>
      <Sums sum={sumOf(files)} />
    </>
  );
  return (
    <section class="changes" aria-label="Changed files" ref={section}>
      <div class="changesHead">
        {isKept ? (
          <button type="button" class="changesFold" aria-expanded={isOpen} onClick={() => setUnfolded(!unfolded)}>
            <span class="turn">{icon('chevron')}</span>
            {line}
          </button>
        ) : (
          <span class="changesWords">{line}</span>
        )}
        {isOpen && files.length > 1 && (
          <span class="changesOffers">
            <button
              key="open"
              type="button"
              class="quietButton"
              aria-label="Open all diffs"
              title="Open all diffs"
              onClick={() => open(null)}
            >
              All diffs
            </button>
            {offers.map(offer => (
              <button key={offer} type="button" class="quietButton" onClick={event => decide(event, null, offer)}>
                {allNames[offer]}
              </button>
            ))}
          </span>
        )}
      </div>
      {isOpen && (
        <ul class="changesList">
          {(all ? files : files.slice(0, shownAtFirst)).map((file, at) => (
            <ChangedFile
              key={file.path}
              change={file}
              decision={decisions[at]}
              running={running}
              open={() => open(at)}
              decide={(event, decision) => decide(event, at, decision)}
            />
          ))}
        </ul>
      )}
      {isOpen && !all && files.length > shownAtFirst && (
        <button type="button" class="quietButton showAll" onClick={showAll}>
          {`Show all ${files.length}`}
        </button>
      )}
    </section>
  );
});
