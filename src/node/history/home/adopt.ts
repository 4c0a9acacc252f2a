// Adoption: copies one history into another. Promises: the source is only read; nothing in the target is overwritten,
// and no session goes that it has; what is copied is durable under its name, tombstones before anything else and blobs
// before the records that name them; what is erased on either side does not come back. It may be stopped anywhere and
// run again: what is there already is not copied twice. Records that come twice are harmless; the index applies them.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import type { SessionId } from '../../../model/message.ts';
import { adoptFile } from './adoptFile.ts';
import {
  erasedSessions,
  listHistory,
  nameOf,
  parts,
  sessionsIn,
  type HistoryFile,
  type HistoryFiles,
} from './historyFiles.ts';
import { makeFolder, syncFolder } from '../../atomicWrite.ts';

export interface AdoptOptions {
  /** Of the joined files that take the segments whose name has another content in the target. */
  readonly newWriter: () => string;
  /** Looked at between two files. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: AdoptProgress) => void;
}

export interface AdoptProgress {
  /** Copied, or found to be there. */
  readonly done: number;
  readonly files: number;
  readonly bytes: number;
}

export interface Adopted {
  /** Sessions with records, without those that are erased; from: those that are to be in the target afterwards. */
  readonly sessionsBefore: number;
  readonly sessionsFrom: number;
  readonly sessionsAfter: number;
  /** What was copied. */
  readonly files: number;
  readonly bytes: number;
  /** The files whose whole content was there already. */
  readonly skipped: number;
  /** What stayed behind: names that this version does not know, and what the target has with another content. */
  readonly left: readonly string[];
  readonly cancelled: boolean;
}

/** So often the source is listed; each time after the second means that a live window renamed something in between. */
const rounds = 10;

interface Adoption {
  readonly from: string;
  readonly to: string;
  readonly writer: string;
  /** The files of the source that need not be looked at again. */
  readonly done: Set<string>;
  /** The sessions that the target had. What was erased of them elsewhere may have gone on here, and stays. */
  readonly held: ReadonlySet<SessionId>;
  readonly left: Set<string>;
  /** What was copied: the file, the name that it has in the target, and its size. */
  readonly copied: { readonly file: HistoryFile; readonly name: string; readonly size: number }[];
  bytes: number;
  skipped: number;
}

/** Throws a HistoryError; what was copied until then stays, and no temporary file does. */
export async function adopt(from: string, to: string, options: AdoptOptions): Promise<Adopted> {
  try {
    await stat(from);
    await makeFolder(to);
    let [source, target] = [await listHistory(from), await listHistory(to)];
    const held = sessionsIn(target);
    const none = { done: new Set<string>(), left: new Set<string>(), copied: [], bytes: 0, skipped: 0 };
    const adoption: Adoption = { from, to, writer: options.newWriter(), held, ...none };
    let todo = remaining(source, target, adoption);
    for (let round = 0; todo.length > 0 && !options.signal?.aborted; round++) {
      if (round === rounds) throw new HistoryError('io', new Error('the source changes all the time'));
      await copyAll(adoption, todo, target, options);
      [source, target] = [await listHistory(from), await listHistory(to)];
      todo = remaining(source, target, adoption);
    }
    await verify(adoption, target);
    const erased = erasedSessions(target);
    return {
      sessionsBefore: held.size,
      sessionsFrom: [...sessionsIn(source)].filter(session => !erased.has(session)).length,
      sessionsAfter: sessionsIn(target).size,
      files: adoption.copied.length,
      bytes: adoption.bytes,
      skipped: adoption.skipped,
      left: [...adoption.left, ...source.unknown].toSorted(),
      cancelled: todo.length > 0,
    };
  } catch (cause) {
    throw historyErrorOf(cause);
  }
}

/** What is still to be copied, of no session that is erased on either side. */
function remaining(source: HistoryFiles, target: HistoryFiles, adoption: Adoption): readonly HistoryFile[] {
  const { done, held, left } = adoption;
  const erased = [erasedSessions(source), erasedSessions(target)];
  const known = new Set(target.files.map(nameOf));
  return source.files.filter(file => {
    const name = nameOf(file);
    if (done.has(name)) return false;
    if (file.part !== 'erased') return !erased.some(one => one.has(file.session));
    if (!held.has(file.session) || known.has(name)) return true;
    left.add(name);
    return false;
  });
}

async function copyAll(
  adoption: Adoption,
  todo: readonly HistoryFile[],
  target: HistoryFiles,
  { signal, onProgress }: AdoptOptions,
): Promise<void> {
  const files = adoption.done.size + todo.length;
  const journals = new Map<SessionId, HistoryFile[]>();
  for (const file of target.files) {
    if (file.part !== 'journal') continue;
    const journal = journals.get(file.session);
    if (journal) journal.push(file);
    else journals.set(file.session, [file]);
  }
  for (const part of parts) {
    const folders = new Set<string>();
    for (const file of todo) {
      if (file.part !== part) continue;
      if (signal?.aborted) break;
      const there = journals.get(file.session) ?? [];
      const outcome = await adoptFile({ from: adoption.from, to: adoption.to, file, writer: adoption.writer, there });
      // It has another name by now, or its session was erased: the next listing says which.
      if (outcome === 'gone') continue;
      adoption.done.add(nameOf(file));
      if (outcome === 'there') adoption.skipped++;
      else if (outcome === 'other') adoption.left.add(nameOf(file));
      else {
        adoption.copied.push({ file, ...outcome });
        adoption.bytes += outcome.size;
        folders.add(dirname(join(adoption.to, outcome.name)));
      }
      onProgress?.({ done: adoption.done.size, files, bytes: adoption.bytes });
    }
    for (const folder of folders) syncFolder(folder);
  }
}

/** Every file that was copied is still there, as long as it was, unless a window had reason to change that. */
async function verify({ to, copied }: Adoption, target: HistoryFiles): Promise<void> {
  const erased = erasedSessions(target);
  const rewritten = new Set(
    target.files.filter(file => /\.(joined|claimed)$/.test(file.name)).map(file => file.session),
  );
  for (const { file, name, size } of copied) {
    const found = await stat(join(to, name)).catch(() => null);
    if (found && found.size >= size) continue;
    if (file.part === 'drafts' || erased.has(file.session)) continue;
    if (file.part === 'journal' && !found && rewritten.has(file.session)) continue;
    throw new HistoryError('io', new Error(`${name} did not arrive`));
  }
}
