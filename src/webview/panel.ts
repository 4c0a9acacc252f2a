// What every part of the panel may reach, handed down through one context. It is made in main.tsx and nowhere else.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Intent } from '../model/intent.ts';
import type { GoTo } from '../model/wire.ts';
import type { Branching } from './branching/branching.ts';
import type { FormKeeper } from './asking/formAnswer.ts';
import type { highlight } from './highlight/highlight.ts';
import type { definitionsIn, languageOf, lexPiece } from './markdown/lex.ts';
import type { Outbox } from './composing/outbox.ts';
import type { NamedFiles } from './transcript/namedFiles.ts';
import type { Pictures } from './transcript/pictures.ts';
import type { Store } from './store.ts';
import type { SavedState, ScrollAnchor } from './vscodeApi.ts';

export interface Panel {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly branching: Branching;
  readonly post: (intent: Intent) => void;
  /** Null until its file has come; words are shown as they were typed until then, and where it never comes. */
  readonly lexer: ReadonlySignal<MarkdownLexer | null>;
  /** Null until its file has come; code is without colours until then. */
  readonly highlighter: ReadonlySignal<Highlighter | null>;
  /** Null until its file has come; what it draws comes then. */
  readonly late: ReadonlySignal<LateFile | null>;
  readonly pictures: Pictures;
  readonly namedFiles: NamedFiles;
  /** What is typed into the agent's questions. */
  readonly forms: FormKeeper;
  /** What the page before this one left behind. */
  readonly saved: SavedState;
  /** Where the conversation is scrolled to; null is the end. */
  readonly scroll: Signal<ScrollAnchor | null>;
  /** Counts up each time that the conversation is drawn anew. */
  readonly sheet: Signal<number>;
  /** Counts up each time that the composer should take the focus. */
  readonly focusWanted: Signal<number>;
  /** The message that should take the focus, until it has it. */
  readonly goTo: Signal<{ readonly on: 'lastMessage' | GoTo } | null>;
  /** Counts up each time that something is to be looked for in the conversation. */
  readonly findWanted: Signal<number>;
  /** The last thing that a screen reader should hear. */
  readonly said: Signal<string>;
}

/** What is loaded as soon as the panel stands. */
export type LateFile = typeof import('./late.ts');

export interface MarkdownLexer {
  readonly lexPiece: typeof lexPiece;
  readonly definitionsIn: typeof definitionsIn;
  readonly languageOf: typeof languageOf;
}

export interface Highlighter {
  readonly highlight: typeof highlight;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('There is no panel around this part.');
  return panel;
}
