// Messages, whole, from the index and the records that it points to, on the disk or in memory. A message whose record is
// gone, or was never there, says so in its place.

import { assemble } from '../../../core/history/assemble.ts';
import { putBack } from '../../../core/history/blobs.ts';
import type { MessageQuery, SessionAudit, StoredSession } from '../../../core/history/history.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import type { BlobRef, Message, MessageId, SessionId } from '../../../model/message.ts';
import type { JournalRecord } from '../../../model/record.ts';
import type { Place } from '../journal/recordPlace.ts';
import { lastSystemPrompt } from './lastSystemPrompt.ts';
import { findSession } from './listSessions.ts';
import { headOf, nodeOf, treeOf, type NodeRow } from './messageTree.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './projection.ts';
import type { RecordStore } from './recordStore.ts';
import { fieldsAt } from './storedFields.ts';

/** Places of more messages are read with all of their session. */
const askedOneByOne = 64;

/** `alive` are the writers that gave a sign of life lately. */
export function openSession(
  store: RecordStore,
  session: SessionId,
  at: MessageId | null = null,
  alive: ReadonlySet<string> = new Set(),
): StoredSession | undefined {
  const summary = findSession(store.db, session);
  if (!summary) return undefined;
  const tree = treeOf(store.db, session);
  const head = at ?? tree.headFrom(headOf(store.db, session));
  if (at !== null && !tree.rows.has(at)) throw new HistoryError('no-message');
  const ids = tree.pathTo(head);
  const messages = readFound(store, session, ids);
  const path = ids.map(id => messages.get(id) ?? unreadable(session, tree.rows.get(id)));
  const before = tree.rows.get(ids[0] ?? '')?.parent ?? null;
  const first = path[0];
  const firstRow = first && tree.rows.get(first.id);
  if (before !== null && !tree.rows.has(before) && firstRow) {
    // Another window may have written it while the files were read one after another.
    if (store.catchUpOn(session)) return openSession(store, session, at, alive);
    path.unshift(unreadable(session, { ...firstRow, id: before, parent: null, label: null }));
  }
  const fields = fieldsAt(store, summary, head, alive);
  // One whose files are gone is shown as ended.
  const writing = path.at(-1)?.end ? null : fields.writing;
  return { ...fields, writing, path, branches: tree.branches(head) };
}

export function readMessages(store: RecordStore, ids: readonly MessageId[]): readonly Message[] {
  const sessions = new Map<SessionId, MessageId[]>();
  for (const id of ids) {
    const session = store.db.all('SELECT session FROM message WHERE id = ?1', [id])[0]?.['session'];
    if (typeof session !== 'string') throw new HistoryError('no-message');
    sessions.set(session, [...(sessions.get(session) ?? []), id]);
  }
  const found = new Map<MessageId, Message>();
  for (const [session, wanted] of sessions) {
    const messages = readFound(store, session, wanted);
    for (const id of wanted) found.set(id, messages.get(id) ?? unreadable(session, nodeOf(store.db, id)));
  }
  return ids.map(id => found.get(id) as Message);
}

export function listMessages(store: RecordStore, query: MessageQuery): readonly Message[] {
  const { session, order, label, limit = -1, offset = 0 } = query;
  const way = order === 'newest' ? 'DESC' : 'ASC';
  const values: SqlValue[] = [limit, offset];
  const narrowed: string[] = [];
  if (session !== undefined) narrowed.push(`session = ?${values.push(session)}`);
  if (label?.endsWith(':')) {
    // The character that comes after the colon.
    narrowed.push(`label >= ?${values.push(label)} AND label < ?${values.push(`${label.slice(0, -1)};`)}`);
  } else if (label !== undefined) narrowed.push(`label = ?${values.push(label)}`);
  const where = narrowed.length > 0 ? `WHERE ${narrowed.join(' AND ')}` : '';
  const rows = store.db.all(
    `SELECT id FROM message ${where} ORDER BY created ${way}, id ${way} LIMIT ?1 OFFSET ?2`,
    values,
  );
  const ids = rows.map(row => String(row['id']));
  return readMessages(store, ids);
}

/** Whole messages by id; what is not in the files is not in the answer. */
export function readFound(
  store: RecordStore,
  session: SessionId,
  ids: readonly MessageId[],
): ReadonlyMap<MessageId, Message> {
  const wanted = new Set(ids);
  const records = store.recordsAt(session, () => placesOf(store.db, session, wanted));
  return assemble(records.flatMap(record => whole(store, session, record).facts));
}

/**
 * How the session began, from the journal: what it is called with, and the system prompts, which nothing else needs
 * to know. Undefined where that is not there. It reads the files of the session.
 */
export function readAudit(store: RecordStore, session: SessionId): SessionAudit | undefined {
  if (store.erasure.hasSession(session)) return undefined;
  const first = store.beginningOf(session);
  const begun = first ? whole(store, session, first).facts.find(fact => fact.type === 'session') : undefined;
  const last = lastSystemPrompt(store, session);
  return begun && last !== undefined ? { ...begun, lastSystemPrompt: last } : begun;
}

export function readBlob(store: RecordStore, session: SessionId, ref: BlobRef): Uint8Array<ArrayBuffer> {
  const bytes = store.blobs.read(session, ref);
  if (!bytes) throw new HistoryError('no-blob');
  return bytes;
}

function whole(store: RecordStore, session: SessionId, record: JournalRecord): JournalRecord {
  return putBack(record, ref => store.blobs.text(session, ref));
}

function placesOf(db: SqlDatabase, session: SessionId, wanted: ReadonlySet<MessageId>): readonly Place[] {
  // A few are asked for one by one; of many, the session's rows are faster. A record may hold facts of several
  // messages, and each of them has to see its own in their order: so all are in the order of the clock.
  const select = 'SELECT message, h, segment, offset, length FROM piece WHERE session = ?1';
  const rows =
    wanted.size < askedOneByOne
      ? [...wanted].flatMap(id => db.all(`${select} AND message = ?2`, [session, id])).toSorted(byClock)
      : db.all(`${select} ORDER BY h`, [session]);
  const places = new Map<string, Place>();
  for (const row of rows) {
    if (!wanted.has(String(row['message']))) continue;
    const place = { segment: String(row['segment']), offset: Number(row['offset']), length: Number(row['length']) };
    places.set(`${place.segment}:${place.offset}`, place);
  }
  return [...places.values()];
}

function byClock(one: SqlRow, other: SqlRow): number {
  return String(one['h']) < String(other['h']) ? -1 : 1;
}

/** A message whose records are not on the disk: something else still knows that it was there, and where. */
function unreadable(session: SessionId, row: NodeRow | undefined): Message {
  const text = 'This message could not be read: it is not in the history folder.';
  return {
    id: row?.id ?? '',
    session,
    parent: row?.parent ?? null,
    role: row?.role ?? 'assistant',
    created: row?.created ?? 0,
    ...(row && row.label !== null ? { label: row.label } : {}),
    blocks: [{ kind: 'notice', mime: 'text/plain', severity: 'error', text }],
    end: { reason: 'failed', at: row?.created ?? 0 },
  };
}
