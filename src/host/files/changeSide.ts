// One side of a change that a turn made, as a text to look at. Pure, but for asking for the content. Promises: whatever is
// not known, not kept, gone or no text is a sentence and never an error.

import { statesOf, type FileChange, type FileState } from '../../model/changes.ts';
import type { BlobRef } from '../../model/message.ts';

export type Side = 'before' | 'after';

export interface SideText {
  readonly text: string;
  /** It is the file's own text, and no sentence about it. */
  readonly isFile: boolean;
}

export function stateAt(change: FileChange, side: Side): FileState {
  return statesOf(change)[side];
}

export async function textOfState(state: FileState, bytes: (ref: BlobRef) => Promise<Uint8Array>): Promise<SideText> {
  if (state.kind === 'absent') return { text: '', isFile: true };
  if (state.kind === 'unknown')
    return sentence('What was here is not known: nobody had looked at this file before it was changed.');
  const content = state.content ?? state.elsewhere;
  if (content === undefined)
    return sentence('The content of this file was not kept, because it is a secret or very large.');
  let found: Uint8Array;
  try {
    found = content instanceof Uint8Array ? content : await bytes(content);
  } catch (cause) {
    return sentence(cause instanceof Error ? cause.message : String(cause));
  }
  const text = decoded(found);
  return text === null ? sentence('This file is not text, so it is not shown.') : { text, isFile: true };
}

function sentence(text: string): SideText {
  return { text, isFile: false };
}

/** Without the byte order mark; null for what is no text in UTF-8. */
function decoded(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
