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
import type { BlobRef, Json, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { FileWatch } from '../changes.ts';
import { historyErrorOf } from '../history/historyError.ts';
import type { SessionHistory } from '../history/history.ts';

export type Deciding = 'keep' | 'undo' | 'redo';

export interface DecisionsPorts {
  readonly session: SessionId;
  readonly history: Pick<SessionHistory, 'blob'>;
  readonly files: FileWatch;
  readonly decided: () => readonly Decided[];
  readonly show: (decided: readonly Decided[]) => void;
  readonly save: (facts: readonly Fact[]) => Promise<unknown>;
}

/** `file` is a place in the message's list; null decides all that can be. Resolves with words where not all was done. */
export async function decide(
  { message, file, deciding }: { readonly message: Message; readonly file: number | null; readonly deciding: Deciding },
  ports: DecisionsPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const all = changesIn(message);
  const wanted = all.filter((_one, at) => file === null || at === file);
  const isUndone = ({ path }: FileChange) =>
    ports.decided().some(one => one.message === message.id && one.path === path && one.decision === 'undone');
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
    if (words === null) await remember(message.id, change.path, deciding, ports);
    else failed.push(`${nameOf(change)}: ${words}`);
  }
  if (failed.length === 0) return null;
  const verb = { keep: 'kept', undo: 'undone', redo: 'made again' }[deciding];
  return `${failed.length} of ${wanted.length} ${wanted.length === 1 ? 'change was' : 'changes were'} not ${verb}. ${failed.join(' ')}`;
}

async function putBack(
  change: FileChange,
  deciding: 'undo' | 'redo',
  { session, history, files }: DecisionsPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const [is, becomes] = deciding === 'undo' ? [change.after, change.before] : [change.before, change.after];
  try {
    const whole = await withBytes(becomes, ref => history.blob(session, ref));
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

async function remember(
  message: MessageId,
  path: string,
  deciding: Deciding,
  { session, decided, show, save }: DecisionsPorts,
): Promise<void> {
  const others = decided().filter(one => one.message !== message || one.path !== path);
  const decision = deciding === 'keep' ? 'kept' : deciding === 'undo' ? 'undone' : null;
  show(decision === null ? others : [...others, { message, path, decision }]);
  const value: Json = { message, path, decision };
  await save([{ type: 'set', session, name: 'decision', of: `${message}:${path}`, value, from: message }]);
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
