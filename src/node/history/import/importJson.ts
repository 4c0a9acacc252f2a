// Sessions of an exported file come into the history. Promises: each session whole or not at all, in one file of the
// journal that appears under its name when everything is in it; what is here stays as it is, and only what is missing is
// added, so that the same file twice changes nothing; what cannot be read is said in words and takes no other with it; a
// stop keeps the sessions that had come in whole.

import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  longestExchange,
  type ExchangedSession,
  type ExchangeProgress,
  type ImportedFile,
} from '../../../core/exchange/exchange.ts';
import { exchangeIn } from '../../../core/exchange/readExchange.ts';
import { historyErrorOf } from '../../../core/history/historyError.ts';
import { fieldKey } from '../../../core/history/summary.ts';
import type { SessionId } from '../../../model/message.ts';
import type { Queries } from '../queries.ts';
import type { Store } from '../store.ts';
import { incoming } from './incoming.ts';
import { missingFacts } from './missingFacts.ts';
import { writeSession } from './writeSession.ts';

export interface JsonImport {
  readonly file: string;
  readonly now: number;
  /** Of the records: nobody who lives. */
  readonly newWriter: () => string;
  /** The windows that live. */
  readonly alive: () => ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExchangeProgress) => void;
  readonly onImported: (session: SessionId) => void;
}

type Results = {
  -readonly [name in keyof ImportedFile]: ImportedFile[name] extends readonly (infer One)[]
    ? One[]
    : ImportedFile[name];
};

/** Throws HistoryError where nothing can be written; the file's own troubles are in the answer. */
export async function importJson(store: Store, queries: Queries, what: JsonImport): Promise<ImportedFile> {
  const results: Results = { added: [], grown: [], here: [], unread: [], erased: 0, stopped: false };
  const text = await textOf(what.file);
  const read = typeof text === 'string' ? exchangeIn(text, what.now) : text;
  if ('words' in read) return { ...results, unread: [{ title: '', words: read.words }] };
  const { sessions } = read;
  for (const [at, session] of sessions.entries()) {
    what.onProgress({ done: at, sessions: sessions.length });
    await nextTurn();
    if (what.signal.aborted) return { ...results, stopped: true };
    if ('words' in session) results.unread.push(session);
    else await one(store, queries, session, what, results);
  }
  return { ...results, stopped: what.signal.aborted };
}

async function one(
  store: Store,
  queries: Queries,
  read: ExchangedSession,
  what: JsonImport,
  results: Results,
): Promise<void> {
  const title = titleOf(read);
  const refuse = (words: string) => void results.unread.push({ title, words });
  const bytes = bytesIn(read);
  if (!bytes) return refuse('One of its attachments is not what it was when it was exported.');
  store.learnErasures();
  // What another window wrote of it a moment ago counts, too.
  store.intake.catchUpOn(read.id);
  const found = incoming(store, read);
  if (!found) return refuse('Some of its messages are in other sessions here.');
  const { session, isHere } = found;
  const missing = missingFacts(store, queries, { session, isHere, bytes, alive: what.alive() });
  results.erased += missing.erased;
  const told = { id: session.id, title, messages: missing.messages };
  if (missing.facts.length === 0) return void results.here.push(told);
  try {
    const written = await writeSession(store, session.id, missing.facts, what.newWriter(), what.signal);
    if (!written) return;
  } catch (cause) {
    const error = historyErrorOf(cause);
    if (error.code !== 'erased') throw error;
    return refuse('It was deleted permanently meanwhile.');
  }
  what.onImported(session.id);
  results[isHere ? 'grown' : 'added'].push(told);
}

async function textOf(file: string): Promise<string | { readonly words: string }> {
  try {
    const { size } = await stat(file);
    if (size > longestExchange) return { words: 'It is larger than 256 MB, which no export of sessions is.' };
    const handle = await open(file, 'r');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof TypeError) return { words: 'It is not text in UTF-8.' };
    if (cause instanceof RangeError) return { words: 'There is not enough memory to read it.' };
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ENOENT') return { words: 'It is not there any more.' };
    if (code === 'EACCES' || code === 'EPERM') return { words: 'The system does not let it be read.' };
    if (code === 'EISDIR') return { words: 'It is a folder.' };
    return { words: `The system says ${code === '' ? String(cause) : code}.` };
  }
}

/** Null where one is not what its name says. */
function bytesIn({ blobs }: ExchangedSession): ReadonlyMap<string, Uint8Array> | null {
  const found = new Map<string, Uint8Array>();
  for (const [hash, base64] of Object.entries(blobs)) {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    if (createHash('sha256').update(bytes).digest('hex') !== hash) return null;
    found.set(hash, bytes);
  }
  return found;
}

function titleOf({ fields }: ExchangedSession): string {
  const set = new Map(fields.map(({ name, of, value }) => [fieldKey(name, of), value]));
  for (const name of ['givenTitle', 'title']) {
    const title = set.get(fieldKey(name));
    if (typeof title === 'string' && title !== '') return title;
  }
  return 'New session';
}
