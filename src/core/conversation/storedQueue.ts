// How queued prompts are kept in history: each is a `queued` field of its own, named by the id that its message will have,
// with the window that is to send it and its place among the others. So what one window queues, changes or sends never
// takes anything from another's; a prompt in other words is another message. `from` is that message too, so that erasing it
// erases what was queued. Windows of f23b1dd kept one list for all windows in `queue`: what is left there is read.

import type { Queued } from '../../model/agentState.ts';
import type { Json, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, QueuedValue } from '../../model/record.ts';
import type { StoredFields, StoredQueued } from '../history/history.ts';
import { attachedIn, attachedValue } from './attaching.ts';

export interface KeptQueued {
  readonly queued: Queued;
  /** The id that its message will have. */
  readonly message: MessageId;
  /** Smaller is earlier. */
  readonly position: number;
  /** The name of its field; null where it has none yet, or stands in the list of an older version. */
  readonly field: string | null;
  /** This window wrote that it waits; else one did that is gone. */
  readonly isOwn: boolean;
}

/** Says that it waits, and that this window is to send it. */
export function queuedFact(session: SessionId, kept: KeptQueued, writer: string): Fact {
  const { message, position } = kept;
  const value: QueuedValue = { ...valueOf(kept), writer, position };
  return { type: 'set', session, name: 'queued', of: message, from: message, value };
}

/** Says that it waits no more. */
export function dequeuedFacts(session: SessionId, { field, message }: KeptQueued): readonly Fact[] {
  return field === null ? [] : [{ type: 'set', session, name: 'queued', of: field, from: message, value: null }];
}

/** What an older version listed is in fields of its own from now on. */
export function emptyListFact(session: SessionId, writer: string): Fact {
  return { type: 'set', session, name: 'queue', value: { writer, waiting: [] } };
}

/** What waits, in its order, of windows that are gone and of this one. `newMessage` is for what has no id yet. */
export function restoreQueue(
  { queue, queued }: Pick<StoredFields, 'queue' | 'queued'>,
  newMessage: () => MessageId,
): readonly KeptQueued[] {
  const fields = queued.map(restore);
  const waiting = jsonField(queue, 'waiting');
  const list = Array.isArray(waiting) ? (waiting as readonly Json[]) : [];
  const listed = list.flatMap((one, at): readonly KeptQueued[] => {
    const [id, text] = [jsonField(one, 'id'), jsonField(one, 'text')];
    if (typeof id !== 'string') return [];
    // What was long stands in a field of its own; the list had its place.
    const own = fields.find(({ field }) => field === id);
    const position = at - list.length;
    if (typeof text !== 'string') return own ? [{ ...own, position }] : [];
    const attached = attachedIn(jsonField(one, 'attached'));
    const waits = { id, text, ...(attached.length > 0 ? { attached } : {}) };
    return [{ queued: waits, message: messageOf(id) ?? newMessage(), position, field: null, isOwn: false }];
  });
  const ids = new Set(listed.map(({ queued: { id } }) => id));
  const all = [...listed, ...fields.filter(({ queued: { id } }) => !ids.has(id))];
  return withOwnIds(all.toSorted((one, other) => one.position - other.position));
}

/** Two windows may have changed the words of one prompt: then there are two. */
export function withOwnIds(all: readonly KeptQueued[], taken: Iterable<string> = []): readonly KeptQueued[] {
  const ids = new Set(taken);
  return all.map(kept => {
    const isTaken = ids.has(kept.queued.id);
    const queued = isTaken ? { ...kept.queued, id: kept.message } : kept.queued;
    ids.add(queued.id);
    return isTaken ? { ...kept, queued } : kept;
  });
}

/** The same in each window that takes the list over, so that history takes one of them. */
function messageOf(id: string): MessageId | null {
  // Two characters for each, so that no two ids give the same.
  const codes = Array.from(id, character => (character.codePointAt(0) ?? 0).toString(36).padStart(2, '0'));
  const message = `queued${codes.join('')}`;
  return message.length <= 64 && codes.every(code => code.length === 2) ? message : null;
}

/** A window that lives sends what waits in it: it is the others' only when that window is gone. */
export function writerOfQueue(value: Json): string | null {
  const writer = jsonField(value, 'writer');
  return typeof writer === 'string' ? writer : null;
}

function valueOf({ queued: { id, text, attached = [] }, message }: KeptQueued): QueuedValue {
  const data: Uint8Array[] = [];
  const value = attachedValue(attached, bytes => data.push(bytes) - 1);
  return { content: JSON.stringify({ id, message, text, attached: value }), data };
}

function restore({ field, message, position, content, data }: StoredQueued): KeptQueued {
  const kept = { message, position: position ?? 0, field, isOwn: false };
  const value = parsed(content);
  const [id, text] = [jsonField(value, 'id'), jsonField(value, 'text')];
  if (typeof text !== 'string') {
    const words = 'This queued prompt can’t be read: its file is gone from the history folder or is damaged.';
    return { ...kept, queued: { id: field, text: '', trouble: words } };
  }
  const all = jsonField(value, 'attached');
  const attached = attachedIn(all, at => (typeof at === 'number' ? (data[at] ?? null) : null));
  const isWhole = !Array.isArray(all) || attached.length === all.length;
  return {
    ...kept,
    queued: {
      // A window before this one named the field by it.
      id: typeof id === 'string' ? id : field,
      text,
      ...(attached.length > 0 ? { attached } : {}),
      ...(isWhole ? {} : { trouble: 'Something that was attached can’t be read. Edit the prompt to attach it again.' }),
    },
  };
}

function parsed(content: string | null): Json {
  try {
    return content === null ? null : (JSON.parse(content) as Json);
  } catch {
    // A damaged file is told like one that is gone.
    return null;
  }
}

function jsonField(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [field: string]: Json })[name];
}
