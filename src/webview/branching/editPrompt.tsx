// The words of a prompt in its own place, to be sent in other words. Promises: Enter sends and Escape leaves everything
// as it was, never while an input method composes.

import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { canBranch } from './branching.ts';
import { usePanel } from '../panel.ts';

export function EditPrompt({ hasMore }: { readonly hasMore: boolean }) {
  const { store, branching, focusWanted } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const first = useSignal(branching.editing.peek()?.text ?? '').value;
  const session = store.part('session').value ?? '';
  const withCtrl = store.place.value.sendWith === 'ctrlEnter';
  const blank = useComputed(() => (branching.editing.value?.text ?? '').trim() === '').value;
  const isFree = useComputed(() =>
    canBranch({
      turn: store.part('turn').value ?? null,
      elsewhere: store.part('elsewhere').value ?? null,
      trashed: store.part('trashed').value ?? false,
    }),
  ).value;
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.value = first;
    area.focus({ preventScroll: true });
    area.setSelectionRange(first.length, first.length);
  }, []);

  // What had the focus is gone in either case.
  const send = () => {
    if (blank || !isFree) return;
    branching.send(session);
    focusWanted.value += 1;
  };
  const cancel = () => {
    const article = box.current?.closest('article');
    branching.cancel();
    requestAnimationFrame(() =>
      article?.querySelector<HTMLElement>('[aria-label="Edit and resend"]')?.focus({ preventScroll: true }),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what some input methods still report in place of `isComposing`.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && (!withCtrl || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div class="editPrompt">
      <textarea
        ref={box}
        rows={1}
        aria-label="Edited prompt"
        aria-describedby="edit-hint"
        onInput={event => branching.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="editTools">
        <span id="edit-hint" class="hint">
          {isFree ? `Begins a new branch${hasMore ? ', with what was attached' : ''}` : 'Wait for the answer to end'}
        </span>
        <button type="button" class="quietButton" title="Cancel (Escape)" onClick={cancel}>
          Cancel
        </button>
        <button
          type="button"
          class="button"
          title={withCtrl ? 'Resend (Ctrl+Enter)' : 'Resend (Enter)'}
          disabled={blank || !isFree}
          onClick={send}
        >
          Resend
        </button>
      </div>
    </div>
  );
}
