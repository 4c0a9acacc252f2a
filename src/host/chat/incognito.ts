// Where what belongs to a session is kept: its history, the rules that a person makes in it, what its turns change. Promises:
// of an incognito session all of that is in the memory of this window and nowhere else; everybody else is given it and
// does not ask. It is the only place where the two kinds are told apart.

import { unkeptFiles, type FileWatch } from '../../core/changes.ts';
import { unkeptRules, type AllowRules } from '../../core/conversation/allowRules.ts';
import type { Memory } from '../../core/history/beside.ts';
import type { SessionHistory } from '../../core/history/history.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { SessionId } from '../../model/message.ts';
import { isSessionId } from '../../node/ids.ts';
import { once } from '../once.ts';

export interface Keeping {
  readonly history: SessionHistory;
  readonly rules: AllowRules;
  /** Null where it could not be loaded. */
  readonly files: FileWatch | null;
}

export interface KeepingPorts {
  readonly history: () => Promise<SessionHistory>;
  readonly rules: AllowRules;
  readonly files: () => Promise<FileWatch>;
  readonly memory: Memory;
  readonly onNoFiles: (cause: unknown) => void;
}

export function keepingOf(ports: KeepingPorts): (session: SessionId) => Promise<Keeping> {
  const { rules, memory } = ports;
  const ownRules = unkeptRules(rules);
  // Without it a turn is answered all the same: only what it changes is not kept.
  const watched = () =>
    ports.files().catch((cause: unknown) => {
      ports.onNoFiles(cause);
      return null;
    });
  return async session => {
    if (!isIncognito(session)) return { rules, history: await ports.history(), files: await watched() };
    const files = await watched();
    return { rules: ownRules, history: await memory.begin(), files: files && unkeptFiles(files) };
  };
}

/** Made, and loaded, when the first incognito session of this window begins. */
export function incognitoMemory(writer: string, wasmFile: string): Memory {
  const begin = once(async () => {
    const { openMemoryHistory } = await import('../../node/history/memoryHistory.ts');
    return openMemoryHistory(writer, wasmFile);
  });
  return { begun: () => (begin.started() ? begin() : null), begin };
}

/** What a panel calls a session is not taken for one before it looks like one. */
export function isKeepable(session: SessionId): boolean {
  return isSessionId(session) || isIncognito(session);
}
