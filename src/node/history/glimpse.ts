// The end of a long session, read before all of it is: what a person sees while the whole is opened. Promises: it walks up
// from the head and reads those messages only; where anything is not plain, as a head in the trash, there is none, and
// the whole is waited for.

import type { Glimpse } from '../../core/history/history.ts';
import { firstGiven } from '../../model/portions.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { Queries } from './queries.ts';
import type { SqlDatabase } from '../../core/history/projection.ts';

/** One with fewer messages is opened as fast. */
const fewest = 200;

export function glimpse(db: SqlDatabase, queries: Queries, session: SessionId): Glimpse | null {
  const summary = queries.summary(session);
  if (!summary || summary.messages < fewest) return null;
  const earlier = firstGiven(summary.messages);
  const trashed = queries.trashedIn(session);
  const ids: MessageId[] = [];
  for (let id = queries.headOf(session); id !== null && ids.length < summary.messages - earlier;) {
    const [row] = db.all('SELECT parent, label FROM message WHERE id = ?1 AND session = ?2', [id, session]);
    if (!row || row['label'] !== null || trashed.has(id)) return null;
    ids.unshift(id);
    id = typeof row['parent'] === 'string' ? row['parent'] : null;
  }
  const found = queries.read(session, ids);
  const messages = ids.flatMap(id => found.get(id) ?? []);
  if (messages.length === 0 || messages.length < ids.length) return null;
  return { title: summary.title, agent: summary.agent, trashed: summary.trashed, earlier, messages };
}
