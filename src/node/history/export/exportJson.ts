// Chosen sessions as one JSON file with everything in it, as `core/exchange` says it. Promises: the file appears whole or
// not at all, and one that had its name stays until then; it holds every message of the sessions as they stood when their
// turn came, the same bytes for the same content; nothing is in it that was erased before it was written, nor what belongs
// to this machine alone; appends go on meanwhile; a stop leaves nothing behind.

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  exchangeFormat,
  exchangeVersion,
  longestExchange,
  travelOf,
  type ExchangedField,
  type ExchangeProgress,
} from '../../../core/exchange/exchange.ts';
import { formerSystemPromptKey } from '../index/sessionSummary.ts';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import type { FileChange } from '../../../model/changes.ts';
import type { BlobRef, Block, Json, Message, MessageId, SessionId } from '../../../model/message.ts';
import type { FieldName } from '../../../model/record.ts';
import { writeAtomic } from '../../atomicWrite.ts';
import { findSession } from '../index/listSessions.ts';
import { listNodes } from '../index/messageTree.ts';
import { readAudit, readMessages } from '../index/readMessages.ts';
import type { Store } from '../store.ts';
import { systemPromptIn } from '../index/lastSystemPrompt.ts';

export interface JsonExport {
  readonly sessions: readonly SessionId[];
  readonly file: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExchangeProgress) => void;
}

const messagesAtOnce = 16;

/** False where it was stopped: then there is no file. Throws HistoryError. */
export async function exportJson(store: Store, what: JsonExport): Promise<boolean> {
  const { file, signal } = what;
  try {
    const parts = await wholeText(store, what);
    if (!parts) return false;
    await writeAtomic(file, parts, signal);
    return true;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') return false;
    throw historyErrorOf(cause);
  }
}

async function wholeText(store: Store, what: JsonExport): Promise<readonly string[] | null> {
  const { sessions, signal, onProgress } = what;
  for (;;) {
    const graves = store.tombstones.known.size;
    const head = { format: exchangeFormat, version: exchangeVersion };
    const parts = [`${JSON.stringify(head).slice(0, -1)},"sessions":[`];
    let bytes = 0;
    for (const [at, session] of sessions.entries()) {
      onProgress({ done: at, sessions: sessions.length });
      parts.push(at === 0 ? '\n' : ',\n');
      for await (const part of sessionText(store, session)) {
        if (signal.aborted) return null;
        bytes += Buffer.byteLength(part);
        if (bytes > longestExchange) throw new HistoryError('export-too-long');
        parts.push(part);
        await nextTurn();
      }
    }
    parts.push('\n]}\n');
    // What was erased meanwhile may be in it already.
    if (store.tombstones.known.size === graves) return parts;
  }
}

async function* sessionText(store: Store, session: SessionId): AsyncGenerator<string> {
  const begun = readAudit(store, session);
  const summary = findSession(store.db, session);
  if (!summary) throw new HistoryError('no-session');
  const nodes = listNodes(store.db, session);
  const { created, agent, cwd, key, origin } = summary;
  const about = {
    id: session,
    created,
    // The one that it began with; which one it is set to now is a field.
    agent: begun?.agent ?? agent,
    ...(cwd === null ? {} : { cwd }),
    ...(key === null ? {} : { key }),
    ...(origin === null ? {} : { origin }),
    ...(begun?.systemPrompt === undefined ? {} : { systemPrompt: begun.systemPrompt }),
    fields: fieldsIn(store, session),
  };
  yield `${JSON.stringify(about).slice(0, -1)},"messages":[`;
  const named = new Map<string, BlobRef>();
  for (let at = 0; at < nodes.length; at += messagesAtOnce) {
    const lines = whole(
      store,
      nodes.slice(at, at + messagesAtOnce).map(({ id }) => id),
    ).map(message => {
      const { session: _session, ...rest } = fromHere(message);
      for (const ref of blobsOf(rest.blocks)) named.set(ref.sha256, ref);
      return JSON.stringify(rest);
    });
    yield `${at === 0 ? '\n' : ',\n'}${lines.join(',\n')}`;
  }
  yield '],"blobs":{';
  let comma = '';
  for (const hash of [...named.keys()].toSorted()) {
    const bytes = store.blobs.read(session, named.get(hash) as BlobRef);
    // What is gone or damaged stays a hash, which the check of the history tells.
    if (!bytes) continue;
    if (bytes.length > longestExchange) throw new HistoryError('export-too-long');
    yield `${comma}\n${JSON.stringify(hash)}:"${Buffer.from(bytes).toString('base64')}"`;
    comma = ',';
  }
  yield '}}';
}

/** Some may have been erased since they were listed. */
function whole(store: Store, ids: readonly MessageId[]): readonly Message[] {
  const there = ids.filter(id => store.db.all('SELECT 1 FROM message WHERE id = ?1', [id]).length > 0);
  return readMessages(store, there);
}

function fieldsIn(store: Store, session: SessionId): readonly ExchangedField[] {
  // The value and the message of the row with the latest clock, as SQLite has it.
  const rows = store.db.all(
    `SELECT iif(name = 'systemPrompt', 'metadata', name) AS exported, iif(name = 'systemPrompt', ?2, of) AS exported_of,
        name, source, value, max(h)
      FROM field WHERE session = ?1 GROUP BY exported, exported_of ORDER BY exported, exported_of`,
    [session, formerSystemPromptKey],
  );
  return rows.flatMap(({ exported: name, exported_of: of, name: kept, source, value }) => {
    if (!travelOf(String(name))?.exported) return [];
    const set = JSON.parse(String(value)) as Json;
    const text = kept === 'systemPrompt' ? systemPromptIn(store, session, set) : set;
    if (text === undefined) return [];
    return {
      name: String(name) as FieldName,
      ...(of === '' ? {} : { of: String(of) }),
      value: text,
      ...(source === '' ? {} : { from: String(source) }),
    };
  });
}

/** What an import keeps apart is written as it came. */
function fromHere(message: Message): Message {
  const asItCame = ({ foreign, ...file }: FileChange): FileChange => ({ ...file, ...foreign });
  const blocks = message.blocks.map(block =>
    block.kind === 'changes' ? { ...block, files: block.files.map(asItCame) } : block,
  );
  return { ...message, blocks };
}

/** The places where content stands; what a file is called by is none. */
function blobsOf(blocks: readonly Block[]): readonly BlobRef[] {
  return blocks.flatMap(block => {
    const places =
      block.kind === 'changes'
        ? block.files.flatMap(({ before, after }) =>
            [before, after].map(one => (one.kind === 'file' ? one.content : undefined)),
          )
        : 'data' in block
          ? [block.data]
          : [];
    return places.flatMap(place => (place && 'sha256' in place ? [place] : []));
  });
}
