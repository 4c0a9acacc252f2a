// Sessions of an exported file come into the history. Promises: each session whole or not at all, in one file of the
// journal that appears under its name when everything is in it; what is here stays as it is, and only what is missing is
// added, so that the same file twice changes nothing; what cannot be read is said in words and takes no other with it; a
// stop keeps the sessions that had come in whole; a file that is made to take all memory ends this process as little as
// any other.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangedOutline, ExchangeProgress, ImportedFile } from '../../../core/exchange/exchange.ts';
import { changedAttachment, Refused } from '../../../core/exchange/readExchange.ts';
import { historyErrorOf } from '../../../core/history/historyError.ts';
import { fieldKey } from '../index/sessionSummary.ts';
import type { SessionId } from '../../../model/message.ts';
import type { Store } from '../store.ts';
import { ExchangeReader, FileTrouble } from './exchangeThread.ts';
import { incoming } from './incoming.ts';
import { missingFacts, type Missing } from './missingFacts.ts';
import { writeSession } from './writeSession.ts';

export interface JsonImport {
  readonly file: string;
  /** Of the history worker: the thread that reads the file is another one of it. */
  readonly workerFile: string;
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
export async function importJson(store: Store, what: JsonImport): Promise<ImportedFile> {
  const results: Results = { added: [], grown: [], here: [], unread: [], erased: 0, stopped: false };
  const reader = new ExchangeReader(what.workerFile, { readExchange: what.file, now: what.now });
  const stop = () => void reader.close();
  what.signal.addEventListener('abort', stop);
  try {
    const sessions = await reader.ask('count');
    for (let at = 0; at < sessions && !what.signal.aborted; at++) {
      what.onProgress({ done: at, sessions });
      await nextTurn();
      if (what.signal.aborted) break;
      const session = await reader.ask('session', at);
      if ('words' in session) results.unread.push(session);
      else await one(store, session, reader, what, results);
    }
  } catch (cause) {
    // What had come in by then stays.
    if (!(cause instanceof FileTrouble)) throw cause;
    if (!what.signal.aborted) results.unread.push({ title: '', words: cause.message });
  } finally {
    what.signal.removeEventListener('abort', stop);
    await reader.close();
  }
  return { ...results, stopped: what.signal.aborted };
}

async function one(
  store: Store,
  read: ExchangedOutline,
  reader: ExchangeReader,
  what: JsonImport,
  results: Results,
): Promise<void> {
  const title = titleIn(read);
  const refuse = (words: string) => void results.unread.push({ title, words });
  store.learnErasures();
  // What another window wrote of it a moment ago counts, too.
  store.intake.catchUpOn(read.id);
  const found = incoming(store, read);
  if (!found) return refuse('Some of its messages are in other sessions here.');
  const { session, isHere } = found;
  const content = {
    message: (at: number, from: number) => reader.ask('message', at, from),
    blob: async (hash: string) => {
      const bytes = await reader.ask('blob', hash);
      if (!bytes) throw new Refused(changedAttachment);
      return bytes;
    },
  };
  let missing: Missing;
  try {
    missing = await missingFacts(store, { ...found, content, alive: what.alive() });
    const told = { id: session.id, title, messages: missing.messages };
    results.erased += missing.erased;
    if (!missing.facts) return void results.here.push(told);
    const written = await writeSession(store, session.id, missing.facts, what.newWriter(), what.signal);
    if (!written) return;
    what.onImported(session.id);
    results[isHere ? 'grown' : 'added'].push(told);
  } catch (cause) {
    // The file was changed since it was looked at.
    if (cause instanceof Refused) return refuse(cause.message);
    if (cause instanceof FileTrouble) throw cause;
    const error = historyErrorOf(cause);
    if (error.code !== 'erased') throw error;
    return refuse('It was deleted permanently meanwhile.');
  }
}

function titleIn({ fields }: ExchangedOutline): string {
  const set = new Map(fields.map(({ name, of, value }) => [fieldKey(name, of), value]));
  for (const name of ['givenTitle', 'title']) {
    const title = set.get(fieldKey(name));
    if (typeof title === 'string' && title !== '') return title;
  }
  return 'New session';
}
