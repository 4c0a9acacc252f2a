// What lies in a history folder, by name: tombstones, blobs, journal, drafts, and which session each is of. Promises: it
// reads names only, follows no link, and leaves out what any window can make again (caches, signs of life, `unfinished`
// files). What the records say is for others.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../../model/message.ts';
import { parseSegmentName, segmentOf } from '../journal/segmentName.ts';
import { systemCodeOf } from '../../atomicWrite.ts';

/** In the order in which they may be copied: what is erased first, and no record before the blobs that it names. */
export const parts = ['erased', 'blobs', 'journal', 'drafts'] as const;

export interface HistoryFile {
  readonly part: (typeof parts)[number];
  readonly session: SessionId;
  /** From the part's folder on, with `/`. */
  readonly name: string;
  /** Its name before another window claimed it, to rewrite it. */
  readonly unclaimed: string;
}

export interface HistoryFiles {
  readonly files: readonly HistoryFile[];
  /** What stands among them and has a name that this version does not know. */
  readonly unknown: readonly string[];
}

/** From the history folder on. */
export function nameOf({ part, name }: HistoryFile): string {
  return `${part}/${name}`;
}

export async function listHistory(folder: string): Promise<HistoryFiles> {
  const files: HistoryFile[] = [];
  const unknown: string[] = [];
  for (const part of parts) {
    for (const name of await namesUnder(join(folder, part))) {
      if (name.endsWith('.unfinished')) continue;
      const unclaimed = part === 'journal' ? (segmentOf(name) ?? name) : name;
      const session = sessionOf[part](unclaimed);
      if (session !== undefined) files.push({ part, session, name, unclaimed });
      // A name of a draft with more behind it is one that is being written.
      else if (part !== 'drafts') unknown.push(`${part}/${name}`);
    }
  }
  return { files, unknown };
}

const sessionOf: { readonly [part in HistoryFile['part']]: (name: string) => SessionId | undefined } = {
  // What is erased must be known as such, also where a newer version has put it in a way of its own.
  erased: name => /^[0-9a-z]+/.exec(name)?.[0] ?? name,
  blobs: name => /^([0-9a-z]+)\/./.exec(name)?.[1],
  journal: name => parseSegmentName(name)?.session,
  drafts: name => /^[0-9a-z]+$/.exec(name)?.[0],
};

/** The sessions with a tombstone of their own; of one that lost branches only, the rest lives on. */
export function erasedSessions({ files }: HistoryFiles): ReadonlySet<SessionId> {
  return new Set(files.filter(file => file.part === 'erased' && file.name === file.session).map(file => file.session));
}

/** The sessions with records, without those that are erased here. */
export function sessionsIn(history: HistoryFiles): ReadonlySet<SessionId> {
  const erased = erasedSessions(history);
  const written = history.files.filter(file => file.part === 'journal' && !erased.has(file.session));
  return new Set(written.map(file => file.session));
}

/** Each folder is listed by itself: one that goes while this runs takes no other with it. */
async function namesUnder(folder: string, prefix = ''): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
      const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isFile()) names.push(name);
      else if (entry.isDirectory()) names.push(...(await namesUnder(folder, name)));
    }
  } catch (cause) {
    if (systemCodeOf(cause) !== 'ENOENT') throw cause;
  }
  return names.toSorted();
}
