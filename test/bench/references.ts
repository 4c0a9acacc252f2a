// What the engine is held against: a plain write, a real SQLite file, sql.js that saves itself whole, a JSON file that
// is written anew. Each stores the same turns, whole, and is durable after each. Promises: the schema is what a careful
// author would choose without the engine: sessions, messages and blocks, with the indexes that its queries need.

import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import initSqlJs from 'sql.js';
import type { Block, Message } from '../../src/model/message.ts';
import { wasmFile } from './engine.ts';
import type { Turn } from './workload.ts';

const schema = `
CREATE TABLE session(id TEXT PRIMARY KEY, created INT, agent TEXT, title TEXT, active INT, head TEXT);
CREATE INDEX session_active ON session(active);
CREATE TABLE message(id TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT, role TEXT, created INT, agent TEXT, end TEXT);
CREATE INDEX message_session ON message(session);
CREATE TABLE block(message TEXT NOT NULL, at INT NOT NULL, kind TEXT, body TEXT, PRIMARY KEY(message, at));
`;
const insertSession = 'INSERT OR IGNORE INTO session VALUES(?, ?, ?, ?, ?, ?)';
const updateSession = 'UPDATE session SET active = ?, head = ? WHERE id = ?';
const insertMessage = 'INSERT INTO message VALUES(?, ?, ?, ?, ?, ?, ?)';
const insertBlock = 'INSERT INTO block VALUES(?, ?, ?, ?)';
const wholeMessage = `
  m.id, m.session, m.parent, m.role, m.created, m.agent, m.end, b.body FROM message m JOIN block b ON b.message = m.id`;
export const listSessions = `
  SELECT id, title, agent, created, active, (SELECT count(*) FROM message WHERE session = session.id) AS messages
  FROM session ORDER BY active DESC LIMIT 50`;

type Run = (sql: string, values: readonly (string | number | null)[]) => void;

function insert(run: Run, { session, title, messages, first }: Turn): void {
  const last = messages.at(-1);
  if (first) run(insertSession, [session, messages[0]?.created ?? 0, 'bench', title, 0, null]);
  for (const { id, parent, role, created, agent, blocks, end } of messages) {
    run(insertMessage, [id, session, parent, role, created, agent?.id ?? null, JSON.stringify(end)]);
    blocks.forEach((block, at) => run(insertBlock, [id, at, block.kind, JSON.stringify(block)]));
  }
  run(updateSession, [last?.created ?? 0, last?.id ?? null, session]);
}

/** node:sqlite in WAL with synchronous=FULL: each commit is synced. */
export class SqliteFile {
  readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.db = new DatabaseSync(file);
    this.db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
    const { count } = this.db.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    if (count === 0) this.db.exec(schema);
  }

  /** One transaction. */
  append(turn: Turn): void {
    this.db.exec('BEGIN IMMEDIATE');
    this.add(turn);
    this.db.exec('COMMIT');
  }

  add(turn: Turn): void {
    insert((sql, values) => this.statement(sql).run(...values), turn);
  }

  /** From the root to the head, by one recursive query. */
  pathByQuery(session: string): readonly Message[] {
    const rows = this.statement(`
      WITH RECURSIVE up(id, parent, depth) AS (
        SELECT m.id, m.parent, 0 FROM session s JOIN message m ON m.id = s.head WHERE s.id = ?
        UNION ALL SELECT m.id, m.parent, up.depth + 1 FROM up JOIN message m ON m.id = up.parent)
      SELECT up.depth, ${wholeMessage} JOIN up ON up.id = m.id ORDER BY up.depth DESC, b.at`).all(session);
    return messagesOf(rows as unknown as readonly MessageRow[]);
  }

  /** The session's rows, then up the parents in memory. */
  pathByWalk(session: string): readonly Message[] {
    const head = this.statement('SELECT head FROM session WHERE id = ?').get(session)?.['head'];
    const rows = this.statement(`SELECT ${wholeMessage} WHERE m.session = ? ORDER BY b.message, b.at`).all(session);
    const messages = new Map(
      messagesOf(rows as unknown as readonly MessageRow[]).map(message => [message.id, message]),
    );
    const path: Message[] = [];
    for (let at = messages.get(String(head)); at; at = messages.get(at.parent ?? '')) path.push(at);
    return path.reverse();
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)));
    return statement;
  }
}

interface MessageRow {
  readonly id: string;
  readonly session: string;
  readonly parent: string | null;
  readonly role: Message['role'];
  readonly created: number;
  readonly agent: string | null;
  readonly end: string;
  readonly body: string;
}

/** Rows of one message stand together. */
function messagesOf(rows: readonly MessageRow[]): readonly Message[] {
  const messages: { readonly message: Message; readonly blocks: Block[] }[] = [];
  for (const { id, session, parent, role, created, agent, end, body } of rows) {
    let last = messages.at(-1);
    if (last?.message.id !== id) {
      const blocks: Block[] = [];
      const by = agent === null ? {} : { agent: { id: agent, name: agent } };
      const message = {
        id,
        session,
        parent,
        role,
        created,
        ...by,
        blocks,
        end: JSON.parse(end) as { reason: 'end_turn'; at: number },
      };
      messages.push((last = { message, blocks }));
    }
    last.blocks.push(JSON.parse(body) as Block);
  }
  return messages.map(({ message }) => message);
}

/** sql.js with everything inline, saved whole after each turn, as its documentation shows. */
export async function openSqlJs(file: string): Promise<{ append(turn: Turn): void; list(): number; close(): void }> {
  const wasm = readFileSync(wasmFile);
  const sqlite = await initSqlJs({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) });
  const db = new sqlite.Database(readFileSync(file));
  return {
    append(turn) {
      db.run('BEGIN');
      insert((sql, values) => db.run(sql, [...values]), turn);
      db.run('COMMIT');
      replaceFile(file, db.export());
    },
    list: () => db.exec(listSessions)[0]?.values.length ?? 0,
    close: () => db.close(),
  };
}

/** A session as one JSON file. */
export class JsonFile {
  private readonly messages: Message[] = [];
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  add(turn: Turn): void {
    this.messages.push(...turn.messages);
  }

  append(turn: Turn): void {
    this.add(turn);
    replaceFile(this.file, JSON.stringify(this.messages));
  }
}

/** Raw bytes at the end of one open file. */
export function rawCommit(fd: number, bytes: Uint8Array): void {
  writeSync(fd, bytes);
  fdatasyncSync(fd);
}

export function rawFirstCommit(file: string, bytes: Uint8Array): void {
  const fd = openSync(file, 'wx');
  rawCommit(fd, bytes);
  syncFolder(dirname(file));
  closeSync(fd);
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

function replaceFile(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content, { flush: true });
  renameSync(`${file}.new`, file);
}
