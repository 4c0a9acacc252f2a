// Where the person writes. Promises: it redraws nothing but itself; Enter sends and Shift+Enter breaks the line, never
// while an input method composes; what is sent while a turn runs waits in the queue; no key here answers a question.

import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Turn } from '../model/transcript.ts';
import { AgentLine } from './agentLine.tsx';
import { cleanLine } from './cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';
import { createPreparer } from './preparer.ts';
import { Queue } from './queue.tsx';
import { Refused } from './refused.tsx';

export function Composer() {
  const { store, outbox, post, focusWanted } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'the agent';
  const turn = store.part('turn').value ?? null;
  const trashed = store.part('trashed').value ?? false;
  const blank = useComputed(() => outbox.draft.value.trim() === '').value;
  const stopAsked = useSignal<Turn | null>(null);
  const focused = useSignal(false);

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
  const preparer = useMemo(() => createPreparer(post), []);
  useEffect(
    () =>
      effect(() => {
        const now = store.transcript.value;
        preparer.see(focused.value, now && { ...now, last: now.messages.at(-1)?.id ?? null });
      }),
    [],
  );

  // Only until the host says the same: the next turn may begin in the frame in which this one ends.
  const stopping = turn !== null && (turn.cancelling || stopAsked.value === turn);
  const send = () => {
    if (blank || trashed) return;
    outbox.send(session);
    box.current?.focus();
  };
  const stop = () => {
    if (!turn || stopping) return;
    stopAsked.value = turn;
    post({ type: 'cancelTurn', session });
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what some input methods still report in place of `isComposing`.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <div class="composer">
      <Refused />
      <Queue />
      <div class="box">
        <textarea
          ref={box}
          rows={1}
          aria-label="Message"
          aria-describedby="composer-hint"
          placeholder={`Message ${agent}`}
          onInput={event => void (outbox.draft.value = event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={() => void (focused.value = true)}
          onBlur={() => void (focused.value = false)}
        />
        <div class="tools">
          <AgentLine />
          <span class="hint" id="composer-hint">
            {hint(stopping, turn !== null, trashed, !blank)}
          </span>
          {turn !== null && (
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
          <button
            key="send"
            type="button"
            class="send"
            aria-label="Send"
            title={turn === null ? 'Send (Enter)' : 'Send after this answer (Enter)'}
            disabled={blank || trashed}
            onClick={send}
          >
            {icon('send')}
          </button>
        </div>
      </div>
    </div>
  );
}

function hint(stopping: boolean, running: boolean, trashed: boolean, wants: boolean): string {
  if (trashed && wants) return 'Restore the session to send';
  if (running && wants) return 'Enter queues';
  return stopping ? 'Stopping…' : '';
}
