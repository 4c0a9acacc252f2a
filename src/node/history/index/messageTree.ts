// The tree of a session's messages as the index has it: rows without texts, and what was set of the session's branches.

import type { BranchChoice, TreeNode } from '../../../core/history/history.ts';
import { HistoryError } from '../../../core/history/historyError.ts';
import { Tree, type TreeRow } from '../../../core/history/tree.ts';
import type { Message, MessageId, SessionId } from '../../../model/message.ts';
import type { Branches } from '../../../model/transcript.ts';
import type { SqlDatabase } from './projection.ts';
import { fieldKey, fieldsOf, named, type Fields } from './sessionSummary.ts';

export type NodeRow = TreeRow & { readonly role: Message['role']; readonly preview: string };

const nodeColumns = 'SELECT id, parent, role, created, label, preview FROM message';

export function treeOf(db: SqlDatabase, session: SessionId): Tree<NodeRow> {
  const rows = db.all(`${nodeColumns} WHERE session = ?1`, [session]) as readonly unknown[] as readonly NodeRow[];
  return new Tree(rows, trashedIn(db, session));
}

export function nodeOf(db: SqlDatabase, id: MessageId): NodeRow | undefined {
  return db.all(`${nodeColumns} WHERE id = ?1`, [id])[0] as unknown as NodeRow | undefined;
}

export function listNodes(db: SqlDatabase, session: SessionId): readonly TreeNode[] {
  const fields = fieldsOf(db, session);
  const tree = treeOf(db, session);
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

export function branchesOf(db: SqlDatabase, session: SessionId, head: MessageId | null): Branches | undefined {
  const tree = treeOf(db, session);
  return head === null || tree.rows.has(head) ? tree.branches(head) : undefined;
}

/** The message and all below it; throws `has-children` where the choice is of that message only. */
export function chosenMessages(
  db: SqlDatabase,
  session: SessionId,
  { message, subtree }: BranchChoice,
): readonly MessageId[] {
  const ids = treeOf(db, session).subtree(message);
  if (ids.length > 1 && !subtree) throw new HistoryError('has-children');
  return ids;
}

/** The messages that were put into the trash, without what is in it because of them. */
export function trashedIn(db: SqlDatabase, session: SessionId): ReadonlySet<MessageId> {
  const set = named(fieldsOf(db, session), 'trashed');
  return new Set(set.flatMap(([of, value]) => (of !== '' && value === true ? [of] : [])));
}

/** Where the next panel starts, as it was last set. */
export function headOf(db: SqlDatabase, session: SessionId): MessageId | null {
  return textOf(fieldsOf(db, session), 'head');
}

/** Of the branch that ends in the message. */
export function branchName(db: SqlDatabase, session: SessionId, leaf: MessageId): string | null {
  return textOf(fieldsOf(db, session), 'name', leaf);
}

function textOf(fields: Fields, name: string, of = ''): string | null {
  const value = fields.get(fieldKey(name, of));
  return typeof value === 'string' ? value : null;
}
