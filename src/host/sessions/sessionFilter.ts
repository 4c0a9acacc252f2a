// What the tree is filtered for: words in titles and in what was said, agents, labels and days, as in the search of the
// history. Promises: history is searched once for a filter, and after that only for sessions that changed; of a session
// that is there because of what was said, the branches are known on which it was.

import type { History, SearchQuery, SessionSummary } from '../../core/history/history.ts';
import type { SearchFilter } from '../../core/history/searchFilter.ts';
import type { Clock } from '../../core/ports.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { queryOf } from '../search/searchQuery.ts';
import { askForText } from '../notify/inputs.ts';

export interface TreeFilter {
  /** As it was typed. */
  readonly text: string;
  /** Those that fit; what is known of the sessions that were touched is looked up again. */
  readonly keep: (
    sessions: readonly SessionSummary[],
    touched: readonly SessionId[],
  ) => Promise<readonly SessionSummary[]>;
  /** Where in the session it was said; null where all of it is to be shown. */
  readonly messagesIn: (session: SessionId) => Promise<ReadonlySet<MessageId> | null>;
}

export interface FilterPorts {
  readonly history: () => Promise<Pick<History, 'search'>>;
  readonly clock: Clock;
}

/** More sessions are not told apart from one that has it. */
const mostSessions = 100_000;
const mostMessages = 1000;
/** Of more, all are asked for at once. */
const mostTouched = 20;

/** Undefined where the person left it as it was, null where they want to see all. */
export async function askFilter(before: string, ports: FilterPorts): Promise<TreeFilter | null | undefined> {
  const typed = await askForText({
    title: 'Filter Sessions',
    value: before,
    placeHolder: 'retry agent:scout label:work after:7d has:changes with:trash',
    prompt:
      'Words in titles and in what was said. Narrow with agent:, label:, after:, before:, has:, with: or without:. Empty shows all.',
  });
  if (typed === undefined) return undefined;
  return typed.trim() === '' ? null : treeFilter(typed.trim(), ports);
}

export function treeFilter(text: string, { history, clock }: FilterPorts): TreeFilter {
  const { words, filter } = queryOf(`${text} `, clock.now());
  // It is typed to its end, and may still be the beginning of a word.
  const wanted = words.trim();
  let fitting: Set<SessionId> | null = null;
  const search = async (query: SearchQuery) => (await (await history()).search(wanted, { ...query, filter })).hits;
  return {
    text,
    async keep(sessions, touched) {
      if (fitting === null || touched.length > mostTouched) {
        const hits = await search({ limit: mostSessions, perSession: 1 });
        fitting = new Set(hits.map(({ session }) => session));
      } else {
        for (const session of touched) {
          const hits = await search({ session, limit: 1, titles: 1 });
          if (hits.length > 0) fitting.add(session);
          else fitting.delete(session);
        }
      }
      return sessions.filter(({ id }) => fitting?.has(id));
    },
    async messagesIn(session) {
      if (wanted === '' && !hasTime(filter)) return null;
      const hits = await search({ session, limit: mostMessages });
      const messages = hits.flatMap(({ message }) => message ?? []);
      return messages.length === 0 ? null : new Set(messages);
    },
  };
}

function hasTime({ after, before }: SearchFilter): boolean {
  return after !== undefined || before !== undefined;
}
