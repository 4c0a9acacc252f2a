// What a person is told before and after sessions are deleted. Pure: whole sentences from what is to be done and what was.

import type { SessionSummary } from '../../core/history/history.ts';
import { counted, titleWords } from './sessionRows.ts';

export interface Failed {
  readonly title: string;
  readonly words: string;
}

const titlesShown = 8;

export function trashedWords(done: readonly SessionSummary[], stopped: number): string {
  const [only] = done;
  const moved = only && done.length === 1 ? `“${titleWords(only)}”` : counted(done.length, 'session');
  return `${stopped > 0 ? 'Stopped the answer and moved' : 'Moved'} ${moved} to the trash.`;
}

/** What the modal asks, and what it says will be gone. */
export function eraseQuestion(sessions: readonly SessionSummary[]): {
  readonly message: string;
  readonly detail: string;
} {
  const [only] = sessions;
  const what = only && sessions.length === 1 ? `“${titleWords(only)}”` : counted(sessions.length, 'session');
  const titles = sessions.length === 1 ? [] : sessions.slice(0, titlesShown).map(one => `• ${titleWords(one)}`);
  const rest = sessions.length - titlesShown;
  const messages = sessions.reduce((sum, one) => sum + one.messages, 0);
  const gone = `${counted(messages, 'message')} on all branches, with what was attached, and drafts, will be gone from this history.`;
  return {
    message: `Delete ${what} permanently?`,
    detail: [...titles, ...(rest > 0 ? [`… and ${rest} more`] : []), gone, 'This cannot be undone.'].join('\n'),
  };
}

export function erasedWords(done: readonly SessionSummary[], remaining: number): string {
  const [only] = done;
  const what = only && done.length === 1 ? `“${titleWords(only)}”` : counted(done.length, 'session');
  const later =
    remaining > 0
      ? ` ${counted(remaining, 'file')} of it will be cleaned when another window has let go of ${remaining === 1 ? 'it' : 'them'}.`
      : '';
  return `Deleted ${what} permanently.${later}`;
}

/** One sentence for all that did not work; the first says why. */
export function failedWords(verb: string, failed: readonly Failed[], of: number): string {
  const [first] = failed;
  if (!first) return '';
  const many = failed.length === 1 ? `“${first.title}”` : `${failed.length} of ${of} sessions`;
  return `${many} could not be ${verb}. ${first.words}`;
}
