// The line above the composer that says what the agent will know when the next message is sent.

import { useComputed } from '@preact/signals';
import { usePanel } from './panel.ts';
import { continuityWords } from './words.ts';

export function Continuity() {
  const { store } = usePanel();
  const continuity = store.part('continuity').value;
  // Only their number: the messages themselves change with every frame of a stream.
  const count = useComputed(() => store.part('messages').value?.length ?? 0).value;
  if (!continuity) return null;
  const [first, rest] = continuityWords(continuity, count);
  return (
    <div class="continuity" role="note" aria-label="Continuity">
      <span class={`dot ${continuity.kind}`} aria-hidden="true" />
      <span>
        <b>{first}</b>
        {rest}
      </span>
    </div>
  );
}
