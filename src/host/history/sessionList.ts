// The sessions of this window's history, listed once: after a change only what changed is asked for. It is in the order
// of history, the last active first.

import type { SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';

/** Asks history for all sessions, or for these. */
export type ListSessions = (of?: readonly SessionId[]) => Promise<readonly SessionSummary[]>;

/** Where more changed at once, all are asked for. */
const mostChanged = 50;

export class SessionList {
  private known: ReadonlyMap<SessionId, SessionSummary> | null = null;
  private readonly changes = new Set<SessionId>();
  /** The last answer, also while it is on its way. */
  private latest: Promise<readonly SessionSummary[]> | null = null;
  private readonly list: ListSessions;

  constructor(list: ListSessions) {
    this.list = list;
  }

  /** The session may be other than it was when it was last read, or gone. */
  changed(session: SessionId): void {
    this.changes.add(session);
  }

  /** Asks nothing where nothing changed; whoever reads meanwhile gets the same answer. */
  read(): Promise<readonly SessionSummary[]> {
    if (this.latest && this.changes.size === 0) return this.latest;
    const latest = this.readAfter(this.latest).catch((cause: unknown) => {
      this.known = null;
      if (this.latest === latest) this.latest = null;
      throw cause;
    });
    this.latest = latest;
    return latest;
  }

  private async readAfter(before: Promise<unknown> | null): Promise<readonly SessionSummary[]> {
    const changes = [...this.changes];
    this.changes.clear();
    await before?.catch(() => {});
    const { known } = this;
    const some = known && changes.length <= mostChanged ? changes : undefined;
    const summaries = new Map(some && known);
    for (const id of changes) summaries.delete(id);
    for (const summary of await this.list(some)) summaries.set(summary.id, summary);
    this.known = summaries;
    return [...summaries.values()].toSorted((one, other) => other.active - one.active || (one.id < other.id ? -1 : 1));
  }
}
