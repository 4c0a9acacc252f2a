// The text of what is attached, at the moment at which it goes out: of a past session, what history has of it, bounded; of a
// file, what the files give.

import type { AttachingPorts } from '../../core/conversation/attaching.ts';
import { contextText } from '../../core/conversation/context.ts';
import type { History } from '../../core/history/history.ts';
import { sessionIn } from '../../model/attachment.ts';

type AttachedText = NonNullable<AttachingPorts['attachedText']>;

export function attachedTextIn(history: () => Promise<Pick<History, 'open'>>, files: AttachedText): AttachedText {
  return async (uri, signal) => {
    const session = sessionIn(uri);
    if (session === null) return files(uri, signal);
    const stored = await (await history()).open(session).catch(() => undefined);
    // Whoever attached it did not see it go, and the agent could not open its address.
    return stored ? contextText(stored) : 'This session is not in the history any more.';
  };
}
