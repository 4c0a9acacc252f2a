// How much there is to read of each session, for a progress that has an end.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../../model/message.ts';
import { parseSegmentName, segmentsIn, withFile } from '../journal/segmentName.ts';

export interface SegmentSize {
  readonly name: string;
  readonly size: number;
}

/** The segments of each session; those of a writer in the order in which it wrote them. */
export function segmentSizes(journal: string): ReadonlyMap<SessionId, readonly SegmentSize[]> {
  const sessions = new Map<SessionId, SegmentSize[]>();
  const numberOf = (name: string) => parseSegmentName(name)?.k ?? 0;
  for (const name of segmentsIn(journal).toSorted((one, other) => numberOf(one) - numberOf(other))) {
    const session = parseSegmentName(name)?.session ?? '';
    const segment = { name, size: orNothing(() => withFile(journal, name, file => statSync(file).size)) };
    const known = sessions.get(session);
    if (known) known.push(segment);
    else sessions.set(session, [segment]);
  }
  return sessions;
}

/** `blobs` is the folder that has one for each session. */
export function blobsSize(blobs: string, session: SessionId): number {
  const folder = join(blobs, session);
  return orNothing(() => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0));
}

function orNothing(size: () => number): number {
  try {
    return size();
  } catch {
    // Most sessions have no blobs, and files may go while they are counted: it is only for a progress.
    return 0;
  }
}
