// Goes over the whole history folder, session by session, and says what it found and where a repair has something to do.
// Promises: it changes nothing; whatever another window may just have been in the middle of is looked at again before it
// is believed; memory is bounded by the largest session's rows and by the names of the blobs.

import { setTimeout as pause } from 'node:timers/promises';
import type { CheckReport } from '../../../core/history/history.ts';
import { schema, type SqlDatabase } from '../index/projection.ts';
import type { SessionId } from '../../../model/message.ts';
import { leftoversOf, type Leftovers } from './leftovers.ts';
import { parseSegmentName, segmentsIn } from '../journal/segmentName.ts';
import { SessionCheck, type IndexIs } from './sessionCheck.ts';
import { findingsOf, type Moment, type SessionFindings } from './sessionFindings.ts';
import type { Store } from '../store.ts';

/** Longer than another window's news take to come; and where no other window gives a sign, and nothing is new. */
const newsTake = 1500;
const quietTakes = 200;

export interface Examined {
  readonly report: CheckReport;
  readonly sessions: ReadonlyMap<SessionId, SessionExamined>;
  readonly leftovers: Leftovers;
}

export interface SessionExamined extends SessionFindings {
  readonly check: SessionCheck;
  readonly index: IndexIs;
}

export async function examine(store: Store, moment: Moment): Promise<Examined> {
  const rows = store.newDatabase();
  try {
    rows.exec(schema);
    let segments = segmentsBySession(store);
    const sessions = new Map<SessionId, SessionExamined>();
    for (const session of new Set([...segments.keys(), ...indexed(store.db)])) {
      sessions.set(session, await examineSession(store, rows, session, segments.get(session) ?? [], moment, 0));
    }
    let leftovers = leftoversOf(store, new Set(segments.keys()), moment.now);
    const suspects = [...sessions].filter(([, { findings, index }]) => findings.length > 0 || index !== 'same');
    if (suspects.length > 0 || leftovers.findings.length > 0) {
      const isQuiet = suspects.every(([, { index }]) => index === 'same') && isAlone(store, moment);
      await pause(isQuiet ? quietTakes : newsTake);
      segments = segmentsBySession(store);
      for (const [session] of suspects) {
        sessions.set(session, await examineSession(store, rows, session, segments.get(session) ?? [], moment, 8));
      }
      leftovers = leftoversOf(store, new Set(segments.keys()), moment.now);
    }
    return { report: reportOf([...sessions.values()], leftovers), sessions, leftovers };
  } finally {
    rows.close();
  }
}

/** As often is read again what moves under it; what a look finds that is not the last one may pass. */
async function examineSession(
  store: Store,
  rows: SqlDatabase,
  session: SessionId,
  segments: readonly string[],
  moment: Moment,
  again: number,
): Promise<SessionExamined> {
  for (let look = 0, listed = segments; ; look++) {
    const check = new SessionCheck(store, rows, session);
    await check.read(listed);
    let index = check.compare();
    for (let wait = 0; wait < again * 4 && index === 'behind'; wait++) {
      await pause(50);
      index = check.compare();
    }
    const found = await findingsOf(store, rows, check, index, moment);
    if (again > 0 && found.missingBlobs.length > 0) {
      // An eraser takes them just before the files that name them.
      await pause(quietTakes);
      if (check.hasMoved()) index = 'moved';
    }
    if (index !== 'moved') return { check, index, ...found };
    // Somebody joins or erases in it all the time: what was read is not what is there.
    if (look === again) return { check, index, ...found, findings: [] };
    await pause(quietTakes);
    listed = segmentsBySession(store).get(session) ?? [];
  }
}

/** What is erased is not read; it is left over, where it is there. */
export function segmentsBySession({ journal, erasure }: Store): ReadonlyMap<SessionId, readonly string[]> {
  const segments = new Map<SessionId, string[]>();
  for (const segment of segmentsIn(journal)) {
    const session = parseSegmentName(segment)?.session ?? '';
    if (!erasure.hasSession(session)) segments.set(session, [...(segments.get(session) ?? []), segment]);
  }
  return segments;
}

function isAlone({ writer }: Store, { alive }: Moment): boolean {
  return [...alive].every(other => other === writer);
}

/** Every session of which the index has a row, with files or without. */
function indexed(db: SqlDatabase): readonly SessionId[] {
  const rows = db.all(
    `SELECT id FROM session UNION SELECT session FROM message UNION SELECT session FROM field
      UNION SELECT session FROM piece UNION SELECT session FROM usage`,
    [],
  );
  return rows.map(row => String(row['id']));
}

function reportOf(sessions: readonly SessionExamined[], leftovers: Leftovers): CheckReport {
  const segments = sessions.flatMap(({ check }) => [...check.segments.values()]);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    segments: segments.length,
    records: sum(segments.map(({ records }) => records)),
    sessions: sessions.filter(({ isBegun }) => isBegun).length,
    messages: sum(sessions.map(({ messages }) => messages)),
    blobs: sum(sessions.map(({ check }) => check.blobs.size)),
    bytes: sum(sessions.map(({ bytes }) => bytes)),
    findings: [...sessions.flatMap(({ findings }) => findings), ...leftovers.findings],
  };
}
