// What a history does not have of a session that comes in, as facts. Promises: of what is here nothing is said again, and
// what a person set here stays; a message that was cut off here and ended elsewhere is given its end; where a panel starts
// follows only where the session simply went on; what was erased here is left out, with all that answers it.

import { importedOrigin, type ExchangedSession } from '../../../core/exchange/exchange.ts';
import { fieldKey } from '../../../core/history/summary.ts';
import type { FileState } from '../../../model/changes.ts';
import type { Block, Bytes, Message, MessageId, SessionId } from '../../../model/message.ts';
import type { Fact } from '../../../model/record.ts';
import { fieldKeysIn } from '../export/exportJson.ts';
import { parseSegmentName } from '../journal/segmentName.ts';
import type { Queries } from '../queries.ts';
import type { Store } from '../store.ts';

export interface Coming {
  readonly session: ExchangedSession;
  readonly isHere: boolean;
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** The windows that live. */
  readonly alive: ReadonlySet<string>;
}

export interface Missing {
  readonly facts: readonly Fact[];
  readonly messages: number;
  /** Messages that stay away because they were deleted permanently. */
  readonly erased: number;
}

type Incoming = Omit<Message, 'session'>;

export function missingFacts(store: Store, queries: Queries, { session, isHere, bytes, alive }: Coming): Missing {
  const { id, created, agent, cwd, origin, systemPrompt, fields } = session;
  const facts: Fact[] = [];
  if (!isHere) {
    const more = { ...(cwd === undefined ? {} : { cwd }), ...(systemPrompt === undefined ? {} : { systemPrompt }) };
    facts.push({ type: 'session', session: id, created, agent, ...more, origin: importedOrigin(origin) });
  }
  const here = new Set(isHere ? queries.treeOf(id).rows.keys() : []);
  const gone = erasedIn(store, session.messages);
  let messages = 0;
  for (const message of parentsFirst(session.messages)) {
    if (gone.has(message.id)) continue;
    const whole = withBytes(message, bytes);
    if (!here.has(message.id)) {
      facts.push({ type: 'message', session: id, message: whole });
      messages++;
    } else facts.push(...restOf(store, queries, id, whole, alive));
  }
  const known = isHere ? fieldKeysIn(store, id) : new Set<string>();
  for (const { name, of, from, value } of fields) {
    if ((of !== undefined && gone.has(of)) || (from !== undefined && gone.has(from))) continue;
    if (name === 'head' && typeof value === 'string' && gone.has(value)) continue;
    const goesOn = name === 'head' && messages > 0 && typeof value === 'string' && isAfterHead(queries, session, value);
    if (known.has(fieldKey(name, of)) && !goesOn) continue;
    const rest = { ...(of === undefined ? {} : { of }), ...(from === undefined ? {} : { from }) };
    facts.push({ type: 'set', session: id, name, value, ...rest });
  }
  return { facts, messages, erased: gone.size };
}

/** What was erased here and comes again, with what answers it. */
function erasedIn({ erasure }: Store, messages: readonly Incoming[]): ReadonlySet<MessageId> {
  const gone = new Set<MessageId>();
  for (const { id, parent } of parentsFirst(messages)) {
    const answersErased = parent !== null && (gone.has(parent) || erasure.hasMessage(parent));
    if (erasure.hasMessage(id) || answersErased) gone.add(id);
  }
  return gone;
}

/** A child may be older than its parent, by the clocks of two machines. */
function parentsFirst(messages: readonly Incoming[]): readonly Incoming[] {
  const below = new Map<MessageId | null, Incoming[]>();
  const ids = new Set(messages.map(({ id }) => id));
  for (const message of messages) {
    const parent = message.parent !== null && ids.has(message.parent) ? message.parent : null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(message);
    else below.set(parent, [message]);
  }
  const found = [...(below.get(null) ?? [])];
  // It is walked into what is added to it.
  for (const { id } of found) for (const child of below.get(id) ?? []) found.push(child);
  return found;
}

/** Of a message that nobody writes any more and that has no end here, but has one there. */
function restOf(
  store: Store,
  queries: Queries,
  session: SessionId,
  message: Incoming,
  alive: ReadonlySet<string>,
): readonly Fact[] {
  if (!message.end) return [];
  const rows = store.db.all('SELECT segment, closes FROM piece WHERE session = ?1 AND message = ?2', [
    session,
    message.id,
  ]);
  if (rows.some(({ closes }) => closes === 1)) return [];
  const writers = rows.map(({ segment }) => parseSegmentName(String(segment))?.writer ?? '');
  if (writers.some(writer => writer === store.writer || alive.has(writer))) return [];
  const [ours] = queries.messages([message.id]);
  // Nothing that had arrived here is replaced by less.
  if (!ours || ours.blocks.length > message.blocks.length) return [];
  const blocks = message.blocks.map((block, at): Fact => ({ type: 'block', session, message: message.id, at, block }));
  return [...blocks, { type: 'end', session, message: message.id, end: message.end }];
}

/** The path that comes leads on from where a panel of this history starts. */
function isAfterHead(queries: Queries, { id, messages }: ExchangedSession, head: MessageId): boolean {
  const ours = queries.headOf(id);
  if (ours === null || ours === head) return false;
  const parents = new Map(messages.map(message => [message.id, message.parent]));
  for (let at = parents.get(head) ?? null; at !== null; at = parents.get(at) ?? null) if (at === ours) return true;
  return false;
}

/** What a stranger says that a file held is shown, and never put into a workspace. */
function withBytes(message: Incoming, bytes: ReadonlyMap<string, Uint8Array>): Incoming {
  const whole = (data: Bytes): Bytes => ('sha256' in data ? (bytes.get(data.sha256) ?? data) : data);
  const state = (one: FileState): FileState => {
    if (one.kind !== 'file' || one.content === undefined) return one;
    const { content, ...rest } = one;
    return { ...rest, elsewhere: whole(content) };
  };
  const blocks = message.blocks.map((block): Block => {
    if (block.kind === 'changes') {
      return {
        ...block,
        files: block.files.map(one => ({ ...one, before: state(one.before), after: state(one.after) })),
      };
    }
    return 'data' in block && block.data ? { ...block, data: whole(block.data) } : block;
  });
  return { ...message, blocks };
}
