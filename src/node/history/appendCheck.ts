// Whether facts may be appended: a fact about something that is neither in the index nor earlier in the same record is a
// mistake of the caller, and is refused by name before anything is written. It remembers what this process wrote last,
// because that is what the next record goes on from.

import { isClaimable, type AgentSessionClaim } from '../../core/conversation/agentSessionClaims.ts';
import { isTooLarge } from '../../core/history/blobs.ts';
import type { Erasure } from '../../core/history/erasure.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { SqlDatabase } from './index/projection.ts';
import { isThere } from './index/listSessions.ts';
import type { Json, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, MessageFact, SetFact } from '../../model/record.ts';

/** What is said of a message, where it is said of one. */
const ofMessages: ReadonlySet<string> = new Set(['name', 'note', 'trashed']);

/** It becomes part of a file's name when its branch is erased. */
const messageId = /^[0-9a-z]{1,64}$/;

export class AppendCheck {
  /** The sessions to which this process has appended, each with the last message that it began. */
  private readonly last = new Map<SessionId, MessageId | null>();
  /** The bindings that this process appended, by their field: as long as nobody else wrote to the session, they stand. */
  private readonly bound = new Map<SessionId, Map<string, Json>>();
  private readonly failed = new Set<MessageId>();
  private readonly db: SqlDatabase;
  private readonly erasure: Erasure;

  constructor(db: SqlDatabase, erasure: Erasure) {
    this.db = db;
    this.erasure = erasure;
  }

  /** Throws HistoryError. */
  mayAppend(session: SessionId, facts: readonly Fact[], claims: readonly AgentSessionClaim[]): void {
    if (this.erasure.hasSession(session)) throw new HistoryError('erased');
    let known = this.last.has(session) || this.hasSession(session);
    const fresh = new Map<MessageId, string | null>();
    for (const fact of facts) {
      if (fact.type === 'session') known = true;
      if (!known || fact.session !== session) throw new HistoryError('no-session');
      if (fact.type === 'set') this.maySet(fact, fresh);
      else if (fact.type === 'message') this.mayBegin(fact, fresh);
      else if (fact.type !== 'session') this.mustBeThere(session, fact.message, fresh);
    }
    if (fresh.size > 0) this.mustBeNew([...fresh.keys()]);
    for (const claim of claims)
      if (!isClaimable(this.bindingOf(session, claim.of), claim)) throw new HistoryError('agent-session-taken');
  }

  appended(session: SessionId, facts: readonly Fact[]): void {
    if (this.failed.size > 0) {
      for (const fact of facts) if (fact.type === 'message') this.failed.delete(fact.message.id);
    }
    const begun = facts.findLast(fact => fact.type === 'message');
    if (begun?.type === 'message') this.last.set(session, begun.message.label === undefined ? begun.message.id : null);
    else if (!this.last.has(session)) this.last.set(session, null);
    for (const fact of facts) if (fact.type === 'set' && fact.name === 'binding') this.keepBinding(fact);
    // Whatever was put into the trash may have this message in it.
    if (facts.some(fact => fact.type === 'set' && fact.name === 'trashed')) this.last.set(session, null);
  }

  /**
   * These could not be written, and may stand whole in a file all the same: when that comes back, they are there before
   * they are tried again. The same facts twice are the same.
   */
  attempted(facts: readonly Fact[]): void {
    for (const fact of facts) if (fact.type === 'message') this.failed.add(fact.message.id);
  }

  /** Somebody else wrote to the session, or it was erased. */
  forget(session: SessionId): void {
    this.last.delete(session);
    this.bound.delete(session);
  }

  private keepBinding({ session, of = '', value }: SetFact): void {
    const bound = this.bound.get(session) ?? new Map<string, Json>();
    this.bound.set(session, bound.set(of, value as Json));
  }

  private mayBegin({ session, message }: MessageFact, fresh: Map<MessageId, string | null>): void {
    const { id, parent, label = null } = message;
    if (!messageId.test(id)) throw new HistoryError('invalid', new Error(`“${id}” is no message id.`));
    if (parent !== null && this.last.get(session) !== parent) {
      const beside = fresh.has(parent) ? fresh.get(parent) : this.labelOf(session, parent);
      // What a subagent wrote is on no path, so nothing of the conversation can go on from it.
      if (beside === undefined || (beside !== null && label === null)) throw new HistoryError('no-parent');
      if (!fresh.has(parent) && this.isTrashed(session, parent)) throw new HistoryError('trashed');
    }
    if (fresh.has(id)) throw new HistoryError('exists');
    if (this.erasure.hasMessage(id)) throw new HistoryError('erased');
    fresh.set(id, label);
  }

  /** One that is there would be ignored, and the caller would take it for kept. All in one question: each costs. */
  private mustBeNew(ids: readonly MessageId[]): void {
    const places = ids.map((_, at) => `?${at + 1}`).join(', ');
    const there = this.db.all(`SELECT id FROM message WHERE id IN (${places})`, ids);
    if (there.some(({ id }) => !this.failed.has(String(id)))) throw new HistoryError('exists');
  }

  private mustBeThere(session: SessionId, message: MessageId, fresh: ReadonlyMap<MessageId, string | null>): void {
    if (this.erasure.hasMessage(message)) throw new HistoryError('erased');
    if (this.last.get(session) === message || fresh.has(message)) return;
    if (this.labelOf(session, message) === undefined) throw new HistoryError('no-message');
  }

  private maySet(fact: SetFact, fresh: ReadonlyMap<MessageId, string | null>): void {
    const { session, name, of, from } = fact;
    for (const message of [of, from]) {
      if (message !== undefined && this.erasure.hasMessage(message)) throw new HistoryError('erased');
    }
    if (of !== undefined && ofMessages.has(name)) this.mustBeThere(session, of, fresh);
    if (isTooLarge(fact)) throw new HistoryError('too-large');
  }

  private hasSession(session: SessionId): boolean {
    return this.db.all(`SELECT 1 FROM session WHERE id = ?1 AND ${isThere}`, [session]).length > 0;
  }

  /** Undefined where there is no such message. */
  private labelOf(session: SessionId, message: MessageId): string | null | undefined {
    if (this.erasure.hasMessage(message)) throw new HistoryError('erased');
    const [row] = this.db.all('SELECT label FROM message WHERE id = ?1 AND session = ?2', [message, session]);
    return row && (row['label'] === null ? null : String(row['label']));
  }

  /** Undefined where the agent session was never bound. */
  private bindingOf(session: SessionId, of: string): Json | undefined {
    const own = this.bound.get(session)?.get(of);
    if (own !== undefined) return own;
    const [row] = this.db.all(
      "SELECT value FROM field WHERE session = ?1 AND name = 'binding' AND of = ?2 AND source = ''",
      [session, of],
    );
    return row && (JSON.parse(String(row['value'])) as Json);
  }

  private isTrashed(session: SessionId, message: MessageId): boolean {
    const rows = this.db.all(
      `SELECT of, value, max(h) FROM field WHERE session = ?1 AND name = 'trashed' AND of <> '' GROUP BY of`,
      [session],
    );
    if (rows.length === 0) return false;
    const trashed = new Set(rows.flatMap(({ of, value }) => (value === 'true' ? [of] : [])));
    const seen = new Set<string>();
    for (let at: string | null = message; at !== null && !seen.has(at); at = this.parentOf(at)) {
      if (trashed.has(at)) return true;
      seen.add(at);
    }
    return false;
  }

  private parentOf(message: MessageId): MessageId | null {
    const parent = this.db.all('SELECT parent FROM message WHERE id = ?1', [message])[0]?.['parent'];
    return typeof parent === 'string' ? parent : null;
  }
}
