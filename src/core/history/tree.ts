// The tree of one session, walked in memory over its rows. A parent that is not there (it may still arrive from another
// window) makes its child a root for now; a cycle, which only a damaged file can hold, ends the walk.

import type { MessageId } from '../../model/message.ts';

export interface TreeRow {
  readonly id: MessageId;
  readonly parent: MessageId | null;
}

/** From the root to `head`, both included; empty where the head is null or unknown. */
export function pathTo(rows: Iterable<TreeRow>, head: MessageId | null): readonly MessageId[] {
  const parents = new Map<MessageId, MessageId | null>();
  for (const row of rows) parents.set(row.id, row.parent);
  const path: MessageId[] = [];
  const seen = new Set<MessageId>();
  for (let at = head; at !== null && parents.has(at) && !seen.has(at); at = parents.get(at) ?? null) {
    seen.add(at);
    path.push(at);
  }
  return path.reverse();
}
