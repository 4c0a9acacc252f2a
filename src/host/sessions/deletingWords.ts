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
export function eraseQuestion(
  sessions: readonly SessionSummary[],
  isTrash = false,
): { readonly message: string; readonly detail: string } {
  const [only] = sessions;
  const what = only && sessions.length === 1 ? `“${titleWords(only)}”` : counted(sessions.length, 'session');
  const titles =
    sessions.length === 1 && !isTrash ? [] : sessions.slice(0, titlesShown).map(one => `• ${titleWords(one)}`);
  const rest = sessions.length - titlesShown;
  const messages = sessions.reduce((sum, one) => sum + one.messages, 0);
  const gone = `${counted(messages, 'message')} on all branches, with attachments and drafts, will be deleted from this history.`;
  return {
    message: isTrash
      ? `Empty the trash and delete ${counted(sessions.length, 'session')} permanently?`
      : `Delete ${what} permanently?`,
    detail: [...titles, ...(rest > 0 ? [`… and ${rest} more`] : []), gone, 'This cannot be undone.'].join('\n'),
  };
}

export function erasedWords(done: readonly SessionSummary[], remaining: number): string {
  const [only] = done;
  const what = only && done.length === 1 ? `“${titleWords(only)}”` : counted(done.length, 'session');
  return `Deleted ${what} permanently.${laterWords(remaining)}`;
}

function laterWords(remaining: number): string {
  if (remaining === 0) return '';
  const them = remaining === 1 ? 'it' : 'them';
  return ` ${counted(remaining, 'file')} of it will be cleaned when another window has let go of ${them}.`;
}

/** One sentence for all that did not work; the first says why. */
export function failedWords(verb: string, failed: readonly Failed[], of: number): string {
  const [first] = failed;
  if (!first) return '';
  const many = failed.length === 1 ? `“${first.title}”` : `${failed.length} of ${of} sessions`;
  return `${many} could not be ${verb}. ${first.words}`;
}

/** A message of a session, with all that follows from it. */
export interface BranchGone {
  readonly label: string;
  readonly messages: number;
  /** Ends below it. */
  readonly branches: number;
  readonly wasStopped: boolean;
}

export function branchTrashedWords(gone: readonly BranchGone[]): string {
  const [only] = gone;
  const what = only && gone.length === 1 ? `the branch “${only.label}”` : counted(gone.length, 'branch');
  const did = gone.some(({ wasStopped }) => wasStopped) ? 'Stopped the answer and moved' : 'Moved';
  return `${did} ${what} (${sizeOf(gone)}) to the trash.`;
}

export function branchEraseQuestion(gone: BranchGone): { readonly message: string; readonly detail: string } {
  return {
    message: `Delete the branch “${gone.label}” permanently?`,
    detail: `${sizeOf([gone])}, with attachments, will be deleted from this history. Messages shared with other branches stay.\nThis cannot be undone.`,
  };
}

export function branchErasedWords({ label }: BranchGone, remaining: number): string {
  return `Deleted the branch “${label}” permanently.${laterWords(remaining)}`;
}

function sizeOf(gone: readonly BranchGone[]): string {
  const sum = (of: (one: BranchGone) => number) => gone.reduce((all, one) => all + of(one), 0);
  const branches = sum(one => one.branches);
  return [
    counted(
      sum(one => one.messages),
      'message',
    ),
    ...(branches > gone.length ? [counted(branches, 'branch')] : []),
  ].join(' in ');
}
