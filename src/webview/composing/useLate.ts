// Ties what completes and attaches to the box, once its file has come. Null until then; writing and sending wait for
// nothing.

import { effect, signal, useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LateFile, Panel } from '../panel.ts';
import type { Completer } from './completer.ts';

export interface Late extends LateFile {
  readonly completer: Completer;
}

export function useLate(
  panel: Panel,
  box: { readonly current: HTMLTextAreaElement | null },
): ReadonlySignal<Late | null> {
  const late = useSignal<Late | null>(null);
  const file = panel.late.value;
  useEffect(() => {
    if (file) late.value = { ...file, completer: tied(file, panel, box) };
  }, [file]);
  return late;
}

function tied(
  file: LateFile,
  { store, outbox, post, said }: Panel,
  box: { readonly current: HTMLTextAreaElement | null },
): Completer {
  const completer = file.createCompleter({
    session: () => store.part('session').peek() ?? '',
    commands: () => store.part('commands').peek() ?? [],
    agent: () => store.part('agent').peek()?.name ?? '',
    post,
    attach: outbox.attached.add,
    write({ text, caret }) {
      outbox.draft.value = text;
      const area = box.current;
      if (!area) return;
      area.value = text;
      area.setSelectionRange(caret, caret);
      area.focus();
    },
  });
  store.onEvent(completer.hear);
  const count = signal(0);
  effect(() => void (count.value = completer.list.value?.choices.length ?? 0));
  effect(() => {
    if (count.value > 0) said.value = `${count.value} ${count.value === 1 ? 'suggestion' : 'suggestions'}`;
  });
  return completer;
}
