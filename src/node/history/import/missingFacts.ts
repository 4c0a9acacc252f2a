// What a history does not have of a session that comes in, as facts. Promises: of a session that is here nothing changes
// but for new messages and what is said of them, and a message that was cut off here and that the file has to its end is
// completed, where all that is here of it is in the file; where a panel starts follows only where the session simply went
// on; what was erased here is left out, with all that answers it.

import { isDeepStrictEqual } from 'node:util';
import {
  importedOrigin,
  travelOf,
  type ExchangedField,
  type ExchangedSession,
} from '../../../core/exchange/exchange.ts';
import { asForeign, type FileState } from '../../../model/changes.ts';
import type { Block, Bytes, Message, MessageId, SessionId } from '../../../model/message.ts';
import type { Fact } from '../../../model/record.ts';
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
  const came = new Set<MessageId>();
  for (const message of parentsFirst(session.messages)) {
    if (gone.has(message.id)) continue;
    const whole = withBytes(message, bytes);
    if (!here.has(message.id)) {
      facts.push({ type: 'message', session: id, message: whole });
      came.add(message.id);
    } else facts.push(...restOf(store, queries, id, whole, alive));
  }
  const isNew = (message: MessageId) => came.has(message);
  for (const field of fields) {
    const { name, of, from, value } = field;
    if ((of !== undefined && gone.has(of)) || (from !== undefined && gone.has(from))) continue;
    if (name === 'head' && typeof value === 'string' && gone.has(value)) continue;
    if (!(isHere ? isTakenHere(queries, session, field, isNew) : travelOf(name)?.forNew)) continue;
    const rest = { ...(of === undefined ? {} : { of }), ...(from === undefined ? {} : { from }) };
    facts.push({ type: 'set', session: id, name, value, ...rest });
  }
  return { facts, messages: came.size, erased: gone.size };
}

/** Whether a field of the file is set of a session that is here. */
function isTakenHere(
  queries: Queries,
  session: ExchangedSession,
  { name, of, from, value }: ExchangedField,
  isNew: (message: MessageId) => boolean,
): boolean {
  switch (travelOf(name)?.forHere) {
    case 'newMessages':
      return of !== undefined && isNew(of) && (from === undefined || isNew(from));
    case 'goesOn':
      return typeof value === 'string' && isNew(value) && isAfterHead(queries, session, value);
    case 'never':
    case undefined:
      return false;
  }
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
  if (!ours || !isBeginningOf(ours, message)) return [];
  const blocks = message.blocks.map((block, at): Fact => ({ type: 'block', session, message: message.id, at, block }));
  return [...blocks, { type: 'end', session, message: message.id, end: message.end }];
}

/** Whether the other message only has more: nothing that had arrived here is replaced by something else. */
function isBeginningOf(ours: Incoming, other: Incoming): boolean {
  if (ours.role !== other.role || ours.parent !== other.parent) return false;
  const last = ours.blocks.length - 1;
  return ours.blocks.every((block, at) => {
    const theirs = other.blocks[at];
    if (theirs?.kind !== block.kind) return false;
    const isGrowing = at === last && (block.kind === 'text' || block.kind === 'thought');
    if (isGrowing && 'text' in theirs) return theirs.mime === block.mime && String(theirs.text).startsWith(block.text);
    return isDeepStrictEqual(block, theirs);
  });
}

/** The path that comes leads on from where a panel of this history starts. */
function isAfterHead(queries: Queries, { id, messages }: ExchangedSession, head: MessageId): boolean {
  const ours = queries.headOf(id);
  if (ours === null || ours === head) return false;
  const parents = new Map(messages.map(message => [message.id, message.parent]));
  for (let at = parents.get(head) ?? null; at !== null; at = parents.get(at) ?? null) if (at === ours) return true;
  return false;
}

/** The changes that a file names are shown, and never applied to a workspace. */
function withBytes(message: Incoming, bytes: ReadonlyMap<string, Uint8Array>): Incoming {
  const whole = (data: Bytes): Bytes => ('sha256' in data ? (bytes.get(data.sha256) ?? data) : data);
  const state = (one: FileState): FileState => {
    return one.kind === 'file' && one.content !== undefined ? { ...one, content: whole(one.content) } : one;
  };
  const blocks = message.blocks.map((block): Block => {
    if (block.kind === 'changes') {
      return {
        ...block,
        files: block.files.map(one => asForeign({ ...one, before: state(one.before), after: state(one.after) })),
      };
    }
    return 'data' in block && block.data ? { ...block, data: whole(block.data) } : block;
  });
  return { ...message, blocks };
}
