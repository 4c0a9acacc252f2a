// What a session is set to, beside its messages: all that is stored of it without a path.

import type { SessionSummary, StoredFields } from '../../../core/history/history.ts';
import { fieldKey, totalsOf, type Fields } from './sessionSummary.ts';
import type { Json, MessageId, SessionId } from '../../../model/message.ts';
import type { FieldName } from '../../../model/record.ts';
import { ownerOf } from '../../ids.ts';
import { parseSegmentName } from '../journal/segmentName.ts';
import { leftQueue } from './leftQueue.ts';
import type { RecordStore } from './queries.ts';

/** `alive` are the writers that gave a sign of life lately. */
export function storedFields(
  store: RecordStore,
  summary: SessionSummary,
  fields: Fields,
  head: MessageId | null,
  alive: ReadonlySet<string>,
): StoredFields {
  const { id } = summary;
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
