// What a person decides about the files that a turn changed: to keep them, or to have them as they were. Promises: a file
// is put back only where it still is what the turn left, whoever else wrote to the workspace meanwhile; a change that was
// imported is never decided; what was decided is in history; what could not be put back is said, file by file, and the
// others are.

import {
  isForeign,
  isRedoable,
  isUndoable,
  type Decided,
  type FileChange,
  type FileState,
} from '../../model/changes.ts';
import type { BlobRef, Json, Message } from '../../model/message.ts';
import type { FileWatch } from '../changes.ts';
import { historyErrorOf } from '../history/historyError.ts';

export type Deciding = 'keep' | 'undo' | 'redo';

export interface DecisionPorts {
  readonly files: FileWatch;
  readonly bytes: (ref: BlobRef) => Promise<Uint8Array>;
  /** This file is decided; null is undecided again. */
  readonly onDecided: (path: string, decision: Decided['decision'] | null) => void;
}

export interface Asked {
  readonly message: Message;
  /** A place in the message's list; null decides all that can be. */
  readonly file: number | null;
  readonly deciding: Deciding;
  /** Of the files of this message. */
  readonly undone: ReadonlySet<string>;
}

/** Resolves with words where not all was done. */
export async function decideFiles(
  { message, file, deciding, undone }: Asked,
  ports: DecisionPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const wanted = changesIn(message).filter((_one, at) => file === null || at === file);
  const isUndone = ({ path }: FileChange) => undone.has(path);
  const own = wanted.filter(one => !isForeign(one));
  const left = own.filter(one =>
    deciding === 'redo' ? isUndone(one) && isRedoable(one) : !isUndone(one) && (deciding === 'keep' || isUndoable(one)),
  );
  const failed: string[] = [
    ...wanted.filter(isForeign).map(foreignWords),
    ...(deciding === 'undo' ? own.filter(one => !isUndone(one) && !isUndoable(one)).map(unknownWords) : []),
  ];
  for (const change of left) {
    const words = deciding === 'keep' ? null : await putBack(change, deciding, ports, signal);
    if (words === null) ports.onDecided(change.path, decisions[deciding]);
    else failed.push(`${nameOf(change)}: ${words}`);
  }
  if (failed.length === 0) return null;
  const verb = { keep: 'kept', undo: 'undone', redo: 'made again' }[deciding];
  return `${failed.length} of ${wanted.length} ${wanted.length === 1 ? 'change was' : 'changes were'} not ${verb}. ${failed.join(' ')}`;
}

const decisions = { keep: 'kept', undo: 'undone', redo: null } as const;

async function putBack(
  change: FileChange,
  deciding: 'undo' | 'redo',
  { files, bytes }: DecisionPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const [is, becomes] = deciding === 'undo' ? [change.after, change.before] : [change.before, change.after];
  try {
    const whole = await withBytes(becomes, bytes);
    const put = await files.putBack(change.path, is, whole, signal);
    return put.done ? null : put.words;
  } catch (cause) {
    return historyErrorOf(cause).message;
  }
}

async function withBytes(state: FileState, bytes: (ref: BlobRef) => Promise<Uint8Array>): Promise<FileState> {
  if (state.kind !== 'file' || state.content === undefined || state.content instanceof Uint8Array) return state;
  return { ...state, content: await bytes(state.content) };
}

export function changesIn(message: Message): readonly FileChange[] {
  return message.blocks.flatMap(block => (block.kind === 'changes' ? block.files : []));
}

export function decidedIn(values: readonly Json[]): readonly Decided[] {
  return values.flatMap((value): readonly Decided[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const { message, path, decision } = value as { readonly [field: string]: Json };
    if (typeof message !== 'string' || typeof path !== 'string') return [];
    return decision === 'kept' || decision === 'undone' ? [{ message, path, decision }] : [];
  });
}

function nameOf({ path }: FileChange): string {
  return `“${path.split(/[/\\]/).at(-1) ?? path}”`;
}

function unknownWords(change: FileChange): string {
  return `${nameOf(change)}: What was there before is not kept.`;
}

function foreignWords(change: FileChange): string {
  return `${nameOf(change)}: This change was imported, so it can only be viewed.`;
}
