// How much the history holds: sessions, branches, bytes on the disk, and what answers took. Promises: it reads the index and
// the sizes of files, and no content; what cannot be looked at counts as nothing.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryStatistics } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import { parseSegmentName, segmentOf } from './journal/segmentName.ts';
import type { Store } from './store.ts';

export function statisticsOf(store: Store): HistoryStatistics {
  const { db } = store;
  const sizes = bytesBySession(store);
  const branches = db.all(
    `SELECT session, count(*) AS count FROM message
      WHERE label IS NULL AND id NOT IN (SELECT parent FROM message WHERE parent IS NOT NULL AND label IS NULL)
      GROUP BY session`,
    [],
  );
  const leaves = new Map(branches.map(({ session, count }) => [String(session), Number(count)]));
  const spent = db.all(
    `SELECT strftime('%Y-%m', message.created / 1000, 'unixepoch') AS month, usage.session, currency,
        sum(input) AS input, sum(output) AS output, sum(cost) AS cost
      FROM usage JOIN message ON message.id = usage.message GROUP BY month, usage.session, currency`,
    [],
  );
  return {
    sizes: [...new Set([...sizes.keys(), ...leaves.keys()])].map(session => ({
      session,
      bytes: sizes.get(session) ?? 0,
      branches: leaves.get(session) ?? 0,
    })),
    spent: spent.map(({ month, session, currency, input, output, cost }) => ({
      month: String(month),
      session: String(session),
      input: Number(input),
      output: Number(output),
      cost: Number(cost),
      currency: typeof currency === 'string' ? currency : null,
    })),
    bytes: bytesIn(store.folder),
  };
}

function bytesBySession(store: Store): ReadonlyMap<SessionId, number> {
  const found = new Map<SessionId, number>();
  const add = (session: SessionId, bytes: number) => found.set(session, (found.get(session) ?? 0) + bytes);
  for (const name of namesIn(store.journal)) {
    const session = parseSegmentName(segmentOf(name) ?? '')?.session;
    if (session !== undefined) add(session, sizeOf(join(store.journal, name)));
  }
  for (const session of namesIn(store.blobs.folder)) add(session, bytesIn(join(store.blobs.folder, session)));
  return found;
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of namesIn(folder)) {
    const at = join(folder, name);
    const stat = statSync(at, { throwIfNoEntry: false });
    bytes += stat?.isDirectory() ? bytesIn(at) : (stat?.size ?? 0);
  }
  return bytes;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there yet, or not to be read: it counts as empty.
    return [];
  }
}
