// Hands what is typed to the host, which keeps it on the disk. Promises: words are on their way a moment after they were
// typed, and at once when the panel goes to another session or away; they are kept for the session that they were
// typed in; what the host has already is not sent again.

import type { SessionId } from '../../model/message.ts';
import type { Intent } from '../../model/intent.ts';
import type { HostEvent } from '../../model/wire.ts';

export interface DraftKeeper {
  readonly hear: (event: HostEvent) => void;
  readonly typed: (text: string) => void;
  readonly flush: () => void;
}

export function createDraftKeeper(post: (intent: Intent) => void, later: (run: () => void) => void): DraftKeeper {
  let session: SessionId | null = null;
  let kept = '';
  let text = '';
  let waiting = false;

  const flush = () => {
    waiting = false;
    if (session === null || text === kept) return;
    kept = text;
    post({ type: 'keepDraft', session, text });
  };
  return {
    flush,
    hear(event) {
      // Another panel had it kept: what is kept has changed, and what is typed here only where it is taken over.
      if (event.type === 'draftChanged') kept = event.draft;
      if (event.type !== 'snapshot' || event.transcript.session === session) return;
      flush();
      session = event.transcript.session;
      kept = text = event.draft;
    },
    typed(words) {
      text = words;
      if (waiting || session === null || text === kept) return;
      waiting = true;
      later(flush);
    },
  };
}
