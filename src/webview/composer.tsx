// Where the person writes. Promises: it redraws nothing but itself; Enter sends and Shift+Enter breaks the line, never
// while an input method composes; while a turn runs the words stay, and it says why they are not sent.

import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { cleanLine, cleanText } from './cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';

export function Composer() {
  const { store, outbox, post, focusWanted } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'the agent';
  const turn = store.part('turn').value ?? null;
  const trashed = store.part('trashed').value ?? false;
  const blank = useComputed(() => outbox.draft.value.trim() === '').value;
  const stopAsked = useSignal<string | null>(null);
  const nudged = useSignal(false);

  // The draft may change from outside: an example was chosen, words came back. Typing itself never writes the box.
  // Not a frame later either: a key that came in between would bring words back that were just sent.
  useLayoutEffect(
    () =>
      effect(() => {
        const draft = outbox.draft.value;
        if (box.current && box.current.value !== draft) box.current.value = draft;
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        if (focusWanted.value > 0) box.current?.focus();
      }),
    [],
  );
  useEffect(() => void (nudged.value = false), [turn?.message]);

  const stopping = turn !== null && (turn.cancelling || stopAsked.value === turn.message);
  const busy = turn !== null || outbox.waiting.value;
  const send = () => {
    if (busy || trashed) {
      nudged.value = true;
      return;
    }
    outbox.send(session);
    box.current?.focus();
  };
  const stop = () => {
    if (!turn || stopping) return;
    stopAsked.value = turn.message;
    post({ type: 'cancelTurn', session });
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what some input methods still report in place of `isComposing`.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (!blank) send();
  };

  return (
    <div class="composer">
      <Refused />
      <div class="box">
        <textarea
          ref={box}
          rows={1}
          aria-label="Message"
          aria-describedby="composer-hint"
          placeholder={`Message ${agent}`}
          onInput={event => void (outbox.draft.value = event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="tools">
          <span class="agentName" title={agent}>
            {agent}
          </span>
          <span class="hint" id="composer-hint">
            {hint(stopping, nudged.value || !blank, turn !== null, trashed)}
          </span>
          {turn === null ? (
            <button
              key="send"
              type="button"
              class="send"
              aria-label="Send"
              title="Send (Enter)"
              disabled={blank || busy || trashed}
              onClick={send}
            >
              {icon('send')}
            </button>
          ) : (
            <button
              key="stop"
              type="button"
              class="send stop"
              aria-label="Stop"
              title="Stop"
              disabled={stopping}
              onClick={stop}
            >
              {icon('stop')}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function hint(stopping: boolean, wants: boolean, running: boolean, trashed: boolean): string {
  if (stopping) return 'Stopping…';
  if (running && wants) return 'Waiting for the answer';
  return trashed && wants ? 'Restore the session to send' : '';
}

/** Words that could not be sent, and why. */
function Refused() {
  const { outbox } = usePanel();
  const refusal = outbox.refusal.value;
  if (!refusal) return null;
  return (
    <div class="banner bad refused" role="alert">
      {icon('warning')}
      <span>
        <b>Not sent.</b> {cleanText(refusal.words)}
        {refusal.text !== null && <q title={refusal.text}>{refusal.text}</q>}
      </span>
      {refusal.text !== null && (
        <button type="button" class="button" onClick={outbox.restore}>
          Put back
        </button>
      )}
      <button type="button" class="iconButton" aria-label="Dismiss" title="Dismiss" onClick={outbox.dismiss}>
        {icon('fail')}
      </button>
    </div>
  );
}
