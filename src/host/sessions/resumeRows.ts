// The rows of the resume picker, pure: sessions whose title has every typed word, most recent first, and below them where
// the words were said. VS Code's own filter is left out: it knows titles only.

import type { SearchHit, SessionSummary } from '../../core/history/history.ts';
import { lowered } from '../../core/history/caseless.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { relativeTime } from './sessionAge.ts';
import { counted, titleWords } from './sessionRows.ts';

export interface ResumeRow {
  readonly session: SessionId;
  /** The branch that it opens at; null where the session was left. */
  readonly leaf: MessageId | null;
  readonly label: string;
  readonly description: string;
  /** Of a hit: the words around it. */
  readonly snippet?: string;
}

const speakers = { user: 'You', summary: 'Summary' } as const;

/** More are no help in a list: whoever needs them types another word. */
const mostTitles = 200;

export function titleRows(sessions: readonly SessionSummary[], typed: string, now: number): readonly ResumeRow[] {
  const words = lowered(typed).split(/\s+/).filter(Boolean);
  return sessions
    .filter(({ trashed, title }) => !trashed && words.every(word => lowered(title).includes(word)))
    .toSorted((one, other) => other.active - one.active)
    .slice(0, mostTitles)
    .map(summary => ({
      session: summary.id,
      leaf: null,
      label: titleWords(summary),
      description: [
        summary.agent.name,
        counted(summary.messages, 'message'),
        relativeTime(summary.active, now),
        ...(summary.archived ? ['archived'] : []),
      ].join(' · '),
    }));
}

/**
 * Hits in titles are left out: those are rows already. Called by who said it, for VS Code sorts rows by how well their
 * label fits what is typed, and titles come first.
 */
export function hitRows(hits: readonly SearchHit[], now: number): readonly ResumeRow[] {
  return hits
    .filter(({ message }) => message !== null)
    .map(({ session, leaf, snippet, title, created, role, where }) => ({
      session,
      leaf,
      label: speakers[role as 'user'] ?? where.agent,
      description: `${titleWords({ title })} · ${relativeTime(created, now)}`,
      snippet,
    }));
}
