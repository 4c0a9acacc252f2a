// What the user reads when sessions are due by the rules of retention, and what the log says. Pure.

import type { Due, RetentionAction, RetentionSettings, RuleName } from '../../core/retentionRules.ts';
import { counted, titleWords } from './sessionRows.ts';

export interface ListStrings {
  readonly title: string;
  readonly placeHolder: string;
  /** Of VS Code's icons. */
  readonly icon: string;
}

export interface RuleStrings {
  /** `of` is how many sessions were checked. */
  readonly offer: (due: number, of: number, settings: RetentionSettings) => string;
  readonly list: (settings: RetentionSettings) => ListStrings;
  readonly logged: (done: number, action: RetentionAction) => string;
  readonly checkFailed: string;
  readonly actFailed: string;
}

export const retentionStrings: Readonly<Record<RuleName, RuleStrings>> = {
  putAway: {
    offer: (due, of, { action }) =>
      `By your settings ${counted(due, 'session')} of ${of} would be moved to ${places[action]}. Nothing is moved before you agree.`,
    list: ({ action }) => ({
      title: `Move these sessions to ${places[action]}? Uncheck what you want to keep.`,
      placeHolder: 'What is unchecked is kept for good',
      icon: 'comment-discussion',
    }),
    logged: (done, action) => `Put away by the settings of retention: ${done}, to the ${action}.`,
    checkFailed: 'Sessions could not be put away by your settings.',
    actFailed: 'A session could not be put away by your settings.',
  },
  emptyTrash: {
    offer(due, _of, { trashDays }) {
      const [have, them] = due === 1 ? ['has', 'it'] : ['have', 'them'];
      return `${counted(due, 'session')} ${have} been in the trash for ${counted(trashDays, 'day')} or longer. By your settings you are asked whether to delete ${them} permanently. Nothing is deleted before you agree.`;
    },
    list: () => ({
      title: 'Delete these sessions permanently? Uncheck what stays in the trash.',
      placeHolder: 'What is unchecked stays there for good',
      icon: 'trash',
    }),
    logged: done => `Deleted permanently after its days in the trash, as the person agreed: ${done}.`,
    checkFailed: 'What is due in the trash could not be looked at.',
    actFailed: 'A session of the trash could not be deleted permanently.',
  },
};

const places = { trash: 'the trash', archive: 'the archive' } satisfies Record<RetentionSettings['action'], string>;

const reasons: Readonly<Record<Due['why'], (due: Due, now: number) => string>> = {
  expired: ({ summary }) => `its date has come: ${new Date(summary.expires ?? 0).toLocaleDateString()}`,
  old: ({ summary }, now) => `not active for ${counted(Math.floor((now - summary.active) / 86_400_000), 'day')}`,
  long: ({ summary }) => counted(summary.messages, 'message'),
  trashed: ({ summary, since }) =>
    `${counted(summary.messages, 'message')} · in the trash since ${new Date(since).toLocaleDateString()}`,
};

/** Why a session is due, as its row in the list says. */
export function reasonFor(due: Due, now: number): string {
  return reasons[due.why](due, now);
}

export function putAwayMessage(done: readonly Due[], action: RetentionSettings['action']): string {
  const [only] = done;
  const what = only && done.length === 1 ? `“${titleWords(only.summary)}”` : counted(done.length, 'session');
  return `By your settings ${what} went to ${places[action]}.`;
}

/** The beginning of that day in the user's own time zone, or why it is none. */
export function dayIn(text: string, now: number): { readonly at?: number; readonly words?: string } {
  const parts = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text)?.slice(1).map(Number);
  if (!parts) return { words: 'Write it as year-month-day.' };
  const [year = 0, month = 0, date = 0] = parts;
  const at = new Date(year, month - 1, date);
  if (at.getMonth() !== month - 1 || at.getDate() !== date) return { words: 'There is no such day.' };
  return at.getTime() <= now ? { words: 'That day has begun already.' } : { at: at.getTime() };
}
