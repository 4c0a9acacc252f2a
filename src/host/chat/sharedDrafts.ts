// What is typed and not sent, among the panels of one window that show the same session. Promises: words that one of them
// keeps are told to all the others and never back to the one that they come from. The disk is left to node/drafts.

import type { SessionId } from '../../model/message.ts';

/** `by` is the panel that the words come from. */
export type DraftListener = (session: SessionId, draft: string, by: object) => void;

export class SharedDrafts {
  private readonly listeners = new Set<DraftListener>();

  /** Answers how to stop. */
  listen(listener: DraftListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(session: SessionId, draft: string, by: object): void {
    for (const listener of this.listeners) listener(session, draft, by);
  }
}
