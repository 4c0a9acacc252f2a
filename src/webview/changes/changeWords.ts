// The words of what a turn changed: a letter per file, its name apart from its folders, sums, and what was decided.
// Promises: what is not known is said to be so, never shown as a zero. Pure, so that a table can prove it.

import {
  isForeign,
  isRedoable,
  isUndoable,
  statesOf,
  type Decided,
  type Decision,
  type FileChange,
} from '../../model/changes.ts';
import type { MessageId } from '../../model/message.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import { countWords } from './changed.ts';

export interface PathWords {
  /** The name in two pieces, so that its end stays when there is no room. */
  readonly stem: string;
  readonly ending: string;
  /** From a folder of the window on; of a file that is somewhere else, the last two. */
  readonly folder: string;
  readonly full: string;
}

export function pathWords(path: string, roots: readonly string[] = []): PathWords {
  const full = cleanLine(path);
  const parts = full.split(/[\\/]+/).filter(part => part !== '');
  const name = parts.at(-1) ?? full;
  const dot = name.lastIndexOf('.');
  // At least some of the name goes with its extension: `…ler_test.go` says more than `.go`.
  const wanted = Math.max(0, (dot > 0 ? dot : name.length) - 5);
  // Never between the halves of one character.
  const cut = /[\udc00-\udfff]/.test(name.charAt(wanted)) ? wanted + 1 : wanted;
  return { stem: name.slice(0, cut), ending: name.slice(cut), folder: folderOf(full, roots), full };
}

function folderOf(full: string, roots: readonly string[]): string {
  const parts = (path: string) => path.split(/[\\/]+/).filter(part => part !== '');
  const root = roots.find(one => full.startsWith(one) && /^[\\/]/.test(full.slice(one.length)));
  if (root === undefined) return parts(full).slice(-3, -1).join('/');
  const inside = parts(full.slice(root.length)).slice(0, -1);
  return [...(roots.length > 1 ? parts(root).slice(-1) : []), ...inside].join('/');
}

export interface StatusWords {
  readonly letter: 'A' | 'M' | 'D';
  readonly words: string;
}

export function statusWords(change: FileChange): StatusWords {
  const { before, after } = statesOf(change);
  if (after.kind === 'absent') return { letter: 'D', words: 'Deleted' };
  if (before.kind === 'absent') return { letter: 'A', words: 'Added' };
  return { letter: 'M', words: 'Modified' };
}

/** For a pointer that rests on a file: all that is known of it, and why something is not offered. */
export function fileTitle(change: FileChange, decision: Decision | undefined): string {
  const { words } = statusWords(change);
  return [
    pathWords(change.path).full,
    change.seen === 'disk' ? `${words}, seen on disk` : words,
    whyNot(change, decision),
    decision === undefined ? '' : decision === 'kept' ? 'Kept' : 'Undone',
  ]
    .filter(line => line !== '')
    .join('\n');
}

function whyNot(change: FileChange, decision: Decision | undefined): string {
  if (isForeign(change)) return 'Imported: view only';
  if (decision === 'undone') return isRedoable(change) ? '' : 'What it became was not kept, so it cannot be made again';
  if (isUndoable(change)) return '';
  if (change.before.kind === 'unknown') return 'What was there before is not known';
  return change.after.kind === 'unknown' ? 'What it became is not known' : 'What was there before was not kept';
}

export type Offer = 'keep' | 'undo' | 'redo';

/** What can be decided about a file after the turn. */
export function offersFor(change: FileChange, decision: Decision | undefined): readonly Offer[] {
  if (isForeign(change)) return [];
  if (decision === 'undone') return isRedoable(change) ? ['redo'] : [];
  return [...(isUndoable(change) ? (['undo'] as const) : []), ...(decision === undefined ? (['keep'] as const) : [])];
}

export interface Sum {
  readonly added: number;
  readonly removed: number;
}

/** Null where of no file it is known. */
export function sumOf(files: readonly FileChange[]): Sum | null {
  const known = files.flatMap(({ lines }) => (lines ? [lines] : []));
  if (known.length === 0) return null;
  return {
    added: known.reduce((sum, { added }) => sum + added, 0),
    removed: known.reduce((sum, { removed }) => sum + removed, 0),
  };
}

export function decisionsOn(
  message: MessageId,
  files: readonly FileChange[],
  decided: readonly Decided[],
): readonly (Decision | undefined)[] {
  const byPath = new Map<string, Decision>();
  for (const one of decided) if (one.message === message) byPath.set(one.path, one.decision);
  return files.map(({ path }) => byPath.get(path));
}

export interface Heading {
  readonly words: string;
  /** Nothing is left to decide, so one line says enough. */
  readonly isKept: boolean;
  readonly offers: readonly Offer[];
}

export function heading(
  files: readonly FileChange[],
  decisions: readonly (Decision | undefined)[],
  running: boolean,
): Heading {
  const count = countWords(files.length);
  const all = (wanted: Decision) => files.length > 0 && decisions.every(decision => decision === wanted);
  const undoable = files.some((file, at) => decisions[at] !== 'undone' && isUndoable(file));
  if (running) return { words: count, isKept: false, offers: [] };
  if (files.every(isForeign)) return { words: `${count}, imported`, isKept: false, offers: [] };
  if (all('kept')) return { words: `${count}, kept`, isKept: true, offers: undoable ? ['undo'] : [] };
  if (all('undone'))
    return { words: `${count}, undone`, isKept: false, offers: files.some(isRedoable) ? ['redo'] : [] };
  return { words: count, isKept: false, offers: undoable ? ['undo', 'keep'] : ['keep'] };
}
