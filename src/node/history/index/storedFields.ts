// What a session is set to, beside its messages: all that is stored of it without a path.

import type { SessionSummary, StoredFields } from '../../../core/history/history.ts';
import type { Json, MessageId, SessionId } from '../../../model/message.ts';
import type { FieldName } from '../../../model/record.ts';
import { ownerOf } from '../../ids.ts';
import { parseSegmentName } from '../journal/segmentName.ts';
import { leftQueue } from './leftQueue.ts';
import { findSession } from './listSessions.ts';
import { headOf, treeOf, trashedIn } from './messageTree.ts';
import type { SqlDatabase } from './projection.ts';
import type { RecordStore } from './recordStore.ts';
import { fieldKey, fieldsOf, totalsOf } from './sessionSummary.ts';

/** Reads no message, and the rows of the session's messages only where the head is not where it was set. */
export function storedFields(
  store: RecordStore,
  session: SessionId,
  alive: ReadonlySet<string>,
): StoredFields | undefined {
  const { db } = store;
  const summary = findSession(db, session);
  if (!summary) return undefined;
  const set = headOf(db, session);
  const head = set !== null && isShown(db, session, set) ? set : treeOf(db, session).headFrom(set);
  return fieldsAt(store, summary, head, alive);
}

/** `alive` are the writers that gave a sign of life lately. */
export function fieldsAt(
  store: RecordStore,
  summary: SessionSummary,
  head: MessageId | null,
  alive: ReadonlySet<string>,
): StoredFields {
  const { id } = summary;
  const fields = fieldsOf(store.db, id);
  const given = fields.get(fieldKey('givenTitle'));
  return {
    ...summary,
    totals: totalsOf(store.db, id),
    ...leftQueue(store, id, fields.get(fieldKey('queue')) ?? null, alive),
    named: typeof given === 'string',
    bindings: valuesOf(store, id, 'binding'),
    options: valuesOf(store, id, 'option'),
    decisions: valuesOf(store, id, 'decision'),
    head,
    writing: head !== null && isWritten(store, id, head, alive) ? head : null,
  };
}

/** Surely a message of the conversation that is not in the trash; where something is, it isn't looked up. */
function isShown(db: SqlDatabase, session: SessionId, id: MessageId): boolean {
  if (trashedIn(db, session).size > 0) return false;
  const where = 'id = ?1 AND session = ?2 AND label IS NULL';
  return db.all(`SELECT 1 FROM message WHERE ${where}`, [id, session]).length > 0;
}

/** Of a field that a session has many of, each as it was last set, the newest first. */
function valuesOf({ db }: RecordStore, session: SessionId, name: FieldName): readonly Json[] {
  const rows = db.all(
    // The value of the row with the greatest clock, as SQLite has it.
    'SELECT value, max(h) AS last FROM field WHERE session = ?1 AND name = ?2 GROUP BY of ORDER BY last DESC',
    [session, name],
  );
  return rows.map(({ value }) => JSON.parse(String(value)) as Json);
}

/** Whether the message has no end, and another window that is alive began it. */
function isWritten(store: RecordStore, session: SessionId, message: MessageId, alive: ReadonlySet<string>): boolean {
  const rows = store.db.all('SELECT segment, closes FROM piece WHERE session = ?1 AND message = ?2', [
    session,
    message,
  ]);
  if (rows.some(({ closes }) => closes === 1)) return false;
  const writers = rows.map(({ segment }) => parseSegmentName(String(segment))?.writer);
  const owner = ownerOf(store.writer);
  return writers.some(writer => writer !== undefined && ownerOf(writer) !== owner && alive.has(writer));
}
