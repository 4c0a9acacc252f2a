// Words that were typed and not sent, one small file per session beside the journal. Promises: a draft is on the disk a
// moment after it was typed, survives whatever happens to the window, and is whole or the one before, never half; an
// empty draft leaves no file, and of a session that was erased nothing is written again. It is no part of the history: two windows on one session keep the last one's.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../model/message.ts';

export interface Drafts {
  /** The empty text where there is none. */
  readonly read: (session: SessionId) => Promise<string>;
  /** Rejects where it cannot be written; the words are then only in the panel. */
  readonly keep: (session: SessionId, text: string) => Promise<void>;
  /** The session was erased: what was typed in it goes, and what a panel still sends of it is not kept. */
  readonly forget: (session: SessionId) => Promise<void>;
}

export function draftsIn(historyFolder: string, writer: string): Drafts {
  const folder = join(historyFolder, 'drafts');
  const latest = new Map<SessionId, string>();
  const writing = new Map<SessionId, Promise<void>>();
  const gone = new Set<SessionId>();

  const write = async (session: SessionId): Promise<void> => {
    const file = join(folder, session);
    for (let text = latest.get(session); text !== undefined; text = latest.get(session)) {
      latest.delete(session);
      if (text === '') {
        await rm(file, { force: true });
        continue;
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.${writer}`, text, { mode: 0o600 });
      await rename(`${file}.${writer}`, file);
    }
  };

  return {
    async read(session) {
      // What is on its way to the disk is the draft.
      await writing.get(session)?.catch(() => {});
      try {
        return await readFile(join(folder, session), 'utf8');
      } catch {
        // No file, or none that may be read: nothing was kept.
        return '';
      }
    },
    async forget(session) {
      gone.add(session);
      latest.delete(session);
      await writing.get(session)?.catch(() => {});
      await Promise.all([session, `${session}.${writer}`].map(name => rm(join(folder, name), { force: true })));
    },
    keep(session, text) {
      if (gone.has(session)) return Promise.resolve();
      latest.set(session, text);
      const running = writing.get(session);
      if (running) return running;
      const done = write(session).finally(() => writing.delete(session));
      writing.set(session, done);
      return done;
    },
  };
}
