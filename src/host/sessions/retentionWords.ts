// What a person reads when sessions are put away by their own rules. Pure.

import type { Due, RetentionRules } from '../../core/retention.ts';
import type { InTrash } from '../../core/trashDays.ts';
import { counted, titleWords } from './sessionRows.ts';

type Action = RetentionRules['action'];

export function offerWords(due: readonly Due[], of: number, action: Action): string {
  return `By your settings ${counted(due.length, 'session')} of ${of} would be moved to ${placeOf(action)}. Nothing is moved before you agree.`;
}

export function pickerTitle(action: Action): string {
  return `Move these sessions to ${placeOf(action)}? Uncheck what you want to keep.`;
}

export function doneWords(done: readonly Due[], action: Action): string {
  const [only] = done;
  const what = only && done.length === 1 ? `“${titleWords(only.summary)}”` : counted(done.length, 'session');
  return `By your settings ${what} went to ${placeOf(action)}.`;
}

export function whyWords({ why, summary }: Due, now: number): string {
  if (why === 'expired') return `its date has come: ${new Date(summary.expires ?? 0).toLocaleDateString()}`;
  if (why === 'long') return counted(summary.messages, 'message');
  return `not active for ${counted(Math.floor((now - summary.active) / 86_400_000), 'day')}`;
}

export function trashOfferWords(due: number, days: number): string {
  const have = due === 1 ? 'has' : 'have';
  return `${counted(due, 'session')} ${have} been in the trash for ${counted(days, 'day')} or longer. By your settings you are asked whether to delete ${due === 1 ? 'it' : 'them'} permanently. Nothing is deleted before you agree.`;
}

export function inTrashWords({ since, summary }: InTrash): string {
  return `${counted(summary.messages, 'message')} · in the trash since ${new Date(since).toLocaleDateString()}`;
}

/** The beginning of that day in the person's own time zone, or why it is none. */
export function dayIn(text: string, now: number): { readonly at?: number; readonly words?: string } {
  const parts = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text)?.slice(1).map(Number);
  if (!parts) return { words: 'Write it as year-month-day.' };
  const [year = 0, month = 0, date = 0] = parts;
  const at = new Date(year, month - 1, date);
  if (at.getMonth() !== month - 1 || at.getDate() !== date) return { words: 'There is no such day.' };
  return at.getTime() <= now ? { words: 'That day has begun already.' } : { at: at.getTime() };
}

function placeOf(action: Action): string {
  return action === 'trash' ? 'the trash' : 'the archive';
}
