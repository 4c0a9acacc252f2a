// The rows of the search of the history, pure: what can be typed where nothing is, the sessions whose title fits at once,
// and what the engine found, each with the place where it stands. Promises: what is in the trash, in the archive, on a
// branch that was left, or was said by a subagent says so; the words that were found are marked, by VS Code where it can
// find them in one piece, else by « ».

import { lowered } from '../../core/history/caseless.ts';
import type { SearchHit, SessionSummary } from '../../core/history/history.ts';
import { fitsSession, fitsTime } from '../../core/history/searchFilter.ts';
import { findInTitle, termsOf } from '../../core/history/wordQuery.ts';
import { relativeTime } from '../sessions/sessionAge.ts';
import { counted, titleWords } from '../sessions/sessionRows.ts';
import { traceName } from '../sessions/traceName.ts';
import { written, type TypedQuery } from './searchQuery.ts';

export interface SearchRow {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly icon: string;
  /** What it opens, */
  readonly hit?: Pick<SearchHit, 'session' | 'message' | 'where'>;
  /** or what stands in the field after it was chosen. */
  readonly typed?: string;
}

const mostTitles = 20;
const mostOffers = 8;
/** Only what is first seen of a prompt or an answer. */
const speakers = { user: 'You', summary: 'Summary' } as const;

const hints: readonly (readonly [typed: string, words: string, icon: string])[] = [
  ['agent:', 'the sessions of one agent', 'hubot'],
  ['label:', 'the sessions with a label', 'tag'],
  ['after:', 'said since a day: 2026-11-18, today, yesterday, 7d, 2w', 'calendar'],
  ['before:', 'said before a day', 'calendar'],
  ['has:changes', 'sessions in which files were changed', 'diff'],
  ['without:archive', 'leaves out what is archived', 'archive'],
  ['with:trash', 'looks into the trash too', 'trash'],
];

/** What can narrow the search: shown where nothing is typed, and while a filter is. */
export function hintRows(text: string): readonly SearchRow[] {
  const before = text.trim() === '' ? '' : `${text.trim()} `;
  return hints.map(([typed, words, icon]) => ({
    label: typed,
    description: words,
    icon,
    typed: `${before}${typed}${typed.endsWith(':') ? '' : ' '}`,
  }));
}

/** What the filter that is being typed may become. */
export function offerRows(
  text: string,
  { typing }: TypedQuery,
  sessions: readonly SessionSummary[],
): readonly SearchRow[] {
  if (!typing) return [];
  const { name, value, at } = typing;
  const names: Partial<Record<typeof name, readonly string[]>> = {
    agent: sessions.map(({ agent }) => agent.name),
    label: sessions.flatMap(({ labels }) => labels),
    after: ['today', 'yesterday', '7d', '30d'],
    before: ['today', 'yesterday', '7d', '30d'],
    has: ['changes'],
    with: ['trash'],
    without: ['archive'],
  };
  const counts = new Map<string, number>();
  for (const one of names[name] ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isOfSessions = name === 'agent' || name === 'label';
  return [...counts]
    .filter(([one]) => lowered(one).includes(lowered(value)) && lowered(one) !== lowered(value))
    .slice(0, mostOffers)
    .map(([one, count]) => ({
      label: written(name, one),
      description: isOfSessions ? counted(count, 'session') : '',
      icon: 'filter',
      typed: `${text.slice(0, at)}${written(name, one)} `,
    }));
}

/** At once, from what is known of the sessions: those whose title has every word; all of them where there is no word. */
export function titleRows(
  sessions: readonly SessionSummary[],
  { words, filter }: TypedQuery,
  now: number,
  most = mostTitles,
): readonly SearchRow[] {
  // Whether files were changed only the engine can say.
  if (filter.changes) return [];
  const terms = termsOf(words);
  return sessions
    .filter(summary => fitsSession(summary, filter) && fitsTime(summary.active, filter))
    .filter(({ title }) => findInTitle(title, terms).every(found => found.length > 0))
    .slice(0, most)
    .map(summary => ({
      label: titleWords(summary),
      description: [
        summary.agent.name,
        counted(summary.messages, 'message'),
        relativeTime(summary.active, now),
        ...put(summary),
      ].join(' · '),
      icon: 'comment-discussion',
      hit: { session: summary.id, message: null, where: placeOf(summary) },
    }));
}

/** What the engine found, in its order. */
export function hitRows(hits: readonly SearchHit[], typed: string, now: number): readonly SearchRow[] {
  return hits.map(hit => {
    const { session, message, where, role, created } = hit;
    const when = relativeTime(created, now);
    const opens = { session, message, where };
    if (message === null) {
      const description = [where.agent, when, ...put(where)].join(' · ');
      return { label: titleWords(hit), description, icon: 'comment-discussion', hit: opens };
    }
    const speaker = where.label === null ? (speakers[role as 'user'] ?? where.agent) : traceName(where.label);
    const branch = where.branch === null ? 'another branch' : `branch “${where.branch}”`;
    const places = [...(where.dormant ? [branch] : []), ...put(where)];
    return {
      label: speaker,
      // The title may be long: what is behind it is cut first.
      description: [when, ...places, titleWords(hit)].join(' · '),
      detail: marked(hit, typed),
      icon: where.label !== null ? 'type-hierarchy-sub' : role === 'user' ? 'account' : 'comment',
      hit: opens,
    };
  });
}

function put({ archived, trashed }: { readonly archived: boolean; readonly trashed: boolean }): readonly string[] {
  return [...(archived ? ['archived'] : []), ...(trashed ? ['in the trash'] : [])];
}

function placeOf({ agent, archived, trashed }: SessionSummary): SearchHit['where'] {
  return { agent: agent.name, archived, trashed, dormant: false, branch: null, label: null };
}

/** VS Code marks what is typed where it finds its words in their order; what it cannot find is marked here. */
export function marked({ snippet, marks }: Pick<SearchHit, 'snippet' | 'marks'>, typed: string): string {
  const text = lowered(snippet);
  let from = 0;
  const isMarked = lowered(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every(word => {
      const at = text.indexOf(word, from);
      from = at + word.length;
      return at >= 0;
    });
  if (isMarked) return snippet;
  let shown = '';
  let done = 0;
  for (const { at, length } of marks) {
    shown += `${snippet.slice(done, at)}«${snippet.slice(at, at + length)}»`;
    done = at + length;
  }
  return shown + snippet.slice(done);
}
