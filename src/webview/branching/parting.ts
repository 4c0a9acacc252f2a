// Where two paths of one conversation part. Pure, so that a table can prove it.

import type { MessageId } from '../../model/message.ts';

/** The place among `after`, which begins at `first`, of the first message that is another one; null where the path only went on. */
export function partingOf(
  before: { readonly first: number; readonly ids: readonly MessageId[] },
  first: number,
  after: readonly MessageId[],
): number | null {
  // Of a long path the panel has the end, and more of it with time.
  const from = Math.max(0, first - before.first);
  const shift = before.first - first;
  for (let place = from; place < before.ids.length; place++) {
    if (before.ids[place] !== after[place + shift]) return place + shift;
  }
  return null;
}
