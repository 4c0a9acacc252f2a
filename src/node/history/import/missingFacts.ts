// What a history does not have of a session that comes in, as facts. Promises: of a session that is here nothing changes
// but for new messages and what is said of them, and a message that was cut off here and that the file has to its end is
// completed, where all that is here of it is in the file; where a panel starts follows only where the session simply went
// on; what was erased here is left out, with all that answers it. What a message holds is asked for when it is its turn.

import { isDeepStrictEqual } from 'node:util';
import {
  importedOrigin,
  travelOf,
  type ExchangedField,
  type ExchangedOutline,
  type MessageOutline,
} from '../../../core/exchange/exchange.ts';
import { KeptBlob, putTexts, type KeepBlob } from '../../../core/history/blobs.ts';
import { formerSystemPromptKey } from '../index/sessionSummary.ts';
import { asForeign, statesOf, type FileChange, type FileState } from '../../../model/changes.ts';
import type { Block, Bytes, Message, MessageId } from '../../../model/message.ts';
import type { Fact } from '../../../model/record.ts';
import { parseSegmentName } from '../journal/segmentName.ts';
import { headOf, treeOf } from '../index/messageTree.ts';
import { readMessages } from '../index/readMessages.ts';
import type { Store } from '../store.ts';
import type { Incoming } from './incoming.ts';
import { partLength, type MessagePart } from './exchangeFile.ts';
import type { FactSource } from './writeSession.ts';

/** What is asked of the file when it is needed; both throw Refused. */
export interface ExchangeContent {
  readonly message: (at: number, from: number) => Promise<MessagePart>;
  readonly blob: (hash: string) => Promise<Uint8Array<ArrayBuffer>>;
}

export interface Coming extends Incoming {
  readonly content: ExchangeContent;
  /** The windows that live. */
  readonly alive: ReadonlySet<string>;
}

export interface Missing {
  /** Null where everything is here. */
  readonly facts: FactSource | null;
  readonly messages: number;
  /** Messages that stay away because they were deleted permanently. */
  readonly erased: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const factsInBatch = 16;
/** What a message that is completed may have: it is compared as a whole with what is here. */
const mostCompared = 1000;

export async function missingFacts(store: Store, coming: Coming): Promise<Missing> {
  const { session, isHere, content, alive } = coming;
  const { id, created, agent, cwd, origin, systemPrompt, fields } = session;
  const first: Fact[] = [];
  if (!isHere) {
    const more = { ...(cwd === undefined ? {} : { cwd }), ...(systemPrompt === undefined ? {} : { systemPrompt }) };
    first.push({ type: 'session', session: id, created, agent, ...more, origin: importedOrigin(origin) });
  }
  const here = new Set(isHere ? treeOf(store.db, id).rows.keys() : []);
  const sorted = parentsFirst(session.messages);
  const gone = erasedIn(store, sorted);
  const came = new Set<MessageId>();
  const completed = new Set<MessageId>();
  const wanted: MessageOutline[] = [];
  for (const message of sorted) {
    if (gone.has(message.id)) continue;
    if (!here.has(message.id)) came.add(message.id);
    else if (isCutOff(store, coming, message, alive) && (await hasMore(store, coming, message)))
      completed.add(message.id);
    else continue;
    wanted.push(message);
  }
  const sets = fields.flatMap((field): readonly Fact[] => {
    const { name, of, from, value } = field;
    if ((of !== undefined && gone.has(of)) || (from !== undefined && gone.has(from))) return [];
    if (name === 'head' && typeof value === 'string' && gone.has(value)) return [];
    if (!(isHere ? isTakenHere(store, session, field, one => came.has(one)) : travelOf(name)?.forNew)) return [];
    const rest = { ...(of === undefined ? {} : { of }), ...(from === undefined ? {} : { from }) };
    // A file has it as older versions kept it.
    if (name === 'metadata' && of === formerSystemPromptKey && typeof value === 'string') {
      const said = from === undefined ? {} : { from };
      return [{ type: 'set', session: id, name: 'systemPrompt', value: { content: value }, ...said }];
    }
    return [{ type: 'set', session: id, name, value, ...rest }];
  });
  const counted = { messages: came.size, erased: gone.size };
  if (first.length + wanted.length + sets.length === 0) return { ...counted, facts: null };
  const facts: FactSource = async function* (keep) {
    const kept = keeper(session, content, keep);
    let [batch, length] = [[...first], 0];
    for (const message of wanted) {
      for await (const part of factsOf(coming, message, completed.has(message.id), kept)) {
        batch.push(...part.facts);
        length += part.length;
        if (length < partLength && batch.length < factsInBatch) continue;
        yield batch;
        [batch, length] = [[], 0];
      }
    }
    for (const set of sets) {
      batch.push(set);
      if (batch.length < factsInBatch) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };
  return { ...counted, facts };
}

/** A message that is long comes in parts. */
async function* factsOf(
  { session, rename, content }: Coming,
  { id, at }: MessageOutline,
  isHere: boolean,
  kept: (part: MessagePart) => Promise<readonly Block[]>,
): AsyncGenerator<{ readonly facts: readonly Fact[]; readonly length: number }> {
  let count = 0;
  for (let from: number | null = 0; from !== null;) {
    const part: MessagePart = await content.message(at, from);
    const { end, ...begun } = renamed(part.message, rename);
    const blocks = await kept(part);
    const isWhole = from === 0 && part.next === null && !isHere;
    const facts: Fact[] = [];
    if (isWhole) {
      facts.push({ type: 'message', session: session.id, message: { ...begun, blocks, ...(end ? { end } : {}) } });
    } else {
      if (from === 0 && !isHere)
        facts.push({ type: 'message', session: session.id, message: { ...begun, blocks: [] } });
      for (const block of blocks) facts.push({ type: 'block', session: session.id, message: id, at: count++, block });
      if (part.next === null && end) facts.push({ type: 'end', session: session.id, message: id, end });
    }
    from = part.next;
    yield { facts, length: part.length };
  }
}

function renamed(message: Omit<Message, 'session'>, to: (id: MessageId) => MessageId): Omit<Message, 'session'> {
  return {
    ...message,
    id: to(message.id),
    parent: message.parent === null ? null : to(message.parent),
    ...(message.covers === undefined ? {} : { covers: to(message.covers) }),
    ...(message.leftOut === undefined ? {} : { leftOut: message.leftOut.map(to) }),
  };
}

/** Whether a field of the file is set of a session that is here. */
function isTakenHere(
  store: Store,
  session: ExchangedOutline,
  { name, of, from, value }: ExchangedField,
  isNew: (message: MessageId) => boolean,
): boolean {
  switch (travelOf(name)?.forHere) {
    case 'newMessages':
      return of !== undefined && isNew(of) && (from === undefined || isNew(from));
    case 'goesOn':
      return typeof value === 'string' && isNew(value) && isAfterHead(store, session, value);
    case 'never':
    case undefined:
      return false;
  }
}

/** What was erased here and comes again, with what answers it. */
function erasedIn({ erasure }: Store, sorted: readonly MessageOutline[]): ReadonlySet<MessageId> {
  const gone = new Set<MessageId>();
  for (const { id, parent } of sorted) {
    const answersErased = parent !== null && (gone.has(parent) || erasure.hasMessage(parent));
    if (erasure.hasMessage(id) || answersErased) gone.add(id);
  }
  return gone;
}

/** A child may be older than its parent, by the clocks of two machines. */
function parentsFirst(messages: readonly MessageOutline[]): readonly MessageOutline[] {
  const below = new Map<MessageId | null, MessageOutline[]>();
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

/** Whether nobody writes the message any more, and it has no end here, but one in the file. */
function isCutOff(store: Store, { session }: Coming, message: MessageOutline, alive: ReadonlySet<string>): boolean {
  if (!message.hasEnded) return false;
  const rows = store.db.all('SELECT segment, closes FROM piece WHERE session = ?1 AND message = ?2', [
    session.id,
    message.id,
  ]);
  if (rows.some(({ closes }) => closes === 1)) return false;
  const writers = rows.map(({ segment }) => parseSegmentName(String(segment))?.writer ?? '');
  return !writers.some(writer => writer === store.writer || alive.has(writer));
}

/** Whether the file only has more of the message: nothing that had arrived here is replaced by something else. */
async function hasMore(store: Store, coming: Coming, { id, at }: MessageOutline): Promise<boolean> {
  const [ours] = readMessages(store, [id]);
  if (!ours || ours.blocks.length > mostCompared) return false;
  const theirs: Block[] = [];
  for (let from: number | null = 0; from !== null && theirs.length < ours.blocks.length;) {
    const part: MessagePart = await coming.content.message(at, from);
    const { role, parent } = renamed(part.message, coming.rename);
    if (role !== ours.role || parent !== ours.parent) return false;
    theirs.push(...putTexts(part.blocks, part.texts, bytes => decoder.decode(bytes)));
    from = part.next;
  }
  const last = ours.blocks.length - 1;
  return ours.blocks.every((block, place) => {
    const other = theirs[place];
    if (other?.kind !== block.kind) return false;
    const isGrowing = place === last && (block.kind === 'text' || block.kind === 'thought');
    if (isGrowing && 'text' in other) return other.mime === block.mime && String(other.text).startsWith(block.text);
    return isDeepStrictEqual(block, foreign(other));
  });
}

/** The path that comes leads on from where a panel of this history starts. */
function isAfterHead(store: Store, { id, messages }: ExchangedOutline, head: MessageId): boolean {
  const ours = headOf(store.db, id);
  if (ours === null || ours === head) return false;
  const parents = new Map(messages.map(message => [message.id, message.parent]));
  for (let at = parents.get(head) ?? null; at !== null; at = parents.get(at) ?? null) if (at === ours) return true;
  return false;
}

/**
 * Gives blocks whose content is kept, one after another: what an attachment or a long text holds is in memory for so long
 * only, and no longer than needed, because what is left to the collector stays for much longer.
 */
function keeper(
  { blobs }: ExchangedOutline,
  content: ExchangeContent,
  keep: KeepBlob,
): (part: MessagePart) => Promise<readonly Block[]> {
  const known = new Map<string, KeptBlob>();
  const keepBytes = (content: Uint8Array<ArrayBuffer>, as: 'bytes' | 'text'): KeptBlob => {
    const kept = new KeptBlob(keep(content), as);
    // Its memory is free from now on.
    content.buffer.transfer(0);
    return kept;
  };
  const bytes = async (data: Bytes): Promise<Bytes> => {
    if (!('sha256' in data) || !blobs.has(data.sha256)) return data;
    let kept = known.get(data.sha256);
    if (!kept) known.set(data.sha256, (kept = keepBytes(await content.blob(data.sha256), 'bytes')));
    return kept;
  };
  const state = async (one: FileState): Promise<FileState> =>
    one.kind === 'file' && one.content !== undefined ? { ...one, content: await bytes(one.content) } : one;
  const keepBlock = async (block: Block): Promise<Block> => {
    if (block.kind !== 'changes')
      return 'data' in block && block.data ? { ...block, data: await bytes(block.data) } : block;
    const files: FileChange[] = [];
    for (const change of block.files) {
      const { before, after } = statesOf(change);
      files.push(asForeign({ ...change, before: await state(before), after: await state(after) }));
    }
    return { ...block, files };
  };
  return async ({ blocks, texts }) => {
    const kept: Block[] = [];
    for (const block of putTexts(blocks, texts, bytes => keepBytes(bytes, 'text'))) kept.push(await keepBlock(block));
    return kept;
  };
}

/** The changes that a file names are shown, and never applied to a workspace. */
function foreign(block: Block): Block {
  return block.kind === 'changes' ? { ...block, files: block.files.map(asForeign) } : block;
}
