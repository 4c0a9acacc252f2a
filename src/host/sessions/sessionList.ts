// The sessions as history lists them, kept so that after a change only what changed is asked for. Promises: what it gives is
// in the order of history, the last active first; where much changed at once, all is asked for again.

import type { SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';

export interface SessionListPorts {
  /** Of all sessions, or of these. */
  readonly list: (of?: readonly SessionId[]) => Promise<readonly SessionSummary[]>;
  /** The sessions that may have more than one line. */
  readonly forked: (of?: readonly SessionId[]) => Promise<ReadonlySet<SessionId>>;
}

const mostChanged = 50;

export class SessionList {
  /** Those with branches, or with something that a subagent said. */
  forked: ReadonlySet<SessionId> = new Set();
  private known: ReadonlyMap<SessionId, SessionSummary> | null = null;
  private readonly ports: SessionListPorts;

  constructor(ports: SessionListPorts) {
    this.ports = ports;
  }

  /** `changed` are those that may be otherwise since the last time; null where nothing is known. */
  async read(changed: readonly SessionId[] | null): Promise<readonly SessionSummary[]> {
    const { ports, known } = this;
    const some = known && changed && changed.length <= mostChanged ? changed : undefined;
    const summaries = new Map(some && known);
    if (!some || some.length > 0) {
      const [listed, forked] = await Promise.all([ports.list(some), ports.forked(some)]);
      const others = some ? [...this.forked].filter(id => !some.includes(id)) : [];
      this.forked = new Set([...others, ...forked]);
      for (const id of some ?? []) summaries.delete(id);
      for (const summary of listed) summaries.set(summary.id, summary);
    }
    this.known = summaries;
    return [...summaries.values()].toSorted((one, other) => other.active - one.active || (one.id < other.id ? -1 : 1));
  }
}
