// What the tree says of sessions: in which group each stands, and what its row and its tooltip read. Pure: it shapes what
// history says and what is known of this window, and is the same for the same answers.

import { isImported } from '../../core/exchange/exchange.ts';
import type { SessionSummary, Totals } from '../../core/history/history.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { Cost, SessionId } from '../../model/message.ts';
import { groupOf, relativeTime, type AgeGroup } from './sessionAge.ts';

export type Group = 'Incognito' | 'Pinned' | AgeGroup | 'Archived' | 'Trash';

/** Sessions of one group, in the order in which history lists them. */
export interface Section {
  readonly group: Group;
  readonly sessions: readonly SessionId[];
}

/** What only this window knows of a session. */
export type Doing = 'nothing' | 'running' | 'needsPerson';

export interface SessionRow {
  readonly label: string;
  readonly description: string;
  readonly icon: { readonly name: string; readonly color?: string };
  /** The menus of the manifest look for its words. */
  readonly context: string;
  /** For a screen reader, which sees no icon. */
  readonly spoken: string;
}

const groups: readonly Group[] = [
  'Incognito',
  'Pinned',
  'Today',
  'Yesterday',
  'Last 7 days',
  'Older',
  'Trash',
  'Archived',
];
export const foldedGroups: ReadonlySet<Group> = new Set(['Archived', 'Trash']);

/** Groups that nothing stands in are left out. */
export function sectionsOf(sessions: readonly SessionSummary[], now: number): readonly Section[] {
  const found = new Map<Group, SessionId[]>(groups.map(group => [group, []]));
  for (const summary of sessions) found.get(sectionOf(summary, now))?.push(summary.id);
  return [...found].flatMap(([group, ids]) => (ids.length > 0 ? [{ group, sessions: ids }] : []));
}

/** What was put away stands there, whatever else it is. */
export function sectionOf(summary: SessionSummary, now: number): Group {
  if (isIncognito(summary.id)) return 'Incognito';
  if (summary.trashed) return 'Trash';
  if (summary.archived) return 'Archived';
  return summary.pinned ? 'Pinned' : groupOf(summary.active, now);
}

/** `folder` is the one in which it works, where there are several. */
export function sessionRow(
  summary: SessionSummary,
  doing: Doing,
  now: number,
  folder: string | null = null,
): SessionRow {
  const { agent, active, trashed, archived, pinned, labels } = summary;
  const label = titleWords(summary);
  const when = doing === 'needsPerson' ? 'needs you' : doing === 'running' ? 'running' : relativeTime(active, now);
  const imported = isImported(summary.origin) ? ['imported'] : [];
  // Before the agent: at the end of a narrow row it would not be seen.
  const said = [...(folder === null ? [] : [folder]), agent.name, ...imported];
  const description = [when, ...said, ...labels.map(one => `#${one}`)].join(' · ');
  const isUnkept = isIncognito(summary.id);
  const flags = [pinned ? 'pinned' : '', archived ? 'archived' : '', isUnkept ? 'incognito' : ''].filter(Boolean);
  return {
    label,
    description,
    icon: iconOf(summary, doing),
    context: isUnkept ? 'incognitoSession' : trashed ? 'trashedSession' : ['session', ...flags].join('.'),
    spoken: [label, when, ...said, ...labels, ...flags].join(', '),
  };
}

function iconOf({ id, trashed, archived, pinned }: SessionSummary, doing: Doing): SessionRow['icon'] {
  if (doing === 'needsPerson') return { name: 'bell-dot', color: 'list.warningForeground' };
  if (doing === 'running') return { name: 'loading~spin' };
  if (isIncognito(id)) return { name: 'eye-closed' };
  if (trashed) return { name: 'trash' };
  if (archived) return { name: 'archive' };
  return { name: pinned ? 'pinned' : 'comment-discussion' };
}

const nothingSpent: Totals = { inputTokens: 0, outputTokens: 0, costs: [] };

/** Asked for late, when somebody rests on the row: plain text, for a title may hold anything. */
export function tooltipOf(summary: SessionSummary, totals: Totals = nothingSpent): readonly string[] {
  const { agent, model, created, active, messages, labels, expires, trashed, cwd } = summary;
  const { inputTokens, outputTokens, costs } = totals;
  const tokens = inputTokens + outputTokens > 0 ? `${number(inputTokens)} tokens in, ${number(outputTokens)} out` : '';
  return [
    titleWords(summary),
    model === null ? agent.name : `${agent.name} · ${model}`,
    `Created ${new Date(created).toLocaleString()}`,
    `Last active ${new Date(active).toLocaleString()}`,
    [counted(messages, 'message'), tokens, ...costs.map(money)].filter(Boolean).join(' · '),
    cwd === null ? '' : `Works in ${cwd}`,
    labels.length > 0 ? `Labels: ${labels.join(', ')}` : '',
    expires === null || trashed ? '' : `Put away on ${new Date(expires).toLocaleDateString()}`,
  ].filter(Boolean);
}

export function titleWords({ title }: Pick<SessionSummary, 'title'>): string {
  return title || 'New session';
}

export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : /(?:s|ch)$/.test(noun) ? 'es' : 's'}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function money({ amount, currency }: Cost): string {
  // Below a cent, two places would say that it was free.
  return `${amount.toFixed(amount !== 0 && Math.abs(amount) < 0.01 ? 4 : 2)} ${currency}`;
}
