// What another window wrote, merged into what is shown here. Pure.

import { textOf, type Message, type MessageId } from '../../model/message.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { StoredFields } from '../history/history.ts';
import { decidedIn } from './decisions.ts';

/**
 * Of one that ended, only where it stands can be other than it was here: two windows may have begun it in the same moment,
 * and history has one of them.
 */
export function isSameMessages(ours: readonly Message[], theirs: readonly Message[]): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every((message, at) => {
    const other = theirs[at];
    if (message === other || !other) return message === other;
    if (!message.end) return JSON.stringify(message) === JSON.stringify(other);
    return message.id === other.id && message.parent === other.parent && textOf(message) === textOf(other);
  });
}

/** What the session is set to by now, as far as it is shown otherwise. */
export function mergeFields(transcript: Transcript, stored: StoredFields): readonly TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  const { title, trashed, decided } = transcript;
  if (stored.title !== '' && stored.title !== title) events.push({ type: 'titleChanged', title: stored.title });
  if (stored.trashed !== trashed) events.push({ type: 'trashedChanged', trashed: stored.trashed });
  const storedDecided = decidedIn(stored.decisions);
  // Here they stand in the order in which they were decided here.
  const inOrder = (all: Transcript['decided']) => JSON.stringify(all.map(one => JSON.stringify(one)).toSorted());
  if (inOrder(storedDecided.map(({ message, path, decision }) => ({ message, path, decision }))) !== inOrder(decided)) {
    events.push({ type: 'decidedChanged', decided: storedDecided });
  }
  return events;
}

/**
 * The path to the session's head, made of the path that is shown and of the messages that changed. `beside` where the head
 * is not on a way that goes on from what is shown; null where these messages do not tell.
 */
export function mergePath(
  shown: readonly Message[],
  changed: readonly Message[],
  head: MessageId | null,
): readonly Message[] | 'beside' | null {
  const news = new Map(changed.map(message => [message.id, message]));
  const known = new Set(shown.map(({ id }) => id));
  const added: Message[] = [];
  let at = head;
  while (at !== null && !known.has(at)) {
    const message = news.get(at);
    // Of a cycle, which only damage can make, nothing is taken.
    if (!message || added.length > news.size) return null;
    added.push(message);
    at = message.parent;
  }
  if (at !== (shown.at(-1)?.id ?? null)) return 'beside';
  return [...shown.map(message => news.get(message.id) ?? message), ...added.reverse()];
}
