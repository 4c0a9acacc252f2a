// What every part of the panel may reach, handed down through one context. It is made in main.tsx and nowhere else.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Intent } from '../model/intent.ts';
import type { FormKeeper } from './formAnswer.ts';
import type { definitionsIn, lexPiece } from './markdown/lex.ts';
import type { Outbox } from './outbox.ts';
import type { Store } from './store.ts';
import type { SavedState, ScrollAnchor } from './vscodeApi.ts';

export interface Panel {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly post: (intent: Intent) => void;
  /** Null until its file has come; words are shown as they were typed until then, and where it never comes. */
  readonly lexer: ReadonlySignal<MarkdownLexer | null>;
  /** What is typed into the agent's questions. */
  readonly forms: FormKeeper;
  /** What the page before this one left behind. */
  readonly saved: SavedState;
  /** Where the conversation is scrolled to; null is the end. */
  readonly scroll: Signal<ScrollAnchor | null>;
  /** Counts up each time that the composer should take the focus. */
  readonly focusWanted: Signal<number>;
  /** The last thing that a screen reader should hear. */
  readonly said: Signal<string>;
}

export interface MarkdownLexer {
  readonly lexPiece: typeof lexPiece;
  readonly definitionsIn: typeof definitionsIn;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('There is no panel around this part.');
  return panel;
}
