// "Check History" and its repair. Promises: a check changes nothing. A repair makes again what the index has wrong,
// throws the caches away, finishes what was left half done and removes what is provably of no use; it writes to no
// damaged file and removes nothing that a record may name. What is wrong is found in `examine.ts`.

import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CheckReport } from '../../../core/history/history.ts';
import { historyErrorOf } from '../../../core/history/historyError.ts';
import type { SessionId } from '../../../model/message.ts';
import { hashOf, timeOf } from './blobCheck.ts';
import { examine, type Examined } from './examine.ts';
import { hour } from './leftovers.ts';
import type { Moment } from './sessionFindings.ts';
import { dropSnapshots } from '../index/snapshot.ts';
import type { Store } from '../store.ts';
import { UnnamedBlobs } from '../erasing/unnamedBlobs.ts';

/** It takes many turns, and appends go on between them. */
export async function check(store: Store, moment: Moment): Promise<CheckReport> {
  try {
    return (await examine(store, moment)).report;
  } catch (cause) {
    throw historyErrorOf(cause);
  }
}

/** What a repair leaves to those that can do it. */
export interface Repairing extends Moment {
  /** Removes what is left of erased sessions and messages that the store knows as unclean. */
  readonly clean: () => void;
  /** Puts the files of a session into one. */
  readonly joinSession: (session: SessionId) => void;
  /** What is listed of these sessions is not what it was. */
  readonly changed: (sessions: readonly SessionId[]) => void;
}

/** Gives what a check says afterwards. */
export async function repair(store: Store, repairing: Repairing): Promise<CheckReport> {
  try {
    const found = await examine(store, repairing);
    const changed: SessionId[] = [];
    for (const [session, { index, check: seen, claimed }] of found.sessions) {
      const isUnerased = [...seen.segments.values()].some(({ erased }) => erased > 0);
      if (isUnerased) store.intake.unclean.add(session);
      else if (claimed.length > 0) repairing.joinSession(session);
      if (index !== 'same') store.intake.reindex(session);
      if (!isUnerased && claimed.length === 0 && index === 'same') continue;
      changed.push(session);
      await nextTurn();
    }
    for (const session of found.leftovers.unerased) store.intake.unclean.add(session);
    repairing.clean();
    await removeUnfinished(found, repairing.now);
    const unnamed = new UnnamedBlobs(store);
    for (const [session, { unnamedBlobs }] of found.sessions) if (unnamedBlobs.length > 0) unnamed.remove(session);
    refreshSnapshot(store);
    repairing.changed(changed);
    return (await examine(store, repairing)).report;
  } catch (cause) {
    throw historyErrorOf(cause);
  }
}

/** A snapshot may be whole and have come from an index that was wrong. */
function refreshSnapshot(store: Store): void {
  dropSnapshots(store.folder);
  try {
    store.snapshot();
  } catch {
    // It is a cache: the next opening takes longer, and nothing else changes.
  }
}

async function removeUnfinished({ leftovers, sessions }: Examined, now: number): Promise<void> {
  for (const file of leftovers.unfinished) {
    // Somebody may have gone on with it since.
    if (now - timeOf(file) < hour) continue;
    const [name = ''] = basename(file).split('.');
    const isMissing = sessions.get(basename(dirname(file)))?.missingBlobs.includes(name);
    // It is what a record misses: only its last name was not given to it.
    if (isMissing && (await hashOf(file))?.sha256 === name) renameSync(file, join(dirname(file), name));
    else rmSync(file, { force: true });
  }
}
