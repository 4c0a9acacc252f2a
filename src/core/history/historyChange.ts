// What is told when something is written into a history or taken out of it: which messages and which fields, never what
// they say. Several records may be joined into one change of their session. Pure.

import type { MessageId, SessionId } from '../../model/message.ts';
import type { Fact, FieldName } from '../../model/record.ts';

export interface HistoryChange {
  readonly session: SessionId;
  /** The window that wrote it; null where several did, or it isn't known. */
  readonly writer: string | null;
  /** The messages that were begun or went on. */
  readonly messages: readonly MessageId[];
  /** The fields of the session that were set. */
  readonly fields: readonly FieldName[];
  /** Messages only went on: none began or ended, and nothing was set. Lists and trees show nothing of that. */
  readonly textOnly: boolean;
  /**
   * Something was erased, or so much changed (a restart of the worker, a rebuild, a file that came or went) that a reader
   * must look at everything.
   */
  readonly all: boolean;
}

/** A longer list says no more than that much changed. */
const mostNamed = 100;

export function changedAltogether(session: SessionId): HistoryChange {
  return { session, writer: null, messages: [], fields: [], textOnly: false, all: true };
}

/** The facts of one record of the session. */
export function changeBy(writer: string, session: SessionId, facts: readonly Fact[]): HistoryChange {
  const messages = new Set<MessageId>();
  const fields = new Set<FieldName>();
  for (const fact of facts) {
    switch (fact.type) {
      case 'message':
        messages.add(fact.message.id);
        break;
      case 'block':
      case 'text':
      case 'end':
        messages.add(fact.message);
        break;
      case 'set':
        fields.add(fact.name);
        break;
      default:
        // The beginning of a session, and what a later version writes.
        break;
    }
  }
  const textOnly = facts.length > 0 && facts.every(({ type }) => type === 'block' || type === 'text');
  return whole({ session, writer, messages: [...messages], fields: [...fields], textOnly, all: false });
}

/** Two changes of one session as one. */
export function joinChanges(one: HistoryChange, other: HistoryChange): HistoryChange {
  return whole({
    session: one.session,
    writer: one.writer === other.writer ? one.writer : null,
    messages: [...new Set([...one.messages, ...other.messages])],
    fields: [...new Set([...one.fields, ...other.fields])],
    textOnly: one.textOnly && other.textOnly,
    all: one.all || other.all,
  });
}

function whole(change: HistoryChange): HistoryChange {
  return change.messages.length > mostNamed ? { ...change, messages: [], textOnly: false, all: true } : change;
}

/** The changes that nobody has been told of yet, one for each session, in the order in which the sessions first changed. */
export class ChangeLog {
  private readonly changes = new Map<SessionId, HistoryChange>();

  add(change: HistoryChange): void {
    const known = this.changes.get(change.session);
    this.changes.set(change.session, known ? joinChanges(known, change) : change);
  }

  take(): readonly HistoryChange[] {
    const changes = [...this.changes.values()];
    this.changes.clear();
    return changes;
  }
}
