// What narrows a search besides its words, and which sessions fit. Pure, so that a list that is drawn at once and the
// engine that answers a moment later leave out the same. Whether files were changed only the journal knows: that is asked
// of whoever reads it.

import { lowered } from './caseless.ts';
import type { SessionSummary } from './history.ts';

/** Each one that is given narrows the search. */
export interface SearchFilter {
  /** A part of the agent's name or id, in any case. */
  readonly agent?: string;
  /** A part of one of the session's labels each, in any case. */
  readonly labels?: readonly string[];
  /** When it was said, in milliseconds: from the first on, and before the second. */
  readonly after?: number;
  readonly before?: number;
  /** Only sessions in which files were changed. */
  readonly changes?: boolean;
  /** Whether those that were put away are left out. */
  readonly noArchive?: boolean;
  /** Whether what is in the trash is looked through too. */
  readonly trash?: boolean;
}

export function fitsSession(
  { agent, labels, archived, trashed }: Pick<SessionSummary, 'agent' | 'labels' | 'archived' | 'trashed'>,
  filter: SearchFilter,
): boolean {
  if (trashed && !filter.trash) return false;
  if (archived && filter.noArchive) return false;
  const has = (text: string, part: string) => lowered(text).includes(lowered(part));
  const part = filter.agent ?? '';
  if (part !== '' && !has(agent.name, part) && !has(agent.id, part)) return false;
  return (filter.labels ?? []).every(wanted => labels.some(label => has(label, wanted)));
}

export function fitsTime(at: number, { after = -Infinity, before = Infinity }: SearchFilter): boolean {
  return at >= after && at < before;
}
