// Text that was typed and not sent, one small file per session beside the journal, and another for what is attached to it.
// Contract: a draft is on the disk a moment after it was typed, survives the window and a power cut, and is whole or the one
// before; an empty draft leaves no file, and nothing is written again for a session that was erased. It is no part of the
// history: of two windows on one session, the one that wrote last wins.

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isIncognito } from '../model/incognito.ts';
import type { SessionId } from '../model/message.ts';
import { writeAtomic } from './atomicWrite.ts';
import { isSessionId } from './ids.ts';

export interface Drafts {
  /** The empty text where there is none. */
  readonly read: (session: SessionId) => Promise<string>;
  /** Rejects where it cannot be written; the words are then only in the panel. */
  readonly keep: (session: SessionId, text: string) => Promise<void>;
  /** What is attached to them, as whoever kept it wrote it down. */
  readonly readAttached: (session: SessionId) => Promise<string>;
  readonly keepAttached: (session: SessionId, text: string) => Promise<void>;
  /** The session was erased: what was typed in it goes, and what a panel still sends of it is not kept. */
  readonly forget: (session: SessionId) => Promise<void>;
}

/** With those of incognito sessions, which are in memory only. */
export function draftsBeside(disk: Drafts): Drafts {
  const [texts, attached] = [new Map<SessionId, string>(), new Map<SessionId, string>()];
  const reading = (held: Map<SessionId, string>, read: Drafts['read']) => async (session: SessionId) =>
    isIncognito(session) ? (held.get(session) ?? '') : read(session);
  const keeping = (held: Map<SessionId, string>, keep: Drafts['keep']) => async (session: SessionId, text: string) =>
    isIncognito(session) ? void held.set(session, text) : keep(session, text);
  return {
    read: reading(texts, disk.read),
    keep: keeping(texts, disk.keep),
    readAttached: reading(attached, disk.readAttached),
    keepAttached: keeping(attached, disk.keepAttached),
    async forget(session) {
      if (!isIncognito(session)) return disk.forget(session);
      texts.delete(session);
      attached.delete(session);
    },
  };
}

export function draftsIn(historyFolder: string): Drafts {
  const folder = join(historyFolder, 'drafts');
  const latest = new Map<string, string>();
  const writing = new Map<string, Promise<void>>();
  const gone = new Set<SessionId>();

  const write = async (name: string): Promise<void> => {
    const file = join(folder, name);
    for (let text = latest.get(name); text !== undefined; text = latest.get(name)) {
      latest.delete(name);
      if (text === '') {
        await rm(file, { force: true });
        continue;
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomic(file, text);
    }
  };

  const read = async (name: string): Promise<string> => {
    // What is on its way to the disk is the draft.
    await writing.get(name)?.catch(() => {});
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch {
      // No file, or none that may be read: nothing was kept.
      return '';
    }
  };
  const keep = (session: SessionId, name: string, text: string): Promise<void> => {
    // It is the name of a file, and comes from a page.
    if (gone.has(session) || !isSessionId(session)) return Promise.resolve();
    latest.set(name, text);
    const running = writing.get(name);
    if (running) return running;
    const done = write(name).finally(() => writing.delete(name));
    writing.set(name, done);
    return done;
  };

  return {
    read,
    readAttached: session => read(attachedOf(session)),
    keep: (session, text) => keep(session, session, text),
    keepAttached: (session, text) => keep(session, attachedOf(session), text),
    async forget(session) {
      gone.add(session);
      for (const name of [session, attachedOf(session)]) {
        latest.delete(name);
        await writing.get(name)?.catch(() => {});
        await rm(join(folder, name), { force: true });
      }
    },
  };
}

function attachedOf(session: SessionId): string {
  return `${session}.attachments`;
}
