// Full-text search over titles and prose. Nothing of it is loaded before the first search; each search brings the index
// up to date first, in slices, so that an append never waits for a whole build. Promises: a search finds what was
// applied before it was asked; messages that still grow are left out for some minutes, and then found as far as they
// have come; what was erased is in no file that this writes, and in memory only until this hears of it. How words are
// kept is in `proseTables.ts`, what is made of them in `searchHits.ts`.

import type { SearchQuery, SearchResult } from '../../../core/history/history.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import { termsOf } from '../../../core/history/wordQuery.ts';
import type { SessionId } from '../../../model/message.ts';
import type { ChangedSessions } from './changedSessions.ts';
import { ProseTables } from './proseTables.ts';
import { readFound } from '../index/readMessages.ts';
import { findHits } from './searchHits.ts';
import { rowsOf, stateOf, type MessageRow } from './searchRows.ts';
import { SearchFile } from './searchSnapshot.ts';
import { Slices } from './slices.ts';
import type { Store } from '../store.ts';

/** As long as it may be that a message is still written. */
const growsFor = 5 * 60_000;
/** Messages that are read and added at once. */
const batch = 16;
const saveAfter = 1000;

export class SearchIndex {
  private tables: ProseTables | null = null;
  /** Sessions that may have something that is not in the tables. */
  private readonly pending = new Set<SessionId>();
  /** Of those, the ones that only time will change. */
  private readonly growing = new Set<SessionId>();
  private updates: Promise<unknown> = Promise.resolve();
  private isUpdating = false;
  /** How often something was dropped: what was being added then is begun again. */
  private drops = 0;
  private tombstones = -1;
  private saving: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private readonly store: Store;
  private readonly now: () => number;
  private readonly file: SearchFile;
  private readonly changes: ChangedSessions;

  constructor(store: Store, changes: ChangedSessions, now: () => number = Date.now) {
    this.store = store;
    this.now = now;
    this.changes = changes;
    this.file = new SearchFile(store, now);
  }

  async search(words: string, query: SearchQuery): Promise<SearchResult> {
    const terms = termsOf(words);
    const isNarrowed = Object.keys(query.filter ?? {}).length > 0;
    if (terms.length === 0 && !isNarrowed) return { hits: [], more: false };
    // Without words there is nothing to look up in the tables, which may be long in the making.
    if (terms.length === 0) return findHits(null, this.store, terms, query, this.changes.now());
    // One after another, so that each has what was there when it was asked, and waits for nothing that came later.
    const update = this.updates.then(() => this.update());
    this.updates = update.catch(() => {});
    const tables = await update;
    return findHits(tables, this.store, terms, query, this.changes.now());
  }

  /** Something of the session came into the index, or went from it. */
  changed(session: SessionId): void {
    if (!this.tables) return;
    this.pending.add(session);
    this.forgetErased(this.tables);
  }

  /** Something of the session was erased: nothing of it may stay. */
  forget(session: SessionId): void {
    if (!this.tables || this.tables.messagesOf(session).size === 0) return;
    this.drops++;
    for (const other of this.tables.drop(session)) this.pending.add(other);
  }

  close(): void {
    const isDue = this.saving !== undefined || this.isUpdating;
    clearTimeout(this.saving);
    if (isDue) this.save();
    this.isClosed = true;
    this.tables?.db.close();
    this.tables = null;
  }

  private async update(): Promise<ProseTables> {
    this.checkOpen();
    const slices = new Slices();
    const tables = (this.tables ??= this.load());
    this.forgetErased(tables);
    for (const session of this.growing) this.pending.add(session);
    this.growing.clear();
    this.isUpdating = true;
    try {
      // What was dropped with something else meanwhile was there before.
      for (let drops = -1; drops !== this.drops;) {
        drops = this.drops;
        for (const session of [...this.pending]) {
          await this.bring(tables, session, slices);
          await slices.rest();
          this.checkOpen();
        }
      }
    } finally {
      this.isUpdating = false;
    }
    this.saveSoon(tables);
    return tables;
  }

  private load(): ProseTables {
    const { store } = this;
    const saved = this.file.load();
    for (const row of store.db.all('SELECT id FROM session', [])) this.pending.add(String(row['id']));
    return saved ?? new ProseTables(store.newDatabase());
  }

  /** Adds what the tables do not have of a session. */
  private async bring(tables: ProseTables, session: SessionId, slices: Slices): Promise<void> {
    try {
      this.pending.delete(session);
      if (!(await this.addNew(tables, session, slices))) this.pending.add(session);
    } catch (cause) {
      this.pending.add(session);
      throw cause;
    }
  }

  /** False where something was dropped meanwhile, perhaps of what was just added. */
  private async addNew(tables: ProseTables, session: SessionId, slices: Slices): Promise<boolean> {
    const { store, drops } = this;
    const state = stateOf(store.db, session);
    if (tables.stateOf(session) === state) return true;
    const rows = rowsOf(store.db, session);
    const known = tables.messagesOf(session);
    const isGrowing = (row: MessageRow) => row.ended === 0 && row.created > this.now() - growsFor;
    const due = rows.filter(row => {
      const before = known.get(row.id);
      return before !== null && !isGrowing(row) && (row.ended === 1 || before !== row.h);
    });
    let isWhole = true;
    for (let from = 0; from < due.length; from += batch) {
      const some = due.slice(from, from + batch);
      const ids = some.map(({ id }) => id);
      const messages = readFound(store, session, ids);
      const prose = some.flatMap(({ id, created, ended, h }) => {
        const message = messages.get(id);
        if (!message) return [];
        const texts = message.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : []));
        return [{ message: id, created, texts, h: ended === 1 ? null : h }];
      });
      tables.add(session, prose);
      isWhole &&= prose.length === some.length;
      if (!(await slices.rest())) continue;
      this.checkOpen();
      if (this.drops !== drops) return false;
    }
    const waits = rows.some(isGrowing);
    if (waits) this.growing.add(session);
    // What could not be read now may be there again the next time.
    tables.setState(session, waits || !isWhole ? null : state);
    return true;
  }

  /** What any window erased, as far as the store knows of it. */
  private forgetErased(tables: ProseTables): void {
    const { known } = this.store.tombstones;
    if (known.size === this.tombstones) return;
    for (const name of known) {
      if (tables.hasErased(name)) continue;
      this.forget(name.split('~')[0] ?? '');
      tables.setErased(name);
      this.file.drop();
    }
    this.tombstones = known.size;
  }

  private saveSoon(tables: ProseTables): void {
    if (this.file.isDue(tables)) this.saving ??= setTimeout(() => this.save(), saveAfter);
  }

  private save(): void {
    this.saving = undefined;
    if (!this.tables) return;
    this.forgetErased(this.tables);
    this.file.save(this.tables);
  }

  private checkOpen(): void {
    if (this.isClosed) throw new HistoryError('closed');
  }
}
