// Words on their way to an agent that is being reached: nothing of them is in the conversation yet. Promises: it looks
// like the message that it is about to become, so that nothing jumps, and is no article, because it is none yet.

import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import { usePanel } from '../panel.ts';

export function Reaching() {
  const { store, outbox, branching } = usePanel();
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'the agent';
  const isHeld = (store.part('held').value ?? null) !== null;
  const isStopping = store.part('turn').value?.cancelling ?? false;
  const words = branching.replacing.value?.text ?? outbox.underway.value;
  return (
    <div class="reaching">
      {words !== null && (
        <div class="message user underway">
          <div class="meta">
            <b>You</b>
          </div>
          <div class="block words plain">{cleanText(words)}</div>
        </div>
      )}
      <div class="reachingLine">
        {!isHeld && <span class="pulse" aria-hidden="true" />}
        <span>{isStopping ? 'Stopping…' : isHeld ? 'Not sent yet' : `Reaching ${agent}…`}</span>
      </div>
    </div>
  );
}
