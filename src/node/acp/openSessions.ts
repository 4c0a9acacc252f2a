// The sessions that an agent has open, and what it says in one whose id nobody knows yet, because the answer that tells it
// is on its way: updates overtake answers. Those are kept only while such an answer is expected, and not more than a
// bounded number of them.

import type { AcpSession } from './acpSession.ts';
import type { Standing } from './turnRule.ts';

const mostUnknown = 16;
const mostUpdates = 1000;

export class OpenSessions {
  private readonly sessions = new Map<string, AcpSession>();
  private readonly early = new Map<string, unknown[]>();
  private expected = 0;

  get(id: string): AcpSession | undefined {
    return this.sessions.get(id);
  }

  get all(): readonly AcpSession[] {
    return [...this.sessions.values()];
  }

  /** While an id is on its way, one that nobody knows yet may be that. */
  standing(id: string): Standing {
    return this.sessions.get(id)?.standing ?? { isKnown: this.expected > 0, turn: 'none' };
  }

  add(session: AcpSession): void {
    this.sessions.set(session.id, session);
  }

  /** What runs in it is ended. */
  remove(session: AcpSession): void {
    session.terminals.close();
    if (this.sessions.get(session.id) === session) this.sessions.delete(session.id);
  }

  /** An answer that tells a new id is under way; to be called again when it came, or will not come. */
  expectOne(): () => void {
    this.expected++;
    return () => {
      if (--this.expected === 0) this.early.clear();
    };
  }

  update(id: string, update: unknown): void {
    const session = this.sessions.get(id);
    if (session) return session.take(update);
    if (this.expected === 0) return;
    const kept = this.early.get(id);
    if (kept) {
      if (kept.length < mostUpdates) kept.push(update);
    } else if (this.early.size < mostUnknown) this.early.set(id, [update]);
  }

  /** What came before the session was known. */
  catchUp(session: Pick<AcpSession, 'id' | 'take'>): void {
    const kept = this.early.get(session.id) ?? [];
    this.early.delete(session.id);
    for (const update of kept) session.take(update);
  }
}
