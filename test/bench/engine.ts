// The only place where the benches touch the engine: the store as the worker has it, the history as the host has it,
// and a journal that is written in bulk without a sync per record, because filling is not what is measured.
// A change of the engine's constructors or of its files ends here.

import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { HybridClock } from '../../src/core/history/clock.ts';
import { createEncoder } from '../../src/core/history/codec.ts';
import type {
  History,
  ScanProgress,
  SearchResult,
  SessionSummary,
  StoredSession,
} from '../../src/core/history/history.ts';
import type { Fact } from '../../src/model/record.ts';
import { recordVersion } from '../../src/model/record.ts';
import { openHistory } from '../../src/node/history/history.ts';
import { listSessions } from '../../src/node/history/index/listSessions.ts';
import { openSession } from '../../src/node/history/index/readMessages.ts';
import { ChangedSessions } from '../../src/node/history/search/changedSessions.ts';
import { Scan } from '../../src/node/history/search/scan.ts';
import { SearchIndex } from '../../src/node/history/search/searchIndex.ts';
import { loadSqlite } from '../../src/node/history/index/sqlite.ts';
import { Store } from '../../src/node/history/store.ts';
import { ids, wasmFile, workerFile } from '../unit/support/history.ts';
import type { Turn } from './workload.ts';

export { wasmFile };

export interface Engine {
  /** How many records opening read, those in the snapshot not among them. */
  readonly recovered: number;
  /** Durable when it returns; what it returns brings the index up to date. */
  append(session: string, facts: readonly Fact[]): () => void;
  list(count: number): readonly SessionSummary[];
  open(session: string): StoredSession | undefined;
  /** The first makes the full-text index, or loads it; closing saves what was made. */
  search(words: string): Promise<SearchResult>;
  scan(text: string): Promise<ScanProgress>;
  /** Saves the index, as the worker does from time to time. */
  snapshot(): void;
  close(): void;
}

/** In this process and thread, without the hop to the worker. */
export async function openEngine(folder: string): Promise<Engine> {
  const store = new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
  const changes = new ChangedSessions(store.journal);
  const search = new SearchIndex(store, changes);
  return {
    recovered: store.recovery.records,
    append: (session, facts) => store.append(session, facts),
    list: count => listSessions(store.db, { limit: count }),
    open: session => openSession(store, session),
    search: words => search.search(words, {}),
    scan: text => new Scan(store, changes).start(text, () => {}),
    snapshot: () => store.snapshot(),
    close() {
      search.close();
      store.close();
    },
  };
}

/** As the extension has it: a client before a worker. */
export function openHost(folder: string): Promise<History> {
  return openHistory({ folder, writer: ids.writer(), workerFile, wasmFile });
}

const encode = createEncoder(crc32);

/** The bytes that the engine writes for these facts. */
export function recordBytes(facts: readonly Fact[], n: number): Uint8Array {
  // A copy: an encoder gives out its own buffer.
  return Uint8Array.from(encode({ v: recordVersion, w: 'benchraw', n, h: '0123456789benchraw', facts }));
}

/** Writes the turns, which come session by session, as the journal of one writer; all of it is on the disk at the end. */
export class BulkJournal {
  private readonly journal: string;
  private readonly writer = ids.writer();
  private readonly clock = new HybridClock(this.writer, Date.now);
  private open: { readonly session: string; readonly fd: number; n: number } | null = null;

  constructor(folder: string) {
    this.journal = join(folder, 'journal');
    mkdirSync(this.journal, { recursive: true });
  }

  add({ session, facts }: Turn): void {
    if (this.open?.session !== session) {
      this.close();
      this.open = { session, fd: openSync(join(this.journal, `${session}~${this.writer}.0.seg`), 'wx'), n: 0 };
    }
    const { open } = this;
    const record = { v: recordVersion, w: this.writer, n: open.n++, h: this.clock.next(), facts };
    writeSync(open.fd, encode(record));
  }

  close(): void {
    if (!this.open) return;
    fsyncSync(this.open.fd);
    closeSync(this.open.fd);
    this.open = null;
  }
}
