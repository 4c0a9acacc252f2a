// Where the person writes. Promises: it redraws nothing but itself; the key of the setting sends, never while an input
// method composes; what is sent while a turn runs waits in the queue; our own commands are done and never sent; no key
// here answers a question. What completes, attaches and recalls is in composing/.

import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Turn } from '../../model/transcript.ts';
import { AgentLine } from './agentLine.tsx';
import { cleanLine } from '../transcript/cleanText.ts';
import { listId, optionId } from './choiceIds.ts';
import { isComposed, sendKey, sends } from './keys.ts';
import { asSent, ourCommandIn } from './ourCommands.ts';
import { createRecall, saidBy } from './recall.ts';
import { SendButtons } from './sendButtons.tsx';
import { useLate } from './useLate.ts';
import { usePanel } from '../panel.ts';
import { createPreparer } from './preparer.ts';

export function Composer() {
  const panel = usePanel();
  const { store, outbox, post, focusWanted } = panel;
  const { draft, attached } = outbox;
  const box = useRef<HTMLTextAreaElement>(null);
  const late = useLate(panel, box).value;
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'the agent';
  const turn = store.part('turn').value ?? null;
  const trashed = store.part('trashed').value ?? false;
  const { sendWith } = store.place.value;
  const key = sendKey(sendWith, isMac);
  const blank = useComputed(() => draft.value.trim() === '').value;
  const ready = attached.isReady.value;
  const stopAsked = useSignal<Turn | null>(null);
  const focused = useSignal(false);
  const recall = useMemo(createRecall, []);

  // The draft may change from outside: an example was chosen, words came back. Typing itself never writes the box.
  // Not a frame later either: a key that came in between would bring words back that were just sent.
  useLayoutEffect(
    () =>
      effect(() => {
        const words = draft.value;
        if (box.current && box.current.value !== words) box.current.value = words;
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        if (focusWanted.value === 0) return;
        const focus = () => box.current?.focus();
        if (document.hasFocus()) return focus();
        // Whoever is elsewhere by now goes on there.
        addEventListener('focus', focus, { once: true });
        return () => removeEventListener('focus', focus);
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
    const ours = ourCommandIn(draft.value);
    late?.completer.close();
    if (ours) {
      draft.value = ours.rest;
      post(ours.command.intent(session, ours.words));
    } else if (!trashed) {
      outbox.send(session, asSent(draft.value, store.part('commands').peek() ?? []));
    }
    box.current?.focus();
  };
  const stop = () => {
    if (!turn || stopping) return;
    stopAsked.value = turn;
    post({ type: 'cancelTurn', session });
    box.current?.focus();
  };
  const see = () => {
    const area = box.current;
    if (area) late?.completer.see(area.value, area.selectionStart);
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    if (isComposed(event)) return;
    const bare = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (bare && late?.completer.key(event.key)) return event.preventDefault();
    if (sends(event, sendWith)) {
      event.preventDefault();
      return send();
    }
    if (!bare || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const words = recall.key(event.key, event.currentTarget.value, saidBy(store.part('messages').peek() ?? []));
    if (words === null) return;
    event.preventDefault();
    draft.value = words;
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData && late?.takePasted(event.clipboardData, session, attached)) event.preventDefault();
  };
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer && late?.canBeDropped(event.dataTransfer)) event.preventDefault();
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer && late?.takeDropped(event.dataTransfer, session, attached)) event.preventDefault();
    box.current?.focus();
  };
  const list = late?.completer.list.value ?? null;
  const whileRunning = turn !== null && !blank ? `${key} queues` : stopping ? 'Stopping…' : '';
  const hint = trashed && !blank ? 'Restore the session to send' : ready ? whileRunning : 'Attaching…';

  return (
    <div class="composer" onDragOver={onDragOver} onDrop={onDrop}>
      {late && <late.Refused />}
      {late && <late.Queue />}
      <div class="box">
        {late && <late.ChoiceList completer={late.completer} />}
        {late && <late.Chips />}
        <textarea
          ref={box}
          rows={1}
          aria-label="Message"
          aria-describedby="composer-hint"
          aria-autocomplete="list"
          aria-controls={list ? listId : undefined}
          aria-activedescendant={list ? optionId(list.active) : undefined}
          placeholder={`Message ${agent}`}
          onInput={event => {
            draft.value = event.currentTarget.value;
            see();
          }}
          onClick={see}
          onKeyDown={onKeyDown}
          onKeyUp={event => (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && see()}
          onPaste={onPaste}
          onFocus={() => void (focused.value = true)}
          onBlur={() => {
            focused.value = false;
            late?.completer.close();
          }}
        />
        <div class="tools">
          <AgentLine />
          {late && <late.ContextMeter />}
          <span class="hint" id="composer-hint">
            {hint}
          </span>
          <SendButtons
            isRunning={turn !== null}
            isStopping={stopping}
            canSend={!blank && !trashed}
            sendKey={key}
            send={send}
            stop={stop}
          />
        </div>
      </div>
    </div>
  );
}

const isMac = navigator.platform.startsWith('Mac');
