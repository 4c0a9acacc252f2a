// Changes that look before they write: sessions by their stable key, the trash and back. Promises: each is one record at
// most, and what is unknown is left alone without an error.

import type { BranchChoice, FreshSession, SessionSummary } from '../../core/history/history.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { Fact, SetFact } from '../../model/record.ts';
import { idFrom, sessionIdLength } from '../ids.ts';
import { findSession, lastOfKey } from './index/listSessions.ts';
import { chosenMessages, headOf, trashedIn, treeOf } from './index/messageTree.ts';
import type { RecordStore } from './index/recordStore.ts';
import { fieldKey, fieldsOf } from './index/sessionSummary.ts';

/** What has been done, and what is left to do once that is acknowledged. */
export interface Change<Value> {
  readonly value: Value;
  readonly session: SessionId | null;
  readonly finish: () => void;
}

export class Changes {
  private readonly store: RecordStore;
  private readonly now: () => number;

  constructor(store: RecordStore, now: () => number) {
    this.store = store;
    this.now = now;
  }

  openByKey(key: string, fresh: FreshSession): Change<SessionId> {
    for (;;) {
      const { last, next: generation } = this.generations(key);
      if (last && !this.isOver(last)) return unchanged(last.id);
      const session = idOf(key, generation);
      try {
        return this.append(session, session, [{ ...fresh, type: 'session', session, key: { key, generation } }]);
      } catch (cause) {
        // Another window erased it a moment ago: that is known now, and the next one comes after it.
        if (!this.store.erasure.hasSession(session)) throw cause;
      }
    }
  }

  resetKey(key: string): Change<undefined> {
    const { last } = this.generations(key);
    if (!last || this.isClosed(last.id)) return unchanged(undefined);
    return this.append(undefined, last.id, [set(last.id, 'closed', true)]);
  }

  trash(session: SessionId, branch: BranchChoice | null): Change<undefined> {
    if (!findSession(this.store.db, session)) return unchanged(undefined);
    if (!branch) return this.append(undefined, session, [set(session, 'trashed', true)]);
    if (chosenMessages(this.store.db, session, branch).length === 0) return unchanged(undefined);
    return this.append(undefined, session, [set(session, 'trashed', true, branch.message)]);
  }

  restore(session: SessionId, message: MessageId | null): Change<undefined> {
    if (!findSession(this.store.db, session)) return unchanged(undefined);
    if (message === null) return this.append(undefined, session, [set(session, 'trashed', false)]);
    const trashed = trashedIn(this.store.db, session);
    const tree = treeOf(this.store.db, session);
    const facts: Fact[] = [];
    // It is in the trash as long as anything above it is.
    for (let at: MessageId | null = message; at !== null; at = tree.parent(at)) {
      if (trashed.has(at)) facts.push(set(session, 'trashed', false, at));
    }
    return facts.length === 0 ? unchanged(undefined) : this.append(undefined, session, facts);
  }

  /** The last session that had the key, unless it is erased, and the number of the one that comes after it. */
  private generations(key: string): { readonly last: SessionSummary | null; readonly next: number } {
    const known = lastOfKey(this.store.db, key);
    const after = (known?.generation ?? -1) + 1;
    let next = after;
    while (this.store.erasure.hasSession(idOf(key, next))) next++;
    return { last: (known && next === after && findSession(this.store.db, known.session)) || null, next };
  }

  private isOver({ id, expires, trashed }: SessionSummary): boolean {
    return trashed || (expires !== null && expires <= this.now()) || this.isClosed(id);
  }

  private isClosed(session: SessionId): boolean {
    return fieldsOf(this.store.db, session).get(fieldKey('closed')) === true;
  }

  private append<Value>(value: Value, session: SessionId, facts: readonly Fact[]): Change<Value> {
    return { value, session, finish: this.store.append(session, facts) };
  }
}

/**
 * What an erasure of the branch takes with it. Where the next panel starts is above it then: ids only, and saved before
 * the branch goes.
 */
export function leaveBranch(store: RecordStore, session: SessionId, branch: BranchChoice): readonly MessageId[] {
  const ids = chosenMessages(store.db, session, branch);
  const head = headOf(store.db, session);
  if (head !== null && ids.includes(head)) {
    const value = treeOf(store.db, session).rows.get(branch.message)?.parent ?? null;
    store.append(session, [{ type: 'set', session, name: 'head', value }])();
  }
  return ids;
}

function unchanged<Value>(value: Value): Change<Value> {
  return { value, session: null, finish() {} };
}

function set(session: SessionId, name: SetFact['name'], value: boolean, message?: MessageId): SetFact {
  const base: SetFact = { type: 'set', session, name, value };
  return message === undefined ? base : { ...base, of: message, from: message };
}

/** The same for the same key and generation in every window. */
function idOf(key: string, generation: number): SessionId {
  return idFrom(`${generation} ${key}`, sessionIdLength);
}
