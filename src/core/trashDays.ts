// Which sessions have been in the trash for as many days as the person set. Pure. Promises: without a number nothing is due;
// the days count from when a session went to the trash, and again where something was said in it after that; of a stretch
// in which nobody looked at the clock at most two weeks count, so that a clock that jumped empties no trash; what is open,
// and what the person left in the trash when it was due, is not due.

import { isIncognito } from '../model/incognito.ts';
import type { SessionId } from '../model/message.ts';
import type { SessionSummary } from './history/history.ts';

/** What the windows of one history know of the time that passed. */
export interface TrashWatch {
  /** When somebody looked last. */
  readonly at: number;
  /** Stretches in which nobody looked that were longer than those that count whole. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** When the person was last asked, and about how many days. */
  readonly asked?: { readonly days: number; readonly at: number };
}

export interface InTrash {
  readonly summary: SessionSummary;
  readonly since: number;
}

/** In the metadata of a session: since when it is in the trash in which the person left it. */
export const leftInTrashKey = 'throughline.leftInTrash';

const day = 86_400_000;
/** Of longer stretches no more counts. */
const longest = 14 * day;
const mostGaps = 50;
/** After an answer nobody is asked again at once, however much falls due. */
const askAgainAfter = day;

export function watched(before: TrashWatch | null, now: number): TrashWatch {
  if (!before) return { at: now, gaps: [] };
  const gap = now - before.at > longest ? [{ from: before.at, to: now }] : [];
  return { ...before, at: now, gaps: [...before.gaps, ...gap].slice(-mostGaps) };
}

export function dueInTrash(
  sessions: readonly SessionSummary[],
  since: ReadonlyMap<SessionId, number>,
  days: number,
  { gaps, at: now }: TrashWatch,
  isOpen: (session: SessionId) => boolean,
): readonly InTrash[] {
  if (days <= 0) return [];
  return sessions.flatMap((summary): readonly InTrash[] => {
    const { id, trashed, active, metadata } = summary;
    const from = since.get(id);
    if (!trashed || from === undefined || isIncognito(id) || isOpen(id) || metadata[leftInTrashKey] === from) return [];
    const begin = Math.max(from, active);
    const unseen = gaps.map(gap => Math.max(0, gap.to - Math.max(gap.from, begin) - longest));
    const age = now - begin - unseen.reduce((sum, one) => sum + one, 0);
    return age >= days * day ? [{ summary, since: from }] : [];
  });
}

export function mayAsk({ asked, at: now }: TrashWatch, days: number): boolean {
  return asked?.days !== days || now < asked.at || now >= asked.at + askAgainAfter;
}
