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
}

export type FileState =
  | { readonly kind: 'absent' }
  /** `content` is absent where it was not kept: it is a secret, or very large. */
  | {
      readonly kind: 'file';
      readonly is: BlobRef;
      readonly content?: Bytes;
      /** Of an imported session: what a stranger says was there. It is shown, and never put anywhere. */
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
export function isUndoable({ before, after }: FileChange): boolean {
  return isKept(before) && after.kind !== 'unknown';
}

export function isRedoable({ before, after }: FileChange): boolean {
  return isKept(after) && before.kind !== 'unknown';
}

function isKept(state: FileState): boolean {
  return state.kind === 'absent' || (state.kind === 'file' && state.content !== undefined);
}
