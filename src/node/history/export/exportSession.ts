// One session as rows of an exported file, in steps that each hold a few messages at most. Promises: every message of it
// that the index knows, whole, with the bytes of its blobs; one whose records are gone says so, as it does elsewhere.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { putBack } from '../../../core/history/blobs.ts';
import type { TreeNode } from '../../../core/history/history.ts';
import { fieldsOf, formerSystemPromptKey, totalsOf } from '../index/sessionSummary.ts';
import type { BlobRef, Block, Message, SessionId } from '../../../model/message.ts';
import { findSession } from '../index/listSessions.ts';
import { headOf, listNodes } from '../index/messageTree.ts';
import { readAudit, readMessages } from '../index/readMessages.ts';
import { lastSystemPrompt, systemPromptIn } from '../index/lastSystemPrompt.ts';
import { readFrom } from '../journal/segmentReader.ts';
import type { MemoryDatabase, SqlInput } from '../index/sqlite.ts';
import type { Store } from '../store.ts';

/** So few are found fastest one by one. */
const messagesAtOnce = 16;

export interface ExportStep {
  /** Of the blobs, which are read while it is written. */
  readonly bytes: number;
  readonly write: (db: MemoryDatabase) => void;
}

export async function* exportSession(
  store: Store,
  session: SessionId,
  segments: readonly string[],
): AsyncGenerator<ExportStep> {
  const systemPrompt = await systemPromptOf(store, session, segments);
  // One turn for the session as it stands; messages that come later are not in the file.
  const summary = findSession(store.db, session);
  const totals = totalsOf(store.db, session);
  const nodes = listNodes(store.db, session);
  const head = headOf(store.db, session);
  const fields = fieldsOf(store.db, session);
  const lastPrompt = lastSystemPrompt(store, session);
  if (store.erasure.hasSession(session)) return;
  yield {
    bytes: 0,
    write(db) {
      insert(db, 'session', [
        session,
        summary?.title ?? null,
        summary?.agent.id ?? null,
        summary?.agent.name ?? null,
        summary?.model ?? null,
        summary?.mode ?? null,
        summary?.cwd ?? null,
        summary?.key?.key ?? null,
        summary?.key?.generation ?? null,
        summary?.origin ?? null,
        systemPrompt,
        summary?.created ?? null,
        summary?.active ?? null,
        summary?.expires ?? null,
        summary?.messages ?? null,
        Number(summary?.trashed ?? false),
        Number(summary?.archived ?? false),
        Number(summary?.pinned ?? false),
        head,
        totals.inputTokens,
        totals.outputTokens,
        JSON.stringify(totals.costs),
      ]);
      for (const label of summary?.labels ?? []) insert(db, 'label', [session, label]);
      for (const [key, value] of Object.entries(summary?.metadata ?? {})) {
        insert(db, 'metadata', [session, key, JSON.stringify(value)]);
      }
      if (lastPrompt !== undefined) {
        insert(db, 'metadata', [session, formerSystemPromptKey, JSON.stringify(lastPrompt)]);
      }
      for (const [key, value] of fields) {
        const [name = '', of = ''] = key.split(/\n(.*)/s);
        // With the text in it, as anything else in the file.
        const whole = name === 'systemPrompt' ? { content: systemPromptIn(store, session, value) ?? null } : value;
        insert(db, 'field', [session, name, of, JSON.stringify(whole)]);
      }
    },
  };
  for (let at = 0; at < nodes.length; at += messagesAtOnce) {
    const some = new Map(nodes.slice(at, at + messagesAtOnce).map(node => [node.id, node]));
    // Some may have been erased since, and one that goes while it is read has no id.
    const there = [...some.keys()].filter(id => store.db.all('SELECT 1 FROM message WHERE id = ?1', [id]).length > 0);
    const messages = readMessages(store, there).filter(({ id }) => some.has(id));
    const blobs = messages.flatMap(message => message.blocks.flatMap(block => blobOf(block) ?? []));
    yield {
      bytes: blobs.reduce((bytes, { size }) => bytes + size, 0),
      write(db) {
        for (const message of messages) writeMessage(db, store, message, some.get(message.id));
      },
    };
  }
}

export function forgetExported(db: MemoryDatabase, session: SessionId): void {
  db.run('DELETE FROM block WHERE message IN (SELECT id FROM message WHERE session = ?1)', [session]);
  for (const table of ['message', 'field', 'metadata', 'label']) {
    db.run(`DELETE FROM ${table} WHERE session = ?1`, [session]);
  }
  db.run('DELETE FROM session WHERE id = ?1', [session]);
}

function writeMessage(db: MemoryDatabase, store: Store, message: Message, node: TreeNode | undefined): void {
  const { id, session, parent, role, created, agent, label, blocks, end, ...rest } = message;
  insert(db, 'message', [
    id,
    session,
    parent,
    role,
    created,
    agent?.id ?? null,
    agent?.name ?? null,
    label ?? null,
    Number(node?.trashed ?? false),
    node?.name ?? null,
    node?.note ?? null,
    end?.at ?? null,
    end?.reason ?? null,
    end?.detail ?? null,
    end?.usage?.inputTokens ?? null,
    end?.usage?.outputTokens ?? null,
    end?.usage?.cachedTokens ?? null,
    end?.usage?.thoughtTokens ?? null,
    end?.usage?.cost?.amount ?? null,
    end?.usage?.cost?.currency ?? null,
    jsonOf(rest),
  ]);
  blocks.forEach((block, at) => {
    const { kind, mime, ...fields }: { kind: string; mime: string; [field: string]: unknown } = { ...block };
    const ref = blobOf(block);
    const data = ref && store.blobs.read(session, ref);
    if (data) delete fields['data'];
    const { text } = fields;
    if (typeof text === 'string' && isExact(text)) delete fields['text'];
    insert(db, 'block', [id, at, kind, mime, typeof text === 'string' ? text : null, jsonOf(fields), data ?? null]);
  });
}

/** Where the content of a block is, for one that has some. */
function blobOf(block: Block): BlobRef | undefined {
  if (!('data' in block) || typeof block.data !== 'object') return undefined;
  return 'sha256' in block.data ? block.data : undefined;
}

/** SQLite's text holds no half of a pair, and some readers end it at a NUL. */
function isExact(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function jsonOf(fields: object): string | null {
  return Object.keys(fields).length > 0 ? JSON.stringify(fields) : null;
}

function insert(db: MemoryDatabase, table: string, values: readonly SqlInput[]): void {
  db.run(`INSERT INTO ${table} VALUES(${values.map(() => '?').join(', ')})`, values);
}

/** It is in no index: the record that began the session is looked for. */
async function systemPromptOf(store: Store, session: SessionId, segments: readonly string[]): Promise<string | null> {
  const begun = store.db.all('SELECT created_h FROM session WHERE id = ?1', [session])[0]?.['created_h'];
  if (begun === '') return null;
  try {
    for (const segment of segments) {
      for (let position = 0, more = true; more; await nextTurn()) {
        const found = readFrom(store.journal, segment, position, false);
        for (const { record } of found.records) {
          if (record.h !== begun) continue;
          const whole = putBack(record, ref => store.blobs.text(session, ref));
          const fact = whole.facts.find(({ type }) => type === 'session');
          return fact?.type === 'session' ? (fact.systemPrompt ?? null) : null;
        }
        ({ position, more } = found);
      }
    }
  } catch {
    // A file cannot be read, or went since they were listed. The whole session is looked through, in one turn.
  }
  return readAudit(store, session)?.systemPrompt ?? null;
}
