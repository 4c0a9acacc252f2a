// Which sessions a command is about: those that it was given as ids, the rows of the tree on which its menu was opened, or
// what a person picks where it was given nothing.

import type { QuickPickItem } from 'vscode';
import type { SessionSummary } from '../../core/history/history.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { relativeTime } from './sessionAge.ts';
import { counted, titleWords } from './sessionRows.ts';
import type { SessionNode } from './sessionTreeModel.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';

/** What a command gets from `executeCommand(id, sessionId)`, from a menu of the tree, or from the palette: nothing. */
export type Target = SessionId | SessionNode | undefined;

export interface Asked {
  /** In the words of the command. */
  readonly title: string;
  /** Which ones it makes sense for. */
  readonly fits: (summary: SessionSummary) => boolean;
  /** Where there is none. */
  readonly none: string;
}

export function sessionOf(target: Target): SessionId | undefined {
  if (typeof target === 'string') return target;
  return target && 'session' in target ? target.session : undefined;
}

/** The end of the branch on whose row the menu was opened. */
export function leafOf(target: Target): MessageId | undefined {
  return typeof target === 'object' && target.kind === 'branch' ? target.leaf : undefined;
}

/** Where each branch that is meant begins. */
export function branchesOf(
  target: Target,
  selected: unknown,
): readonly { readonly session: SessionId; readonly from: MessageId }[] {
  const rows = Array.isArray(selected) ? (selected as readonly SessionNode[]) : [];
  const all = [...(typeof target === 'object' ? [target] : []), ...rows];
  return [...new Set(all)].flatMap(one => (one.kind === 'branch' ? [{ session: one.session, from: one.from }] : []));
}

/** The ends of the branches of one session that are under the pointer and selected, the one under the pointer first. */
export function leavesOf(target: Target, selected: unknown, session: SessionId): readonly MessageId[] {
  const rows = Array.isArray(selected) ? (selected as readonly SessionNode[]) : [];
  const all = [target, ...rows].filter(one => sessionOf(one) === session);
  return [...new Set(all.flatMap(one => leafOf(one) ?? []))];
}

/** Each once, the one under the pointer first. Of what is selected only rows of sessions count: a branch is not its session. */
export function sessionsOf(target: Target, selected: unknown): readonly SessionId[] {
  const rows = Array.isArray(selected) ? (selected as readonly SessionNode[]) : [];
  const all = [target, ...rows.filter(({ kind }) => kind === 'session')];
  return [...new Set(all.flatMap(one => sessionOf(one) ?? []))];
}

/** Those of the ids that history knows, in their order. Throws `no-session` where it knows none. */
export function known(all: readonly SessionSummary[], ids: readonly SessionId[]): readonly SessionSummary[] {
  const found = ids.flatMap(id => all.find(summary => summary.id === id) ?? []);
  if (ids.length > 0 && found.length === 0) throw new HistoryError('no-session');
  return found;
}

export async function pickSession(
  all: readonly SessionSummary[],
  { title, fits, none }: Asked,
  now: number,
): Promise<SessionSummary | undefined> {
  const items = all.filter(fits).map(summary => ({ summary, ...itemOf(summary, now) }));
  if (items.length === 0) {
    void showInfo(none);
    return undefined;
  }
  const placeHolder = 'Type to search titles';
  return (await pickOne(items, { title, placeHolder, matchOnDescription: true }))?.summary;
}

export function itemOf(summary: SessionSummary, now: number): QuickPickItem {
  const { agent, active, messages } = summary;
  return {
    label: titleWords(summary),
    description: `${agent.name} · ${counted(messages, 'message')} · ${relativeTime(active, now)}`,
  };
}
