// What was deleted permanently, as the ids of it and nothing else: whole sessions, and messages of sessions that live
// on. Promises: what answers an erased message is erased too, in whatever order it is learnt of; a record that goes
// through `survivorOf` holds nothing any more that says something of what was erased.

import type { MessageId, SessionId } from '../../model/message.ts';
import type { Fact, JournalRecord } from '../../model/record.ts';
import { fitting, isPassedOver } from './fittingFacts.ts';

export class Erasure {
  private readonly sessions = new Set<SessionId>();
  private readonly erasedMessages = new Map<MessageId, SessionId>();

  hasSession(session: SessionId): boolean {
    return this.sessions.has(session);
  }

  hasMessage(message: MessageId): boolean {
    return this.erasedMessages.has(message);
  }

  /** The erased messages of a session that lives on. */
  messagesOf(session: SessionId): readonly MessageId[] {
    return [...this.erasedMessages].filter(([, of]) => of === session).map(([message]) => message);
  }

  /** True where it was not known. */
  addSession(session: SessionId): boolean {
    if (this.sessions.has(session)) return false;
    this.sessions.add(session);
    return true;
  }

  addMessage(session: SessionId, message: MessageId): boolean {
    if (this.erasedMessages.has(message)) return false;
    this.erasedMessages.set(message, session);
    return true;
  }

  /** Whether the fact says something of what was erased. A new message below an erased one is erased by this. */
  covers(fact: Fact): boolean {
    if (this.sessions.has(fact.session)) return true;
    if (this.erasedMessages.size === 0) return false;
    switch (fact.type) {
      case 'message': {
        const { id, parent } = fact.message;
        if (parent !== null && this.erasedMessages.has(parent)) this.addMessage(fact.session, id);
        return this.erasedMessages.has(id);
      }
      case 'block':
      case 'text':
      case 'end':
        return this.erasedMessages.has(fact.message);
      case 'set':
        return this.isErased(fact.of) || this.isErased(fact.from);
      default:
        return false;
    }
  }

  /** Whether something that can't be understood names what was erased. */
  mayBeIn(fact: unknown): boolean {
    if (this.sessions.size === 0 && this.erasedMessages.size === 0) return false;
    try {
      const text = JSON.stringify(fact) ?? '';
      return [...this.sessions, ...this.erasedMessages.keys()].some(id => text.includes(id));
    } catch {
      // It is nested too deeply to be written: it may be anything.
      return true;
    }
  }

  private isErased(message: MessageId | undefined): boolean {
    return message !== undefined && this.erasedMessages.has(message);
  }
}

/** The record without what was erased; itself where nothing was, null where nothing is left. */
export function survivorOf(record: JournalRecord, erasure: Erasure): JournalRecord | null {
  const { record: fit } = fitting(record);
  const kept = record.facts
    .map((fact, at) => ({ fact, at }))
    .filter(({ fact, at }) => !(isPassedOver(fit.facts[at]) ? erasure.mayBeIn(fact) : erasure.covers(fact)));
  if (kept.length === record.facts.length) return record;
  if (kept.length === 0) return null;
  const places = new Map(kept.map(({ at }, now) => [at, now]));
  const blobs = fit.blobs?.flatMap(blob => {
    const now = places.get(Number(blob.at[0]));
    return now === undefined ? [] : [{ ...blob, at: [now, ...blob.at.slice(1)] }];
  });
  const { blobs: _old, ...rest } = record;
  return { ...rest, facts: kept.map(({ fact }) => fact), ...(blobs && blobs.length > 0 ? { blobs } : {}) };
}
