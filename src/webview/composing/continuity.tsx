// The line above the composer that says what the agent will know when the next message is sent, and, where that is less
// than all, the way to make more of it.

import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Continuity as ContinuityOf } from '../../model/agentState.ts';
import { isIncognito } from '../../model/incognito.ts';
import { usePanel } from '../panel.ts';
import { useSettled } from '../transcript/settled.ts';
import { canSummarise, continuityWords, countOf, knowable } from '../words.ts';

export function Continuity() {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const continuity = store.part('continuity').value;
  const turn = store.part('turn').value ?? null;
  const isIdle = turn === null && !store.part('trashed').value;
  // Only their number: the messages themselves change with every frame of a stream.
  const count = useComputed(() => countOf(store.transcript.value)).value;
  const isMeant = useSettled(continuity);
  const [asked, setAsked] = useState<ContinuityOf | null>(null);
  if (!continuity) return null;
  const [first, rest] = continuityWords(continuity, knowable(continuity, count, turn));
  const summarise = (event: Event) => {
    if (!isMeant(event)) return;
    setAsked(continuity);
    post({ type: 'summarise', session });
  };
  return (
    <div class="continuity">
      <span class={`dot ${continuity.kind}`} aria-hidden="true" />
      <div>
        <span role="note" aria-label="Continuity">
          <b>{first}</b>
          {rest}
          {isIncognito(session) && ' · Incognito'}
        </span>
        {isIdle && asked !== continuity && canSummarise(continuity) && (
          <button
            type="button"
            class="quietButton"
            title="The agent writes a summary first, which then stands in for the beginning"
            onClick={summarise}
          >
            Summarise first
          </button>
        )}
      </div>
    </div>
  );
}
