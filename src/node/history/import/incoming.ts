// Which session of this history one of a file becomes, and under which ids. Promises: the same file twice leads to the same
// session; what was deleted permanently here is not written to, and comes back under another id; a session or a message of
// this history that only has the same id is left alone.

import type { ExchangedField, ExchangedOutline } from '../../../core/exchange/exchange.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';
import { idFrom, messageIdLength, sessionIdLength } from '../../ids.ts';
import type { Store } from '../store.ts';

export interface Incoming {
  /** With the ids that it has here. */
  readonly session: ExchangedOutline;
  readonly rename: (message: MessageId) => MessageId;
  readonly isHere: boolean;
}

interface Candidate {
  readonly id: SessionId;
  readonly renames: boolean;
}

/** Null where some of its messages are in other sessions already, in a way that no id helps. */
export function incoming(store: Store, session: ExchangedOutline): Incoming | null {
  const candidates = [
    { id: session.id, renames: false },
    ...generations(store, session, false),
    ...generations(store, session, true),
  ];
  for (const candidate of candidates) {
    const named = renamed(session, candidate);
    if (!isSame(store, named)) continue;
    return owners(store, named).some(owner => owner !== named.id)
      ? null
      : { session: named, rename: renaming(candidate), isHere: true };
  }
  for (const candidate of candidates) {
    const named = renamed(session, candidate);
    if (isKnown(store, named.id) || owners(store, named).length > 0) continue;
    if (named.messages.some(({ id }) => store.erasure.hasMessage(id))) continue;
    return { session: named, rename: renaming(candidate), isHere: false };
  }
  return null;
}

/** Up to the first that nobody has. */
function generations(store: Store, { id, created }: ExchangedOutline, renames: boolean): readonly Candidate[] {
  const found: Candidate[] = [];
  for (;;) {
    const next = idFrom(`import ${renames ? 'apart ' : ''}${found.length} ${id} ${created}`, sessionIdLength);
    found.push({ id: next, renames });
    if (!isKnown(store, next)) return found;
  }
}

function isKnown(store: Store, id: SessionId): boolean {
  return store.erasure.hasSession(id) || store.db.all('SELECT 1 FROM session WHERE id = ?1', [id]).length > 0;
}

/** It is here, and not only one of the same id: it began at the same moment, or a message is the same. */
function isSame(store: Store, { id, created, messages }: ExchangedOutline): boolean {
  if (store.erasure.hasSession(id)) return false;
  const [row] = store.db.all('SELECT created FROM session WHERE id = ?1', [id]);
  if (!row) return false;
  if (row['created'] === created) return true;
  const theirs = new Set(messages.map(message => message.id));
  const ours = store.db.all('SELECT id FROM message WHERE session = ?1', [id]);
  return ours.some(one => theirs.has(String(one['id'])));
}

/** The sessions here that have messages of these ids. */
function owners(store: Store, { messages }: ExchangedOutline): readonly SessionId[] {
  const found = messages.flatMap(({ id }) => store.db.all('SELECT session FROM message WHERE id = ?1', [id]));
  return [...new Set(found.map(({ session }) => String(session)))];
}

function renamed(session: ExchangedOutline, candidate: Candidate): ExchangedOutline {
  const { id, renames } = candidate;
  if (!renames) return { ...session, id };
  const to = renaming(candidate);
  return {
    ...session,
    id,
    messages: session.messages.map(message => ({
      ...message,
      id: to(message.id),
      parent: message.parent === null ? null : to(message.parent),
    })),
    fields: session.fields.map(field => fieldRenamed(field, to)),
  };
}

/** What a message of the file is called here. */
function renaming({ id, renames }: Candidate): (message: MessageId) => MessageId {
  return message => (renames ? idFrom(`${id} ${message}`, messageIdLength) : message);
}

function fieldRenamed(field: ExchangedField, to: (message: MessageId) => MessageId): ExchangedField {
  const { name, of, from, value } = field;
  const isOfMessage = name === 'name' || name === 'note';
  return {
    name,
    ...(of === undefined ? {} : { of: isOfMessage ? to(of) : of }),
    value: name === 'head' && typeof value === 'string' ? to(value) : value,
    ...(from === undefined ? {} : { from: to(from) }),
  };
}
