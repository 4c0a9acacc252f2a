// How much a search looked through, for whoever has to say what it means that nothing was found.

import type { SearchQuery, SearchResult } from '../../../core/history/history.ts';
import { fitsTime } from '../../../core/history/searchFilter.ts';
import { findSession, listSessions } from '../index/listSessions.ts';
import { treeOf } from '../index/messageTree.ts';
import type { SqlDatabase } from '../index/projection.ts';
import type { ProseTables } from './proseTables.ts';
import type { Places } from './searchHits.ts';
import { Slices } from './slices.ts';

/** The sessions and messages that would have been found if they had the words. Without tables no message was looked at. */
export async function countSearched(
  tables: ProseTables | null,
  db: SqlDatabase,
  { session }: Pick<SearchQuery, 'session'>,
  places: Places,
): Promise<NonNullable<SearchResult['searched']>> {
  const slices = new Slices();
  const { filter } = places;
  const summaries = session === undefined ? listSessions(db) : [findSession(db, session)];
  let [sessions, messages] = [0, 0];
  for (const summary of summaries) {
    if (!summary || !places.fits(summary)) continue;
    const tree = treeOf(db, summary.id);
    const searched = [...(tables?.messagesOf(summary.id).keys() ?? [])].filter(id => {
      const row = tree.rows.get(id);
      return row !== undefined && fitsTime(row.created, filter) && (filter.trash === true || !tree.isTrashed(id));
    });
    if (searched.length > 0 || fitsTime(summary.active, filter)) sessions++;
    messages += searched.length;
    await slices.rest();
  }
  return { sessions, messages };
}
