// Where two paths of one conversation part. Pure, so that a table can prove it.

import type { MessageId } from '../../model/message.ts';

/** The place of the first message that is not there any more; null where the path only went on. */
export function partingOf(before: readonly MessageId[], after: readonly MessageId[]): number | null {
  const at = before.findIndex((id, place) => id !== after[place]);
  return at < 0 ? null : at;
}
