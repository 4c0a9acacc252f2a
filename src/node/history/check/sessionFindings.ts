// What is wrong with one session after its files were read and compared with the index: its records, its messages, its
// blobs. It changes nothing.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as say from '../../../core/history/findings.ts';
import type { Finding } from '../../../core/history/history.ts';
import type { SqlDatabase } from '../index/projection.ts';
import { fieldKey, fieldsOf } from '../index/sessionSummary.ts';
import type { SessionId } from '../../../model/message.ts';
import { blobsBefore, readBlobs } from './blobCheck.ts';
import { day, hour } from './leftovers.ts';
import { claimedName, parseSegmentName } from '../journal/segmentName.ts';
import type { IndexIs, SessionCheck } from './sessionCheck.ts';
import type { Store } from '../store.ts';

export interface Moment {
  readonly now: number;
  /** The writers that gave a sign of life lately. */
  readonly alive: ReadonlySet<string>;
}

export interface SessionFindings {
  readonly findings: readonly Finding[];
  readonly isBegun: boolean;
  readonly messages: number;
  readonly bytes: number;
  readonly missingBlobs: readonly string[];
  readonly unnamedBlobs: readonly string[];
  /** Files that somebody began to join, and that are still there. */
  readonly claimed: readonly string[];
}

/** `rows` are those that the check made. */
export async function findingsOf(
  store: Store,
  rows: SqlDatabase,
  check: SessionCheck,
  index: IndexIs,
  { now, alive }: Moment,
): Promise<SessionFindings> {
  const { session } = check;
  const of = say.sessionWords(titleIn(rows, session) || titleIn(store.db, session));
  const findings: Finding[] = [];
  const segments = [...check.segments];
  for (const [segment, { bad: badRecords, newer, erased, tail, failure }] of segments) {
    const bad = badRecords + check.gaps(segment);
    const writer = parseSegmentName(segment)?.writer ?? '';
    if (failure !== null) findings.push(say.unreadableFile(of, failure, segment));
    if (bad > 0) findings.push(say.badRecords(of, bad, segment));
    if (tail) findings.push(say.unfinishedTail(of, alive.has(writer) && writer !== store.writer, segment));
    if (newer > 0) findings.push(say.newerRecords(of, newer, segment));
    if (erased > 0) findings.push(say.notErased(of, segment));
  }
  const messages = check.count('SELECT count(*) AS count FROM message WHERE session = ?1');
  const isBegun = check.count('SELECT count(created) AS count FROM session WHERE id = ?1') > 0;
  const parents = check.count(missingParents);
  const beginnings = check.count(missingBeginnings);
  const isEmpty = check.count('SELECT count(*) AS count FROM session WHERE id = ?1') === 0;
  if (!isBegun && !isEmpty) findings.push(say.missingSession(of, messages));
  if (parents > 0) findings.push(say.missingParents(of, parents));
  if (beginnings > 0) findings.push(say.missingBeginnings(of, beginnings));
  // Of what cannot be read, the index may say more than the files.
  const isRead = segments.every(([, { failure }]) => failure === null);
  if (isRead && (index === 'different' || index === 'behind')) findings.push(say.indexDiffers(of));
  const claimed = segments.flatMap(([segment]) => {
    const file = join(store.journal, claimedName(segment));
    // The name was changed then; the content was not.
    const since = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity;
    return now - since > hour ? [claimedName(segment)] : [];
  });
  if (claimed.length > 0) findings.push(say.claimedFiles(of, claimed, check.isWhole && segments.length > 1));

  const folder = join(store.blobs.folder, session);
  const blobs = await readBlobs(folder, check.blobs);
  if (blobs.missing.length > 0) findings.push(say.missingBlobs(of, blobs.missing));
  if (blobs.damaged.length > 0) findings.push(say.damagedBlobs(of, blobs.damaged));
  for (const { file, failure } of blobs.unreadable) findings.push(say.unreadableFile(of, failure, file));
  // What is damaged, newer or gone may have named them.
  const isComplete = segments.length > 0 && check.isWhole && isBegun && parents === 0 && beginnings === 0;
  const unnamedBlobs = isComplete ? blobsBefore(folder, now - day).filter(name => !check.blobs.has(name)) : [];
  if (unnamedBlobs.length > 0) findings.push(say.unnamedBlobs(of, unnamedBlobs));
  const read = segments.reduce((bytes, [, { position, tail }]) => bytes + position + (tail?.length ?? 0), 0);
  return { findings, isBegun, messages, bytes: read + blobs.bytes, missingBlobs: blobs.missing, unnamedBlobs, claimed };
}

const missingParents = `SELECT count(*) AS count FROM message WHERE session = ?1 AND parent IS NOT NULL
  AND NOT EXISTS(SELECT 1 FROM message AS above WHERE above.id = message.parent AND above.session = ?1)`;
const missingBeginnings = `SELECT count(DISTINCT message) AS count FROM piece WHERE session = ?1
  AND NOT EXISTS(SELECT 1 FROM message WHERE id = piece.message AND session = ?1)`;

function titleIn(db: SqlDatabase, session: SessionId): string {
  const fields = fieldsOf(db, session);
  const titles = [fields.get(fieldKey('givenTitle')), fields.get(fieldKey('title'))];
  return titles.flatMap(title => (typeof title === 'string' && title !== '' ? [title] : []))[0] ?? '';
}
