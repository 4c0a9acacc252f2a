// The end of a long session, read before all of it is: what a person sees while the rest is read. It walks up from the head
// and reads those messages only; where one of them is missing there is no such end, and the whole is opened.

import type { StoredEnd } from '../../../core/history/history.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';
import { firstGiven } from '../../../model/portions.ts';
import { readFound } from './readMessages.ts';
import type { RecordStore } from './recordStore.ts';
import { storedFields } from './storedFields.ts';

/** One with fewer messages is opened as fast. */
const fewest = 200;

export function openEnd(store: RecordStore, session: SessionId, alive: ReadonlySet<string>): StoredEnd | null {
  const { db } = store;
  const fields = storedFields(store, session, alive);
  if (!fields || fields.messages < fewest) return null;
  const earlier = firstGiven(fields.messages);
  const ids: MessageId[] = [];
  for (let id = fields.head; id !== null && ids.length < fields.messages - earlier;) {
    const [row] = db.all('SELECT parent, label FROM message WHERE id = ?1 AND session = ?2', [id, session]);
    if (!row || row['label'] !== null) return null;
    ids.unshift(id);
    id = typeof row['parent'] === 'string' ? row['parent'] : null;
  }
  const found = readFound(store, session, ids);
  const path = ids.flatMap(id => found.get(id) ?? []);
  return path.length === 0 || path.length < ids.length ? null : { ...fields, earlier, path };
}
