// What a person is told before and after sessions are deleted. Pure: whole sentences from what is to be done and what was.

import type { SessionSummary } from '../../core/history/history.ts';
import { canDelete, namesOf, type AgentCopy } from './agentCopies.ts';
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

export interface EraseQuestion {
  readonly text: string;
  readonly detail: readonly string[];
  readonly button: string;
  /** The button that deletes the agents' copies too; null where no agent can. */
  readonly deleting: string | null;
}

/** What the modal asks, and what it says will be gone, here and at the agents. */
export function eraseQuestion(
  sessions: readonly SessionSummary[],
  copies: readonly AgentCopy[] = [],
  isTrash = false,
): EraseQuestion {
  const [only] = sessions;
  const what = only && sessions.length === 1 ? `“${titleWords(only)}”` : counted(sessions.length, 'session');
  const titles =
    sessions.length === 1 && !isTrash ? [] : sessions.slice(0, titlesShown).map(one => `• ${titleWords(one)}`);
  const rest = sessions.length - titlesShown;
  const messages = sessions.reduce((sum, one) => sum + one.messages, 0);
  const gone = `${counted(messages, 'message')} on all branches, with attachments and drafts, will be deleted from this history.`;
  return {
    text: isTrash
      ? `Empty the trash and delete ${counted(sessions.length, 'session')} permanently?`
      : `Delete ${what} permanently?`,
    detail: [
      ...titles,
      ...(rest > 0 ? [`… and ${rest} more`] : []),
      gone,
      ...copyWords(copies),
      'This cannot be undone.',
    ],
    ...buttonsFor(copies),
  };
}

function copyWords(copies: readonly AgentCopy[]): readonly string[] {
  const [can, cannot] = [copies.filter(canDelete), copies.filter(copy => !canDelete(copy))];
  return [
    ...(can.length > 0 ? [`${namesOf(can)} can delete the copy that it keeps itself.`] : []),
    ...(cannot.length > 0 ? [`${namesOf(cannot)} may keep a copy, and offers no way to delete it from here.`] : []),
  ];
}

function buttonsFor(copies: readonly AgentCopy[]): Pick<EraseQuestion, 'button' | 'deleting'> {
  const can = copies.filter(canDelete);
  return { button: 'Delete Permanently', deleting: can.length > 0 ? `Delete Here and at ${namesOf(can)}` : null };
}

/** What became of the copies that agents were asked to delete. */
function thereWords(there: readonly AgentCopy[], [first]: readonly string[]): { also: string; not: string } {
  const deleted = there.filter(canDelete);
  return {
    also: first === undefined && deleted.length > 0 ? `, and ${namesOf(deleted)} deleted its copy` : '',
    not: first === undefined ? '' : ` Not everything could be deleted at the agent. ${first}`,
  };
}

/** `there` is what agents were asked to delete, `failed` which could not, with why. */
export function erasedWords(
  done: readonly SessionSummary[],
  remaining: number,
  there: readonly AgentCopy[] = [],
  failed: readonly string[] = [],
): string {
  const [only] = done;
  const what = only && done.length === 1 ? `“${titleWords(only)}”` : counted(done.length, 'session');
  const { also, not } = thereWords(there, failed);
  return `Deleted ${what} permanently${also}.${not}${laterWords(remaining)}`;
}

export function restoredWords(count: number): string {
  const was = count === 1 ? 'was restored meanwhile and stays' : 'were restored meanwhile and stay';
  return `${counted(count, 'session')} ${was}.`;
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

export function branchEraseQuestion(gone: BranchGone, copies: readonly AgentCopy[] = []): EraseQuestion {
  return {
    text: `Delete the branch “${gone.label}” permanently?`,
    detail: [
      `${sizeOf([gone])}, with attachments, will be deleted from this history. Messages shared with other branches stay.`,
      ...copyWords(copies),
      'This cannot be undone.',
    ],
    ...buttonsFor(copies),
  };
}

/** `there` and `failed` as in `erasedWords`. */
export function branchErasedWords(
  { label }: BranchGone,
  remaining: number,
  there: readonly AgentCopy[] = [],
  failed: readonly string[] = [],
): string {
  const { also, not } = thereWords(there, failed);
  return `Deleted the branch “${label}” permanently${also}.${not}${laterWords(remaining)}`;
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
