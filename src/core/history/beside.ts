// The history of a window with the sessions beside it of which nothing is kept: whoever asks for a session by its id, or for
// which ones there are, need not know where it lives. Promises: what is about an incognito session never reaches the disk's
// history, and is refused where it is not in memory; searching, exporting and checking are about what is on the disk, and
// so is what is told of changes: the memory tells its own.

import { isIncognito } from '../../model/incognito.ts';
import type { SessionId } from '../../model/message.ts';
import type { History, SessionHistory, SessionQuery, SessionSummary } from './history.ts';

/** Made when the first incognito session begins, and not before. */
export interface Memory {
  /** Null as long as there was none. */
  readonly begun: () => Promise<SessionHistory> | null;
  readonly begin: () => Promise<SessionHistory>;
}

export function historyBeside(disk: History, memory: Memory): History {
  const of = (session: SessionId): Promise<SessionHistory> =>
    isIncognito(session) ? memory.begin() : Promise.resolve(disk);
  return {
    ...disk,
    append: async (session, facts) => (await of(session)).append(session, facts),
    open: async (session, at) => (await of(session)).open(session, at),
    fields: async session => (await of(session)).fields(session),
    branches: async (session, head) => (await of(session)).branches(session, head),
    audit: async session => (await of(session)).audit(session),
    blob: async (session, ref) => (await of(session)).blob(session, ref),
    tree: async session => (await of(session)).tree(session),
    trash: async (session, branch) => (await of(session)).trash(session, branch),
    restore: async (session, message) => (await of(session)).restore(session, message),
    erase: async (session, branch) => (await of(session)).erase(session, branch),
    async sessions(query = {}) {
      const begun = await memory.begun();
      const own = (await begun?.sessions())?.filter(summary => isAsked(summary, query)) ?? [];
      if (own.length === 0) return disk.sessions(query);
      const { limit, offset = 0, ...rest } = query;
      const kept = await disk.sessions(limit === undefined ? rest : { ...rest, limit: offset + limit });
      const all = [...own, ...kept].toSorted((one, other) => other.active - one.active);
      return all.slice(offset, limit === undefined ? undefined : offset + limit);
    },
    async erased(ids) {
      const [unkept, kept] = [ids.filter(isIncognito), ids.filter(id => !isIncognito(id))];
      const begun = unkept.length > 0 ? await memory.begun() : null;
      return new Set([...((await begun?.erased(unkept)) ?? []), ...(await disk.erased(kept))]);
    },
    async messages(ids) {
      const begun = await memory.begun();
      // All of them are of one session, as everybody asks; whose they are is known where one of them is.
      return begun ? begun.messages(ids).catch(() => disk.messages(ids)) : disk.messages(ids);
    },
  };
}

function isAsked({ trashed, archived, labels, agent }: SessionSummary, query: SessionQuery): boolean {
  return (
    (query.trashed ?? trashed) === trashed &&
    (query.archived ?? archived) === archived &&
    (query.label === undefined || labels.includes(query.label)) &&
    (query.agent ?? agent.id) === agent.id
  );
}
