// The head of the panel: which conversation this is, and the ways to another one.

import { useComputed } from '@preact/signals';
import { cleanLine } from './transcript/cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';

export function Header() {
  const { store, post } = usePanel();
  const title = useComputed(() => cleanLine(store.part('title').value ?? '') || 'New session').value;
  return (
    <header class="bar">
      <h1 title={title}>{title}</h1>
      <button
        type="button"
        class="iconButton"
        aria-label="New session"
        title="New session"
        onClick={() => post({ type: 'newSession' })}
      >
        {icon('add')}
      </button>
      <button
        type="button"
        class="iconButton"
        aria-label="Resume session…"
        title="Resume session…"
        onClick={() => post({ type: 'resumeSession' })}
      >
        {icon('history')}
      </button>
    </header>
  );
}
