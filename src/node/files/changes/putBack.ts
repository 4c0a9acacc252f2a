// Makes one file what it was before a turn, or again what the turn made of it. Promises: only inside the workspace and
// through no link; never a sensitive file; only where the file, or the unsaved text of an editor, still is what it should be; whole or not at all,
// with its mode. What is left: whoever writes in the moment between the last look and the rename is overwritten, as no
// system offers a rename on a condition. A file that is made anew has the mode that new files have.

import { unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PutBack } from '../../../core/changes.ts';
import type { OpenEditors } from '../../../core/files.ts';
import type { FileState } from '../../../model/changes.ts';
import { systemCodeOf } from '../../atomicWrite.ts';
import { Moved, pinFolder, versionAt, writeInside, type Found, type PinnedFolder } from '../pinned.ts';
import { largestKept } from './kept.ts';
import { steadyRead, type SteadyRead } from './steadyRead.ts';

export interface PutBackOptions {
  readonly editors: OpenEditors;
  /** It lies in a folder of the workspace, by its spelling alone, and is not the extension's own. */
  readonly isInside: (path: string) => boolean;
  /** Why a file is never changed from here: it holds secrets, or makes programs run. */
  readonly whySensitive: (path: string) => string | null;
}

type Refused = Extract<PutBack, { readonly done: false }>;

const done: PutBack = { done: true };
const mark = '\ufeff';

export async function putBack(
  options: PutBackOptions,
  path: string,
  is: FileState,
  becomes: FileState,
  signal: AbortSignal,
): Promise<PutBack> {
  const content = contentOf(becomes);
  if (content === undefined || is.kind === 'unknown') return refused('unknown', 'What the file held was not kept.');
  if (resolve(path) !== path || !options.isInside(path))
    return refused('failed', 'It is not in a folder of this workspace.');
  const why = options.whySensitive(path);
  if (why !== null) return refused('failed', `It can’t be changed from here because ${why}.`);
  try {
    const inEditor = await throughEditor(options.editors, path, is, content, signal);
    return inEditor ?? (await onDisk(path, is, content, signal));
  } catch (cause) {
    if (cause instanceof Moved) return refused('other', 'It was changed or moved meanwhile.');
    const code = systemCodeOf(cause);
    if (code === 'EISDIR') return refused('other', 'There is a folder in its place now.');
    if (code === 'ENOSPC') return refused('failed', 'The disk is full.');
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return refused('failed', 'The system does not let it be changed.');
    return refused('failed', `The system says ${code === '' ? String(cause) : code}.`);
  }
}

/** Null: it shall not be. Undefined: nobody knows what it shall be. */
function contentOf(state: FileState): Uint8Array | null | undefined {
  if (state.kind === 'absent') return null;
  return state.kind === 'file' && state.content instanceof Uint8Array ? state.content : undefined;
}

/** Null where it is for the disk: no editor has it open, or it is no text. */
async function throughEditor(
  editors: OpenEditors,
  path: string,
  is: FileState,
  content: Uint8Array | null,
  signal: AbortSignal,
): Promise<PutBack | null> {
  const text = await editors.openText(path);
  if (text === null) return null;
  const read = await inFolder(path, false, look, null);
  const saved = read?.bytes ? textOf(read.bytes) : null;
  if (saved === null || saved.text !== text) return refused('other', 'An editor has unsaved changes to it.');
  const changed = differs(is, read);
  if (changed) return changed;
  const becomes = content === null ? null : textOf(content);
  // An editor keeps the byte order mark that the file had.
  if (becomes === null || becomes.hasMark !== saved.hasMark) return null;
  if (signal.aborted) return calledOff;
  return (await editors.writeOpen(path, becomes.text)) ? done : null;
}

async function onDisk(path: string, is: FileState, content: Uint8Array | null, signal: AbortSignal): Promise<PutBack> {
  return inFolder(
    path,
    content !== null && is.kind === 'absent',
    async (folder, name) => {
      const found = await look(folder, name);
      const changed = differs(is, found);
      if (changed) return changed;
      if (signal.aborted) return calledOff;
      if (content !== null) {
        if (found && (found.mode & 0o222) === 0) throw readOnly();
        await writeInside(folder, name, content, found);
      } else if (found) await remove(folder, name, found);
      return done;
    },
    differs(is, null) ?? done,
  );
}

/** `missing` is the answer where there is no such folder. */
async function inFolder<Result>(
  path: string,
  makes: boolean,
  run: (folder: PinnedFolder, name: string) => Promise<Result>,
  missing: Result,
): Promise<Result> {
  let folder: PinnedFolder;
  try {
    folder = await pinFolder(dirname(path), makes);
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT' && !makes) return missing;
    throw cause;
  }
  try {
    return await run(folder, basename(path));
  } finally {
    await folder.close();
  }
}

/** What there is, with its version by the system, which is looked at last. */
async function look(folder: PinnedFolder, name: string): Promise<(SteadyRead & Found) | null> {
  const version = await versionAt(join(folder.at, name));
  if (version === null) return null;
  const read = await steadyRead(folder, name, largestKept).catch((cause: unknown) => {
    // A link in its place.
    if (systemCodeOf(cause) === 'ELOOP') return null;
    throw cause;
  });
  if (!read || read.sha256 === null) throw new Moved();
  return { ...read, version };
}

function differs(is: FileState, read: SteadyRead | null): Refused | null {
  if (is.kind === 'absent') return read ? refused('other', 'There is a file of this name again.') : null;
  if (!read) return refused('other', 'It was deleted after the turn.');
  const isSame = is.kind === 'file' && read.sha256 === is.is.sha256;
  return isSame ? null : refused('other', 'It was changed after the turn.');
}

async function remove(folder: PinnedFolder, name: string, found: Found): Promise<void> {
  const target = join(folder.at, name);
  await folder.check();
  if ((await versionAt(target)) !== found.version) throw new Moved();
  await unlink(target);
  await folder.sync();
}

function textOf(bytes: Uint8Array): { readonly text: string; readonly hasMark: boolean } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(mark);
    return { text: hasMark ? text.slice(1) : text, hasMark };
  } catch {
    return null;
  }
}

function readOnly(): Error {
  return Object.assign(new Error('It is read-only.'), { code: 'EACCES' });
}

function refused(why: Refused['why'], words: string): Refused {
  return { done: false, why, words };
}

const calledOff = refused('failed', 'It was called off.');
