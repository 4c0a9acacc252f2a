// The files that a turn changed, whoever wrote them. Plain data, the same in the journal, in the host and in the webview.

import type { BlobRef, Bytes } from './message.ts';

export interface FileChange {
  /** The real one, without a link in it. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Of texts that were compared. */
  readonly lines?: { readonly added: number; readonly removed: number };
  /** How it is known: the agent wrote it through this client, said so in a tool call, or only the disk shows it. */
  readonly seen: 'written' | 'told' | 'disk';
  /**
   * The change was imported: these are its real states, which are shown and never applied here. `before` and `after` are
   * unknown then, so that a version that doesn't know this field can't apply the change either.
   */
  readonly foreign?: FileStates;
}

export interface FileStates {
  readonly before: FileState;
  readonly after: FileState;
}

export type FileState =
  | { readonly kind: 'absent' }
  /** `content` is absent where it was not kept: it is a secret, or very large. */
  | {
      readonly kind: 'file';
      readonly is: BlobRef;
      readonly content?: Bytes;
      /** What older versions wrote instead of `content` for an imported change, which had no `foreign` then. */
      readonly elsewhere?: Bytes;
    }
  /** Nobody looked before it was changed. */
  | { readonly kind: 'unknown' };

/** What a person decided about a change: one that was undone is as it was before. */
export type Decision = 'kept' | 'undone';

/** A decision about one file of one message's changes. */
export interface Decided {
  readonly message: string;
  readonly path: string;
  readonly decision: Decision;
}

/** It can be made as it was: both sides are known, and what was there is kept. */
export function isUndoable({ before, after, foreign }: FileChange): boolean {
  return !foreign && isKept(before) && after.kind !== 'unknown';
}

export function isRedoable({ before, after, foreign }: FileChange): boolean {
  return !foreign && isKept(after) && before.kind !== 'unknown';
}

/** What to show of the change. */
export function statesOf(change: FileChange): FileStates {
  return change.foreign ?? change;
}

/** The change as it is written and given back where it was imported. */
export function asForeign(change: FileChange): FileChange {
  if (change.foreign) return change;
  const { before, after } = change;
  const unknown: FileState = { kind: 'unknown' };
  return {
    ...change,
    before: unknown,
    after: unknown,
    foreign: { before: withContent(before), after: withContent(after) },
  };
}

/** Whether it came from an import, also of a version that only marked what a file held. */
export function isForeign({ before, after, foreign }: FileChange): boolean {
  return [before, after].some(state => state.kind === 'file' && state.elsewhere !== undefined) || foreign !== undefined;
}

function withContent(state: FileState): FileState {
  if (state.kind !== 'file' || state.elsewhere === undefined) return state;
  const { elsewhere, ...rest } = state;
  return { ...rest, content: elsewhere };
}

function isKept(state: FileState): boolean {
  return state.kind === 'absent' || (state.kind === 'file' && state.content !== undefined);
}
