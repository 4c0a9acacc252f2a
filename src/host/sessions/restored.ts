// Which sessions came back while a person was asked whether they shall go for ever: another window, or another part of this one,
// restored them, and who said yes did not mean those.

import type { History, SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';

/** Those that were in the trash and are not any more. */
export async function restoredOf(
  sessions: readonly SessionSummary[],
  history: Pick<History, 'sessions'>,
): Promise<ReadonlySet<SessionId>> {
  const trashed = sessions.flatMap(one => (one.trashed ? [one.id] : []));
  if (trashed.length === 0) return new Set();
  const now = await history.sessions({ ids: trashed });
  return new Set(now.flatMap(one => (one.trashed ? [] : [one.id])));
}
