// What is asked of a history: sessions and messages, whole, from the index and the records that it points to, on the disk
// or in memory. A message whose record is gone, or was never there, says so in its place.

import { assemble } from '../../../core/history/assemble.ts';
import { putBack } from '../../../core/history/blobs.ts';
import type {
  BranchChoice,
  MessageQuery,
  SessionAudit,
  SessionQuery,
  SessionSummary,
  StoredFields,
  StoredSession,
  TreeNode,
} from '../../../core/history/history.ts';
import { timeOf } from '../../../core/history/clock.ts';
import type { Erasure } from '../../../core/history/erasure.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './projection.ts';
import { fieldKey, fieldsOf, listedFields, named, summaryOf, type Fields } from './sessionSummary.ts';
import { Tree, type TreeRow } from '../../../core/history/tree.ts';
import type { BlobRef, Message, MessageId, SessionId } from '../../../model/message.ts';
import type { Fact, FieldName, JournalRecord } from '../../../model/record.ts';
import type { Branches } from '../../../model/transcript.ts';
import type { BlobFiles } from '../journal/blobFiles.ts';
import type { Place } from '../journal/recordPlace.ts';
import { storedFields } from './storedFields.ts';
import { lastSystemPrompt } from './lastSystemPrompt.ts';

/** One of which the beginning was lost is there as long as anything that was said in it is. */
export const isThere = '(created IS NOT NULL OR EXISTS(SELECT 1 FROM message WHERE message.session = session.id))';

const sessionColumns = `
  SELECT id, created, agent, agent_name, cwd, max(active, coalesce(created, 0)) AS active, key, generation, origin,
    messages, forks
  FROM session WHERE ${isThere}`;

/** Places of more messages are read with all of their session. */
const askedOneByOne = 64;
/** More are not asked for by name. */
const askedByName = 200;

export type NodeRow = TreeRow & { readonly role: Message['role']; readonly preview: string };

/** An index with the records that it is of: `Store` has them on the disk, `MemoryStore` in memory. */
export interface RecordStore {
  readonly writer: string;
  readonly db: SqlDatabase;
  readonly erasure: Erasure;
  readonly blobs: Pick<BlobFiles, 'read' | 'text'>;
  /** Throws HistoryError where nothing was saved. Returns what is left to do once the record is acknowledged. */
  append(session: SessionId, facts: readonly Fact[]): () => void;
  /** The records at these places, in their order. `places` is asked again where a file of the session is not where it was. */
  recordsAt(session: SessionId, places: () => readonly Place[]): readonly JournalRecord[];
  /** The earliest record that begins the session. */
  beginningOf(session: SessionId): JournalRecord | null;
  /** Takes in what other windows wrote. True where there was something new. */
  catchUpOn(session: SessionId): boolean;
}

export class Queries {
  private readonly store: RecordStore;

  constructor(store: RecordStore) {
    this.store = store;
  }

  sessions(query: SessionQuery = {}): readonly SessionSummary[] {
    const { db } = this.store;
    const { limit = -1, offset = 0, agent: only } = query;
    const narrowed: string[] = [];
    // Which agent is the last one is known when the rows are read: then the page is cut from them.
    const values: SqlValue[] = only === undefined ? [limit, offset] : [-1, 0];
    const field = (name: string, of: string, on: boolean) => {
      const last = `(SELECT value FROM field
        WHERE session = session.id AND name = '${name}' AND of = ?${values.push(of)} ORDER BY h DESC LIMIT 1)`;
      narrowed.push(`${last} IS ${on ? '' : 'NOT '}'true'`);
    };
    if (query.ids) narrowed.push(`id IN (${query.ids.map(id => `?${values.push(id)}`).join()})`);
    if (query.trashed !== undefined) field('trashed', '', query.trashed);
    if (query.archived !== undefined) field('archived', '', query.archived);
    if (query.label !== undefined) field('label', query.label, true);
    const where = narrowed.map(one => ` AND ${one}`).join('');
    const rows = db.all(`${sessionColumns}${where} ORDER BY active DESC, id LIMIT ?1 OFFSET ?2`, values);
    // Not in the query: there they would be made for every session before the page is cut.
    const fields = listedFields(db, rows.length > askedByName ? null : rows.map(({ id }) => String(id)));
    const summaries = rows.map(row => summaryOf(row, fields.get(String(row['id']))));
    if (only === undefined) return summaries;
    return summaries.filter(({ agent }) => agent.id === only).slice(offset, limit < 0 ? undefined : offset + limit);
  }

  summary(session: SessionId): SessionSummary | undefined {
    const [row] = this.store.db.all(`${sessionColumns} AND id = ?1`, [session]);
    return row && summaryOf(row, listedFields(this.store.db, [session]).get(session));
  }

  /** `alive` are the writers that gave a sign of life lately. */
  open(
    session: SessionId,
    at: MessageId | null = null,
    alive: ReadonlySet<string> = new Set(),
  ): StoredSession | undefined {
    const summary = this.summary(session);
    if (!summary) return undefined;
    const tree = this.treeOf(session);
    const head = at ?? tree.headFrom(this.headOf(session));
    if (at !== null && !tree.rows.has(at)) throw new HistoryError('no-message');
    const ids = tree.pathTo(head);
    const messages = this.read(session, ids);
    const path = ids.map(id => messages.get(id) ?? unreadable(session, tree.rows.get(id)));
    const before = tree.rows.get(ids[0] ?? '')?.parent ?? null;
    const first = path[0];
    const firstRow = first && tree.rows.get(first.id);
    if (before !== null && !tree.rows.has(before) && firstRow) {
      // Another window may have written it while the files were read one after another.
      if (this.store.catchUpOn(session)) return this.open(session, at, alive);
      path.unshift(unreadable(session, { ...firstRow, id: before, parent: null, label: null }));
    }
    const fields = storedFields(this.store, summary, this.fields(session), head, alive);
    // One whose files are gone is shown as ended.
    const writing = path.at(-1)?.end ? null : fields.writing;
    return { ...fields, writing, path, branches: tree.branches(head) };
  }

  /** Reads no message, and the rows of the session's messages only where the head is not where it was set. */
  storedFields(session: SessionId, alive: ReadonlySet<string>): StoredFields | undefined {
    const summary = this.summary(session);
    if (!summary) return undefined;
    const set = this.headOf(session);
    const head = set !== null && this.isShown(session, set) ? set : this.treeOf(session).headFrom(set);
    return storedFields(this.store, summary, this.fields(session), head, alive);
  }

  /** Surely a message of the conversation that is not in the trash; where something is, it isn't looked up. */
  private isShown(session: SessionId, id: MessageId): boolean {
    if (this.trashedIn(session).size > 0) return false;
    const where = 'id = ?1 AND session = ?2 AND label IS NULL';
    return this.store.db.all(`SELECT 1 FROM message WHERE ${where}`, [id, session]).length > 0;
  }

  branches(session: SessionId, head: MessageId | null): Branches | undefined {
    const tree = this.treeOf(session);
    return head === null || tree.rows.has(head) ? tree.branches(head) : undefined;
  }

  messages(ids: readonly MessageId[]): readonly Message[] {
    const sessions = new Map<SessionId, MessageId[]>();
    for (const id of ids) {
      const session = this.store.db.all('SELECT session FROM message WHERE id = ?1', [id])[0]?.['session'];
      if (typeof session !== 'string') throw new HistoryError('no-message');
      sessions.set(session, [...(sessions.get(session) ?? []), id]);
    }
    const found = new Map<MessageId, Message>();
    for (const [session, wanted] of sessions) {
      const messages = this.read(session, wanted);
      for (const id of wanted) found.set(id, messages.get(id) ?? unreadable(session, this.row(id)));
    }
    return ids.map(id => found.get(id) as Message);
  }

  list({ session, order, label, limit = -1, offset = 0 }: MessageQuery): readonly Message[] {
    const way = order === 'newest' ? 'DESC' : 'ASC';
    const values: SqlValue[] = [limit, offset];
    const narrowed: string[] = [];
    if (session !== undefined) narrowed.push(`session = ?${values.push(session)}`);
    if (label?.endsWith(':')) {
      // The character that comes after the colon.
      narrowed.push(`label >= ?${values.push(label)} AND label < ?${values.push(`${label.slice(0, -1)};`)}`);
    } else if (label !== undefined) narrowed.push(`label = ?${values.push(label)}`);
    const where = narrowed.length > 0 ? `WHERE ${narrowed.join(' AND ')}` : '';
    const rows = this.store.db.all(
      `SELECT id FROM message ${where} ORDER BY created ${way}, id ${way} LIMIT ?1 OFFSET ?2`,
      values,
    );
    return this.messages(rows.map(row => String(row['id'])));
  }

  tree(session: SessionId): readonly TreeNode[] {
    const fields = this.fields(session);
    const tree = this.treeOf(session);
    return [...tree.rows.values()]
      .toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
      .map(({ id, parent, role, created, label, preview }) => ({
        id,
        parent,
        role,
        created,
        label,
        preview,
        trashed: tree.isTrashed(id),
        name: textOf(fields, 'name', id),
        note: textOf(fields, 'note', id),
      }));
  }

  bound(agent: string): ReadonlyMap<string, SessionId> {
    // The value of the row with the greatest clock; where several are bound to one, the latest.
    const rows = this.store.db.all(
      `SELECT session, of, value, max(h) AS last FROM field WHERE name = 'binding' AND of >= ?1 AND of < ?2
        GROUP BY session, of ORDER BY last`,
      [`${agent}\n`, `${agent}\u000b`],
    );
    const live = rows.filter(({ value }) => value !== 'null');
    return new Map(live.map(({ session, of }) => [String(of).slice(agent.length + 1), String(session)]));
  }

  trashedSince(): ReadonlyMap<SessionId, number> {
    // The value of the row with the greatest clock.
    const rows = this.store.db.all(
      "SELECT session, value, max(h) AS last FROM field WHERE name = 'trashed' AND of = '' GROUP BY session",
      [],
    );
    const trashed = rows.filter(({ value }) => value === 'true');
    return new Map(trashed.map(({ session, last }) => [String(session), timeOf(String(last)) ?? Infinity]));
  }

  /** The message and all below it; throws `has-children` where the choice is of that message only. */
  chosen(session: SessionId, { message, subtree }: BranchChoice): readonly MessageId[] {
    const ids = this.treeOf(session).subtree(message);
    if (ids.length > 1 && !subtree) throw new HistoryError('has-children');
    return ids;
  }

  treeOf(session: SessionId): Tree<NodeRow> {
    const rows = this.store.db.all('SELECT id, parent, role, created, label, preview FROM message WHERE session = ?1', [
      session,
    ]) as readonly unknown[] as readonly NodeRow[];
    return new Tree(rows, this.trashedIn(session));
  }

  /** The messages that were put into the trash, without what is in it because of them. */
  trashedIn(session: SessionId): ReadonlySet<MessageId> {
    const set = named(this.fields(session), 'trashed');
    return new Set(set.flatMap(([of, value]) => (of !== '' && value === true ? [of] : [])));
  }

  /** The last session that was made for a key. */
  lastOfKey(key: string): { readonly session: SessionId; readonly generation: number } | null {
    const [row] = this.store.db.all(
      'SELECT id, generation FROM session WHERE key = ?1 ORDER BY generation DESC, id LIMIT 1',
      [key],
    );
    return row ? { session: String(row['id']), generation: Number(row['generation']) } : null;
  }

  /**
   * How the session began, from the journal: what it is called with, and the system prompts, which nothing else needs
   * to know. Undefined where that is not there. It reads the files of the session.
   */
  audit(session: SessionId): SessionAudit | undefined {
    if (this.store.erasure.hasSession(session)) return undefined;
    const first = this.store.beginningOf(session);
    const begun = first ? this.whole(session, first).facts.find(fact => fact.type === 'session') : undefined;
    const last = lastSystemPrompt(this.store, session);
    return begun && last !== undefined ? { ...begun, lastSystemPrompt: last } : begun;
  }

  blob(session: SessionId, ref: BlobRef): Uint8Array<ArrayBuffer> {
    const bytes = this.store.blobs.read(session, ref);
    if (!bytes) throw new HistoryError('no-blob');
    return bytes;
  }

  /** Whole messages by id; what is not in the files is not in the answer. */
  read(session: SessionId, ids: readonly MessageId[]): ReadonlyMap<MessageId, Message> {
    const wanted = new Set(ids);
    const records = this.store.recordsAt(session, () => this.places(session, wanted));
    return assemble(records.flatMap(record => this.whole(session, record).facts));
  }

  private whole(session: SessionId, record: JournalRecord): JournalRecord {
    return putBack(record, ref => this.store.blobs.text(session, ref));
  }

  private places(session: SessionId, wanted: ReadonlySet<MessageId>): readonly Place[] {
    // A few are asked for one by one; of many, the session's rows are faster. A record may hold facts of several
    // messages, and each of them has to see its own in their order: so all are in the order of the clock.
    const rows =
      wanted.size < askedOneByOne
        ? [...wanted]
            .flatMap(id =>
              this.store.db.all(
                'SELECT message, h, segment, offset, length FROM piece WHERE session = ?1 AND message = ?2',
                [session, id],
              ),
            )
            .toSorted(byClock)
        : this.store.db.all('SELECT message, h, segment, offset, length FROM piece WHERE session = ?1 ORDER BY h', [
            session,
          ]);
    const places = new Map<string, Place>();
    for (const row of rows) {
      if (!wanted.has(String(row['message']))) continue;
      const place = { segment: String(row['segment']), offset: Number(row['offset']), length: Number(row['length']) };
      places.set(`${place.segment}:${place.offset}`, place);
    }
    return [...places.values()];
  }

  isOn(session: SessionId, name: FieldName): boolean {
    return this.fields(session).get(fieldKey(name)) === true;
  }

  /** Where the next panel starts, as it was last set. */
  headOf(session: SessionId): MessageId | null {
    return textOf(this.fields(session), 'head');
  }

  /** Of the branch that ends in the message. */
  branchName(session: SessionId, leaf: MessageId): string | null {
    return textOf(this.fields(session), 'name', leaf);
  }

  private fields(session: SessionId): Fields {
    return fieldsOf(this.store.db, session);
  }

  private row(id: MessageId): NodeRow | undefined {
    return this.store.db.all('SELECT id, parent, role, created, label, preview FROM message WHERE id = ?1', [
      id,
    ])[0] as unknown as NodeRow | undefined;
  }
}

function byClock(one: SqlRow, other: SqlRow): number {
  return String(one['h']) < String(other['h']) ? -1 : 1;
}

function textOf(fields: Fields, name: string, of = ''): string | null {
  const value = fields.get(fieldKey(name, of));
  return typeof value === 'string' ? value : null;
}

/** A message whose records are not on the disk: something else still knows that it was there, and where. */
function unreadable(session: SessionId, row: NodeRow | undefined): Message {
  const text = 'This message could not be read: it is not in the history folder.';
  return {
    id: row?.id ?? '',
    session,
    parent: row?.parent ?? null,
    role: row?.role ?? 'assistant',
    created: row?.created ?? 0,
    ...(row && row.label !== null ? { label: row.label } : {}),
    blocks: [{ kind: 'notice', mime: 'text/plain', severity: 'error', text }],
    end: { reason: 'failed', at: row?.created ?? 0 },
  };
}
