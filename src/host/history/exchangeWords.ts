// What is said when sessions came in, or could not come in or go out. Pure. Promises: one sentence that counts what came,
// what was here and what could not be read, with the reason of the first; the rest is in the details.

import type { ImportedFile } from '../../core/exchange/exchange.ts';
import { historyErrorIn, type HistoryErrorCode } from '../../core/history/historyError.ts';
import { counted } from '../sessions/sessionRows.ts';

export interface ImportedFrom extends ImportedFile {
  /** The file's own name. */
  readonly file: string;
}

export interface ImportWords {
  readonly words: string;
  /** Null where the sentence says all. */
  readonly details: string | null;
  readonly isTrouble: boolean;
}

export function importWords(results: readonly ImportedFrom[]): ImportWords {
  const sum = (of: (one: ImportedFrom) => number) => results.reduce((total, one) => total + of(one), 0);
  const added = sum(one => one.added.length);
  const grown = sum(one => one.grown.length);
  const here = sum(one => one.here.length);
  const erased = sum(one => one.erased);
  const unread = results.flatMap(({ file, unread: some }) => some.map(one => ({ ...one, file })));
  const stopped = results.some(one => one.stopped);
  const noun = unread.every(({ title }) => title === '') && added + grown + here === 0 ? 'file' : 'session';
  const parts = [
    { count: added, words: 'imported' },
    { count: grown, words: `${wasOrWere(grown)} here already and got what was missing` },
    { count: here, words: `${wasOrWere(here)} here already` },
    { count: unread.length, words: 'could not be read' },
  ]
    .filter(({ count }) => count > 0)
    // What is counted is said once.
    .map(({ count, words }, at) => `${at === 0 ? counted(count, noun) : String(count)} ${words}`);
  const [first] = unread;
  const reason = first ? `: ${nameOf(first)} ${first.words}` : '.';
  const counts = parts.length > 0 ? `${parts.join(', ')}${reason}` : 'There are no sessions in it.';
  const more = unread.length > 1 ? ' The others are in the details.' : '';
  const left =
    erased > 0
      ? ` ${counted(erased, 'message')} that ${erased === 1 ? 'was' : 'were'} deleted permanently here stayed away.`
      : '';
  return {
    words: `${stopped ? 'Stopped. ' : ''}${counts}${more}${left}`,
    details: unread.length > 1 ? detailsOf(unread) : null,
    isTrouble: unread.length > 0,
  };
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function nameOf({ title, file }: { readonly title: string; readonly file: string }): string {
  return title === '' ? `“${file}”.` : `“${title}” in ${file}.`;
}

function detailsOf(
  unread: readonly { readonly title: string; readonly words: string; readonly file: string }[],
): string {
  const lines = unread.map(({ title, words, file }) => `${file}${title === '' ? '' : `, ${title}`}\n    ${words}`);
  return `What could not be imported\n\n${lines.join('\n\n')}\n`;
}

const words: { readonly [code in HistoryErrorCode]?: readonly [written: string, read: string] } = {
  'disk-full': [
    'The disk is full.',
    'The disk is full: free some space and import again. What is here already is not imported twice.',
  ],
  'no-permission': ['The system does not let it be written there.', 'The history folder may not be written to.'],
  'read-only': ['That disk is read-only.', 'The history folder is on a read-only disk.'],
  gone: ['The folder is gone.', 'The history folder is gone.'],
  io: ['The disk reported an error.', 'The disk reported an error.'],
};

/** What history says of the disk is about saving a conversation, which is not what was tried. */
export function exchangeTrouble(cause: unknown, what: 'written' | 'imported'): unknown {
  const error = historyErrorIn(cause);
  const known = error ? words[error.code] : undefined;
  return known ? new Error(known[what === 'written' ? 0 : 1], { cause }) : cause;
}
