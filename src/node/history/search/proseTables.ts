// The words of the messages in full-text tables that hold no text, in a database of their own. Promises: what `candidates`
// gives holds every message with the words that are asked for, the newest first, perhaps one twice, perhaps one that
// has changed since; after `drop` no byte of the session's words is in the database. Such a table cannot forget one of its
// rows, so there are several, a session belongs to one by its id, and that one is dropped with all that is in it.

import { inTransaction } from '../index/projection.ts';
import type { Term } from '../../../core/history/wordQuery.ts';
import { wordsOf } from '../../../core/history/words.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';
import type { MemoryDatabase } from '../index/sqlite.ts';

/** More of them make erasing cheaper and every search dearer. */
const tableCount = 16;
const tables: readonly number[] = Array.from({ length: tableCount }, (_, table) => table);

const schema = `
CREATE TABLE known(number INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE, part INT NOT NULL, state TEXT);
CREATE TABLE doc(docid INTEGER PRIMARY KEY, session INT NOT NULL, message TEXT NOT NULL, created INT NOT NULL, h TEXT);
CREATE INDEX doc_session ON doc(session);
CREATE TABLE erased(name TEXT PRIMARY KEY) WITHOUT ROWID;
${tables.map(createTable).join('')}`;

function createTable(part: number): string {
  // The words come folded, so this tokenizer has nothing to do but to part them at spaces.
  return `CREATE VIRTUAL TABLE prose${part} USING fts4(content="", body, parts, tokenize=simple, matchinfo=fts3);\n`;
}

export interface Prose {
  readonly message: MessageId;
  readonly created: number;
  readonly texts: readonly string[];
  /** How far the message was when it was read, while it may still go on; null when it had ended. */
  readonly h: string | null;
}

export interface Candidate {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly created: number;
}

export class ProseTables {
  readonly db: MemoryDatabase;
  /** What was added since the database was last saved. */
  unsaved = 0;
  private readonly erased: Set<string>;

  /** A database that `bytes` once gave, or an empty one. */
  constructor(db: MemoryDatabase) {
    this.db = db;
    if (db.all(`SELECT 1 FROM sqlite_schema WHERE name = 'doc'`, []).length === 0) db.exec(schema);
    this.erased = new Set(db.all('SELECT name FROM erased', []).map(row => String(row['name'])));
  }

  get count(): number {
    return Number(this.db.all('SELECT count(*) AS count FROM doc', [])[0]?.['count']);
  }

  /** What `setState` was last given for the session; null where there was nothing, or something was added since. */
  stateOf(session: SessionId): string | null {
    const state = this.db.all('SELECT state FROM known WHERE session = ?1', [session])[0]?.['state'];
    return typeof state === 'string' ? state : null;
  }

  setState(session: SessionId, state: string | null): void {
    this.numberOf(session);
    this.db.run('UPDATE known SET state = ?2 WHERE session = ?1', [session, state]);
  }

  /** The messages of the session that are in here, with the `h` that each was added with last. */
  messagesOf(session: SessionId): ReadonlyMap<MessageId, string | null> {
    const rows = this.db.all(
      `SELECT message, h FROM doc WHERE session = (SELECT number FROM known WHERE known.session = ?1) ORDER BY docid`,
      [session],
    );
    return new Map(rows.map(row => [String(row['message']), row['h'] === null ? null : String(row['h'])]));
  }

  /** All of it or nothing. */
  add(session: SessionId, messages: readonly Prose[]): void {
    inTransaction(this.db, () => {
      const number = this.numberOf(session);
      for (const { message, created, texts, h } of messages) {
        this.db.run('INSERT INTO doc(session, message, created, h) VALUES(?1, ?2, ?3, ?4)', [
          number,
          message,
          created,
          h,
        ]);
        const words = texts.flatMap(wordsOf);
        if (words.length === 0) continue;
        const join = (isPart: boolean) => words.flatMap(word => (word.isPart === isPart ? [word.text] : [])).join(' ');
        // The last docid is the greatest. One that was dropped may come again, and is in no table then.
        this.db.run(
          `INSERT INTO prose${partOf(session)}(docid, body, parts) VALUES((SELECT max(docid) FROM doc), ?1, ?2)`,
          [join(false), join(true)],
        );
      }
      this.db.run('UPDATE known SET state = NULL WHERE number = ?1', [number]);
    });
    this.unsaved += messages.length;
  }

  hasErased(name: string): boolean {
    return this.erased.has(name);
  }

  /** That nothing of what this tombstone names is in here. */
  setErased(name: string): void {
    this.db.run('INSERT OR IGNORE INTO erased VALUES(?1)', [name]);
    this.erased.add(name);
  }

  /** The session, and all others that share its table, which this gives, are no longer in here. */
  drop(session: SessionId): readonly SessionId[] {
    const part = partOf(session);
    const rows = this.db.all('SELECT session FROM known WHERE part = ?1', [part]);
    inTransaction(this.db, () => {
      this.db.exec(`DROP TABLE prose${part}`);
      this.db.exec(createTable(part));
      this.db.run('DELETE FROM doc WHERE session IN (SELECT number FROM known WHERE part = ?1)', [part]);
      this.db.run('DELETE FROM known WHERE part = ?1', [part]);
    });
    this.unsaved++;
    return rows.map(row => String(row['session']));
  }

  /** The newest so many that match, and whether there may be more. */
  candidates(
    match: string,
    session: SessionId | null,
    count: number,
  ): { readonly found: readonly Candidate[]; readonly more: boolean } {
    const found: Candidate[] = [];
    for (const part of session === null ? tables : [partOf(session)]) {
      const rows = this.db.all(
        `SELECT known.session AS session, message, created
          FROM prose${part} JOIN doc ON doc.docid = prose${part}.docid JOIN known ON known.number = doc.session
          WHERE prose${part} MATCH ?1 AND (?2 IS NULL OR known.session = ?2)
          ORDER BY created DESC, message DESC LIMIT ?3`,
        [match, session, count],
      );
      found.push(...(rows as readonly unknown[] as readonly Candidate[]));
    }
    found.sort((one, other) => other.created - one.created || (one.message < other.message ? 1 : -1));
    // Behind the last of a table that has more, another table's may not be the next.
    return { found: found.slice(0, count), more: found.length >= count };
  }

  private numberOf(session: SessionId): number {
    this.db.run('INSERT OR IGNORE INTO known(session, part) VALUES(?1, ?2)', [session, partOf(session)]);
    return Number(this.db.all('SELECT number FROM known WHERE session = ?1', [session])[0]?.['number']);
  }
}

function partOf(session: SessionId): number {
  let hash = 0;
  for (let at = 0; at < session.length; at++) hash = (Math.imul(hash, 31) + session.charCodeAt(at)) >>> 0;
  return hash % tableCount;
}

/** FTS4 takes no expression of any length. What is left out here is looked for in what it finds. */
const mostTerms = 24;
const longestPhrase = 24;

/** Says the terms to FTS4, which only has to find all that `findTerms` finds: it may find more. Null where nothing is asked for. */
export function matchOf(terms: readonly Term[]): string | null {
  const length = ({ words }: Term) => words.reduce((sum, word) => sum + word.length, 0);
  const longest = terms.toSorted((one, other) => length(other) - length(one)).slice(0, mostTerms);
  if (longest.length === 0) return null;
  return longest
    .map(({ words, prefix }) => {
      const some = words.slice(0, longestPhrase);
      const star = prefix && some.length === words.length ? '*' : '';
      // Words are letters and digits, so nothing in them ends the quotes.
      return `"${some.join(' ')}${star}"`;
    })
    .join(' ');
}
