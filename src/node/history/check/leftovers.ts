// What lies in the history folder and is of no use any more: what a killed process left, what was to be erased, caches
// that are damaged, blobs without a session. It changes nothing, and says nothing of what is young enough to be in use.

import { basename, join } from 'node:path';
import { damagedSnapshot, sessionNotErased, strayBlobs, unfinishedFiles } from '../../../core/history/findings.ts';
import type { Finding } from '../../../core/history/history.ts';
import type { SessionId } from '../../../model/message.ts';
import { blobsBefore, namesIn, timeOf } from './blobCheck.ts';
import { readCache } from '../index/cacheFile.ts';
import { indexKind } from '../index/snapshot.ts';
import type { Store } from '../store.ts';

export const hour = 3600_000;
export const day = 24 * hour;

export interface Leftovers {
  readonly findings: readonly Finding[];
  /** Files of writes that never came to their end. */
  readonly unfinished: readonly string[];
  /** Erased sessions of which something is still there. */
  readonly unerased: readonly SessionId[];
}

/** `sessions` are those with segments. */
export function leftoversOf(store: Store, sessions: ReadonlySet<SessionId>, now: number): Leftovers {
  const { folder, journal } = store;
  const findings: Finding[] = [];
  const blobFolders = namesIn(store.blobs.folder);
  const isErased = (session: SessionId) => store.erasure.hasSession(session);

  const folders = [
    folder,
    journal,
    store.tombstones.folder,
    join(folder, 'drafts'),
    ...blobFolders.map(name => join(store.blobs.folder, name)),
  ];
  const unfinished = folders
    .flatMap(at => namesIn(at).map(name => join(at, name)))
    .filter(file => file.endsWith('.unfinished') && now - timeOf(file) > hour)
    // What belongs to an erased session is said of that.
    .filter(file => !isErased(sessionOf(file)) && !isErased(basename(join(file, '..'))));
  if (unfinished.length > 0) findings.push(unfinishedFiles(unfinished.map(file => basename(file))));

  for (const name of namesIn(folder)) {
    if (/^index-[0-9a-z]+\.db$/.test(name) && isDamaged(join(folder, name))) findings.push(damagedSnapshot(name));
  }

  const stray = blobFolders
    .filter(session => !sessions.has(session) && !isErased(session))
    .flatMap(session => blobsBefore(join(store.blobs.folder, session), now - day));
  if (stray.length > 0) findings.push(strayBlobs(stray));

  const left = [
    ...namesIn(journal),
    ...namesIn(join(folder, 'drafts')),
    ...blobFolders.flatMap(session => (isErased(session) ? [session] : [])),
  ].filter(name => isErased(sessionOf(name)));
  if (left.length > 0) findings.push(sessionNotErased(left));
  return { findings, unfinished, unerased: [...new Set(left.map(sessionOf))] };
}

/** The names of segments, drafts and folders of blobs begin with their session. */
function sessionOf(file: string): SessionId {
  return /^[0-9a-z]*/.exec(basename(file))?.[0] ?? '';
}

function isDamaged(file: string): boolean {
  try {
    return readCache(file, indexKind) === 'damaged';
  } catch {
    // Gone since the folder was listed, or not readable: then nobody uses it.
    return false;
  }
}
