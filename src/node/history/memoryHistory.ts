// The `SessionHistory` of incognito sessions. It runs in the extension host, and is loaded there, with sql.js, when the
// first of them begins.

import type { BranchChoice, Erased, SessionHistory } from '../../core/history/history.ts';
import type { HistoryChange } from '../../core/history/historyChange.ts';
import { historyErrorOf } from '../../core/history/historyError.ts';
import type { SessionId } from '../../model/message.ts';
import { Changes, leaveBranch } from './changes.ts';
import { findSession, listSessions } from './index/listSessions.ts';
import { branchesOf, listNodes, treeOf } from './index/messageTree.ts';
import { openSession, readAudit, readBlob, readMessages } from './index/readMessages.ts';
import { loadSqlite, type OpenDatabase } from './index/sqlite.ts';
import { storedFields } from './index/storedFields.ts';
import { MemoryStore } from './memoryStore.ts';

export async function openMemoryHistory(writer: string, wasmFile: string): Promise<SessionHistory> {
  return memoryHistory(writer, await loadSqlite(wasmFile));
}

export function memoryHistory(writer: string, openDatabase: OpenDatabase): SessionHistory {
  const listeners = new Set<(change: HistoryChange) => void>();
  const store = new MemoryStore(writer, openDatabase(), change => listeners.forEach(listener => listener(change)));
  const { db } = store;
  const changes = new Changes(store, Date.now);
  const alive = new Set([writer]);

  const erase = (session: SessionId, branch: BranchChoice | undefined): Erased => {
    if (!findSession(db, session)) return { messages: 0, remaining: 0 };
    const tree = treeOf(db, session);
    const messages = branch ? leaveBranch(store, session, branch) : [...tree.rows.keys()];
    if (!branch || messages.length > 0) store.erase(session, branch ? messages : null);
    return { messages: messages.length, remaining: 0 };
  };

  return {
    writer,
    alive: () => now(() => alive),
    append: (session, facts) => now(() => store.append(session, facts)()),
    sessions: query => now(() => listSessions(db, query)),
    open: (session, at) => now(() => openSession(store, session, at, alive)),
    fields: session => now(() => storedFields(store, session, alive)),
    erased: ids => now(() => new Set(ids.filter(id => store.erasure.hasSession(id)))),
    branches: (session, head) => now(() => branchesOf(db, session, head)),
    messages: ids => now(() => readMessages(store, ids)),
    audit: session => now(() => readAudit(store, session)),
    blob: (session, ref) => now(() => readBlob(store, session, ref)),
    tree: session => now(() => listNodes(db, session)),
    trash: (session, branch) => now(() => changes.trash(session, branch ?? null).finish()),
    restore: (session, message) => now(() => changes.restore(session, message ?? null).finish()),
    erase: (session, branch) => now(() => erase(session, branch)),
    onDidAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What it throws is a promise that rejects with a HistoryError. */
function now<Value>(run: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    try {
      resolve(run());
    } catch (cause) {
      reject(historyErrorOf(cause));
    }
  });
}
