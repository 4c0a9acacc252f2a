// What a panel shows when its page boots: what it showed before, its empty new session included; and where it showed nothing
// before, the session that was active last, or an empty one, as the person wants it. Promises: a panel whose incognito
// session is gone goes on incognito, and says that it is another one.

import type { Memento } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { historyErrorIn } from '../../core/history/historyError.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { SessionId } from '../../model/message.ts';
import { isSessionId } from '../../node/ids.ts';
import type { Conversations } from './conversations.ts';

/** Which session the view in the side bar shows. The page knows it too, and a reload right after a change loses that. */
export interface LastShown {
  readonly get: () => SessionId | null;
  readonly set: (session: SessionId) => void;
}

export function lastShown(state: Memento): LastShown {
  return {
    get() {
      const kept = state.get<unknown>('shownSession');
      return typeof kept === 'string' && isSessionId(kept) ? kept : null;
    },
    // Nothing is kept of an incognito session.
    set: session => void state.update('shownSession', isIncognito(session) ? undefined : session),
  };
}

export interface RestoringPorts {
  readonly conversations: Pick<Conversations, 'getEnd' | 'fresh' | 'latest' | 'incognito' | 'isOpen'>;
  readonly opensEmpty: () => boolean;
  readonly tell: (words: string) => void;
}

export async function restore(
  session: SessionId | null,
  { conversations, opensEmpty, tell }: RestoringPorts,
): Promise<Conversation> {
  const first = () => (opensEmpty() ? conversations.fresh() : conversations.latest());
  if (session === null) return first();
  if (isIncognito(session) && !conversations.isOpen(session)) {
    // Who goes on typing here believes that nothing of it is kept, and that stays so.
    tell('The incognito session ended with its window, and nothing of it was kept here. This is a new one.');
    return conversations.incognito();
  }
  try {
    return await conversations.getEnd(session);
  } catch (cause) {
    if (historyErrorIn(cause)?.code !== 'no-session') throw cause;
    return isSessionId(session) ? conversations.fresh(session) : first();
  }
}
