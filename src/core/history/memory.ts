// Sessions of which nothing is kept: the part of the port `History` that is about single sessions, in memory. Promises: it
// answers and refuses like the history on the disk (one contract suite runs for both); it writes nothing anywhere; what
// is erased is in no list, map or text here any more, and with the process all of it is gone.

import type { BlobRef, MessageId, SessionId } from '../../model/message.ts';
import { noBranches } from '../../model/transcript.ts';
import { recordVersion, type Fact, type MessageFact, type SetFact } from '../../model/record.ts';
import { isTooLarge, putBack, takeOut } from './blobs.ts';
import { Erasure } from './erasure.ts';
import type { BranchChoice, Erased, SessionHistory } from './history.ts';
import { changeBy, changedAltogether, type HistoryChange } from './historyChange.ts';
import { HistoryError } from './historyError.ts';
import { MemorySession } from './memorySession.ts';

export interface MemoryOptions {
  readonly writer: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: (content: string | Uint8Array) => string;
}

/** What is said of a message, where it is said of one. */
const ofMessages: ReadonlySet<string> = new Set(['name', 'note', 'trashed']);

export function memoryHistory({ writer, hash }: MemoryOptions): SessionHistory {
  const sessions = new Map<SessionId, MemorySession>();
  const blobs = new Map<SessionId, Map<string, Uint8Array>>();
  const erasure = new Erasure();
  const listeners = new Set<(change: HistoryChange) => void>();
  const tell = (change: HistoryChange) => {
    for (const listener of listeners) listener(change);
  };
  const sessionWith = (message: MessageId) =>
    [...sessions.values()].find(({ messages }) => messages.has(message)) ?? null;

  const append = (id: SessionId, facts: readonly Fact[]): void => {
    const session = sessions.get(id);
    mayAppend(id, facts, session, erasure, message => sessionWith(message) !== null);
    const kept = blobs.get(id) ?? new Map<string, Uint8Array>();
    const texts = new Map<string, string>();
    const taken = takeOut(facts, content => {
      const sha256 = hash(content);
      if (typeof content === 'string') texts.set(sha256, content);
      else kept.set(sha256, content.slice());
      return { sha256, size: content.length };
    });
    const record = { v: recordVersion, w: writer, n: 0, h: '', ...taken };
    const whole = putBack(record, ({ sha256 }) => texts.get(sha256) ?? null);
    const own = session ?? new MemorySession(id);
    own.add(whole.facts);
    sessions.set(id, own);
    blobs.set(id, kept);
    tell(changeBy(writer, id, facts));
  };

  const trash = (id: SessionId, branch: BranchChoice | undefined): void => {
    const session = sessions.get(id);
    if (!session) return;
    if (!branch) return append(id, [set(id, true)]);
    const inside = session.tree.subtree(branch.message);
    if (inside.length === 0) return;
    if (inside.length > 1 && !branch.subtree) throw new HistoryError('has-children');
    append(id, [set(id, true, branch.message)]);
  };

  const restore = (id: SessionId, message: MessageId | undefined): void => {
    const session = sessions.get(id);
    if (!session) return;
    if (message === undefined) return append(id, [set(id, false)]);
    const facts: Fact[] = [];
    // It is in the trash as long as anything above it is.
    for (let at: MessageId | null = message; at !== null; at = session.tree.parent(at)) {
      if (session.trashed.has(at)) facts.push(set(id, false, at));
    }
    if (facts.length > 0) append(id, facts);
  };

  const erase = (id: SessionId, branch: BranchChoice | undefined): Erased => {
    const session = sessions.get(id);
    if (!session) return { messages: 0, remaining: 0 };
    const gone = branch ? session.tree.subtree(branch.message) : [...session.messages.keys()];
    if (branch && gone.length > 1 && !branch.subtree) throw new HistoryError('has-children');
    for (const message of gone) erasure.addMessage(id, message);
    if (branch) session.forget(erasure);
    else {
      erasure.addSession(id);
      sessions.delete(id);
      blobs.delete(id);
    }
    if (gone.length > 0 || !branch) tell(changedAltogether(id));
    return { messages: gone.length, remaining: 0 };
  };

  return {
    writer,
    alive: () => now(() => new Set([writer])),
    append: (id, facts) => now(() => append(id, facts)),
    sessions: () =>
      now(() =>
        [...sessions.values()]
          .map(session => session.summary())
          .toSorted((one, other) => other.active - one.active || (one.id < other.id ? -1 : 1)),
      ),
    open: (id, at) =>
      now(() => {
        const session = sessions.get(id);
        if (session && at !== undefined && !session.messages.has(at)) throw new HistoryError('no-message');
        return session?.stored(at ?? null);
      }),
    fields: id => now(() => sessions.get(id)?.storedFields()),
    erased: ids => now(() => new Set(ids.filter(id => erasure.hasSession(id)))),
    branches: (id, head) =>
      now(() => {
        const tree = sessions.get(id)?.tree;
        if (head === null) return tree?.branches(null) ?? noBranches;
        return tree?.rows.has(head) ? tree.branches(head) : undefined;
      }),
    messages: ids =>
      now(() =>
        ids.map(id => {
          const found = sessionWith(id)?.messages.get(id);
          if (!found) throw new HistoryError('no-message');
          return found;
        }),
      ),
    audit: id => now(() => sessions.get(id)?.audit()),
    blob: (id, ref: BlobRef) =>
      now(() => {
        const bytes = blobs.get(id)?.get(ref.sha256);
        if (!bytes) throw new HistoryError('no-blob');
        return bytes.slice();
      }),
    tree: id =>
      now(() => {
        const tree = sessions.get(id)?.tree;
        return [...(tree?.rows.values() ?? [])]
          .toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
          .map(row => ({ ...row, trashed: tree?.isTrashed(row.id) ?? false }));
      }),
    forked: () =>
      now(() => new Set([...sessions.values()].flatMap(({ id, messages }) => (isForked(messages) ? [id] : [])))),
    trash: (id, branch) => now(() => trash(id, branch)),
    restore: (id, message) => now(() => restore(id, message)),
    erase: (id, branch) => now(() => erase(id, branch)),
    onDidAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Throws HistoryError before anything is added, for the same reasons as the history on the disk. */
function mayAppend(
  id: SessionId,
  facts: readonly Fact[],
  session: MemorySession | undefined,
  erasure: Erasure,
  isAnywhere: (message: MessageId) => boolean,
): void {
  if (erasure.hasSession(id)) throw new HistoryError('erased');
  const labels = new Map<MessageId, string | null>();
  for (const [message, { label }] of session?.messages ?? []) labels.set(message, label ?? null);
  const fresh = new Set<MessageId>();
  const mustBeThere = (message: MessageId) => {
    if (erasure.hasMessage(message)) throw new HistoryError('erased');
    if (!labels.has(message)) throw new HistoryError('no-message');
  };
  const mayBegin = ({ message: { id: message, parent, label } }: MessageFact) => {
    if (parent !== null) {
      if (erasure.hasMessage(parent)) throw new HistoryError('erased');
      const above = labels.get(parent);
      // What a subagent wrote is on no path, so nothing of the conversation can go on from it.
      if (above === undefined || (above !== null && label === undefined)) throw new HistoryError('no-parent');
      if (session?.tree.isTrashed(parent)) throw new HistoryError('trashed');
    }
    if (erasure.hasMessage(message)) throw new HistoryError('erased');
    if (fresh.has(message) || isAnywhere(message)) throw new HistoryError('exists');
    fresh.add(message);
    labels.set(message, label ?? null);
  };
  const maySet = (fact: SetFact) => {
    const { name, of, from } = fact;
    for (const one of [of, from]) if (one !== undefined && erasure.hasMessage(one)) throw new HistoryError('erased');
    if (of !== undefined && ofMessages.has(name)) mustBeThere(of);
    if (isTooLarge(fact)) throw new HistoryError('too-large');
  };
  let isKnown = session !== undefined;
  for (const fact of facts) {
    if (fact.type === 'session') isKnown = true;
    if (!isKnown || fact.session !== id) throw new HistoryError('no-session');
    if (fact.type === 'set') maySet(fact);
    else if (fact.type === 'message') mayBegin(fact);
    else if (fact.type !== 'session') mustBeThere(fact.message);
  }
}

function isForked(messages: MemorySession['messages']): boolean {
  const parents = [...messages.values()].flatMap(({ parent, label }) => (label === undefined ? [parent] : []));
  return new Set(parents).size < parents.length;
}

function set(session: SessionId, on: boolean, message?: MessageId): SetFact {
  const base: SetFact = { type: 'set', session, name: 'trashed', value: on };
  return message === undefined ? base : { ...base, of: message, from: message };
}

/** What it throws is a promise that rejects. */
function now<Value>(run: () => Value): Promise<Value> {
  return new Promise(resolve => resolve(run()));
}
