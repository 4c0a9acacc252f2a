// How queued prompts are kept in history. Short ones stand in the value of `queue`, in the shape that every version reads.
// A long one, or one with pictures, stands in a `queued` field of its own, whose content history moves to blobs, and the
// list has its id only: an older version passes it over and leaves it where it is. `from` is the message that the prompt
// will become, so that erasing that message erases what was queued.

import type { Queued } from '../../model/agentState.ts';
import { hasBytes } from '../../model/attachment.ts';
import type { Json, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, QueuedValue } from '../../model/record.ts';
import type { StoredQueued, StoredSession } from '../history/history.ts';
import { attachedIn, attachedValue } from './attaching.ts';

/** In characters of JSON: of one prompt in the list, and of all of them. */
const longestInList = 8 * 1024;
const longestList = 128 * 1024;

/** A queued prompt as it stands in a field of its own. */
export interface Apart {
  readonly queued: Queued;
  /** The id that its message will have. */
  readonly message: MessageId;
}

export interface QueueRecord {
  readonly facts: readonly Fact[];
  readonly apart: ReadonlyMap<string, Apart>;
}

/** `before` is what stands in fields of its own so far: what did not change is not written again. */
export function recordQueue(
  queue: readonly Queued[],
  before: ReadonlyMap<string, Apart>,
  { session, writer, newMessage }: { session: SessionId; writer: string; newMessage: () => MessageId },
): QueueRecord {
  const list: Json[] = [];
  const apart = new Map<string, Apart>();
  const facts: Fact[] = [];
  const setQueued = (of: string, from: MessageId, value: QueuedValue | null) =>
    facts.push({ type: 'set', session, name: 'queued', of, from, value });
  let length = 0;
  for (const queued of queue) {
    const known = before.get(queued.id);
    const isKept = known !== undefined && isSame(known.queued, queued);
    const inList = isKept ? null : listed(queued);
    const more = inList === null ? Infinity : JSON.stringify(inList).length;
    if (more <= longestInList && length + more <= longestList) {
      list.push(inList);
      length += more;
      continue;
    }
    list.push({ id: queued.id });
    const message = known?.message ?? newMessage();
    apart.set(queued.id, { queued, message });
    if (!isKept) setQueued(queued.id, message, valueOf(queued, message));
  }
  for (const [id, { message }] of before) if (!apart.has(id)) setQueued(id, message, null);
  // The list is last: with it, the record is whole.
  facts.push({ type: 'set', session, name: 'queue', value: { writer, waiting: list } });
  return { facts, apart };
}

/** What waited when its window went, in its order. */
export function restoreQueue({ queue, queued }: Pick<StoredSession, 'queue' | 'queued'>): {
  readonly queue: readonly Queued[];
  readonly apart: ReadonlyMap<string, Apart>;
} {
  const apart = new Map(queued.map(one => [one.id, restore(one)]));
  const waiting = jsonField(queue, 'waiting');
  const list = Array.isArray(waiting) ? (waiting as readonly Json[]) : [];
  const found = list.flatMap((one): readonly Queued[] => {
    const [id, text] = [jsonField(one, 'id'), jsonField(one, 'text')];
    if (typeof id !== 'string') return [];
    const own = apart.get(id)?.queued;
    if (typeof text !== 'string') return own ? [own] : [];
    const attached = attachedIn(jsonField(one, 'attached'));
    return [{ id, text, ...(attached.length > 0 ? { attached } : {}) }];
  });
  const ids = new Set(found.map(({ id }) => id));
  // An older version does not know these, and left them out when it wrote the list.
  const leftOut = [...apart.values()].flatMap(one => (ids.has(one.queued.id) ? [] : [one.queued]));
  return { queue: [...found, ...leftOut], apart };
}

/** A window that lives sends what waits in it: it is the others' only when that window is gone. */
export function writerOfQueue(value: Json): string | null {
  const writer = jsonField(value, 'writer');
  return typeof writer === 'string' ? writer : null;
}

/** Null for what has bytes. */
function listed({ id, text, attached }: Queued): Json {
  if (attached?.some(({ block }) => hasBytes(block.data))) return null;
  return { id, text, ...(attached ? { attached: attachedValue(attached) } : {}) };
}

function valueOf({ text, attached = [] }: Queued, message: MessageId): QueuedValue {
  const data: Uint8Array[] = [];
  const value = attachedValue(attached, bytes => data.push(bytes) - 1);
  return { content: JSON.stringify({ message, text, attached: value }), data };
}

function restore({ id, message, content, data }: StoredQueued): Apart {
  const value = parsed(content);
  const text = jsonField(value, 'text');
  if (typeof text !== 'string') {
    const words = 'This queued prompt can’t be read: its file is gone from the history folder or is damaged.';
    return { message, queued: { id, text: '', trouble: words } };
  }
  const all = jsonField(value, 'attached');
  const attached = attachedIn(all, at => (typeof at === 'number' ? (data[at] ?? null) : null));
  const isWhole = !Array.isArray(all) || attached.length === all.length;
  return {
    message,
    queued: {
      id,
      text,
      ...(attached.length > 0 ? { attached } : {}),
      ...(isWhole ? {} : { trouble: 'Something that was attached can’t be read. Edit the prompt to attach it again.' }),
    },
  };
}

function isSame(one: Queued, other: Queued): boolean {
  return one.text === other.text && one.attached === other.attached;
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
