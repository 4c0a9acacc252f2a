// Reads what other windows did to a session, as far as it changed.

import type { Message, MessageId, SessionId } from '../../model/message.ts';
import { historyErrorIn } from '../history/historyError.ts';
import type { SessionHistory, StoredFields } from '../history/history.ts';
import type { FoundPath, Jobs, Look } from './effect.ts';
import { mergePath } from './merging.ts';

type Asked = Jobs['look']['ask'];

export async function look(session: SessionId, history: SessionHistory, asked: Asked): Promise<Look> {
  try {
    const fields = await history.fields(session);
    if (!fields) return { kind: (await isErased(session, history, asked)) ? 'erased' : 'unknown' };
    const head = asked.shown.at(-1)?.id ?? null;
    const news = asked.isBusy || asked.change.all ? [] : await readMessages(history, asked.change.messages);
    const path = asked.isPath && !asked.isBusy ? await readPath(session, history, asked, fields, news) : 'beside';
    const isBeside = path === 'beside' || !isBegunBy(path, asked);
    const goesOn = path !== 'beside' && !isBeside && !isOfBranch(path, asked);
    return {
      kind: 'found',
      fields,
      path: path === 'beside' ? null : path,
      changed: asked.isBusy ? [] : await readChanged(history, asked, news),
      writing: goesOn ? fields.writing : await writingAt(session, history, asked),
      beside: asked.isPath && isBeside ? ((await orNull(history.branches(session, head))) ?? null) : null,
      isHeadDeleted: path !== 'beside' && isBeside && (await isDeleted(session, history, asked)),
    };
  } catch {
    // What can't be read is not gone.
    return { kind: 'unknown' };
  }
}

/** A session that can't be saved was never in history, and one whose files a sync client moved away is not erased. */
async function isErased(session: SessionId, history: SessionHistory, { isUnsaved }: Asked): Promise<boolean> {
  return !isUnsaved && (await history.erased([session])).has(session);
}

/** Null where one of them can't be read any more. */
function readMessages(history: SessionHistory, ids: readonly MessageId[]): Promise<readonly Message[] | null> {
  return ids.length === 0 ? Promise.resolve([]) : orNull(history.messages(ids));
}

/** Of the messages that are shown, those that may be other now. */
async function readChanged(
  history: SessionHistory,
  { change, shown }: Asked,
  news: readonly Message[] | null,
): Promise<readonly Message[]> {
  const known = new Set(shown.map(({ id }) => id));
  if (news && !change.all) return news.filter(({ id }) => known.has(id));
  // Where it isn't known what changed, only what has no end can have gone on.
  const open = shown.flatMap(({ id, end }) => (end ? [] : [id]));
  return (await readMessages(history, open)) ?? [];
}

async function writingAt(
  session: SessionId,
  history: SessionHistory,
  { shown, isElsewhere }: Asked,
): Promise<MessageId | null> {
  const head = shown.at(-1)?.id;
  if (!isElsewhere || head === undefined) return null;
  const stored = await orNull(history.open(session, head));
  return stored?.writing ?? null;
}

/** The path to the session's head, read as far as it changed; `beside` where it is surely no news of what is shown. */
async function readPath(
  session: SessionId,
  history: SessionHistory,
  { change, shown, branches }: Asked,
  fields: StoredFields,
  changed: readonly Message[] | null,
): Promise<FoundPath | 'beside'> {
  const whole = async (): Promise<FoundPath | 'beside'> => (await history.open(session)) ?? 'beside';
  // What is in the trash may be any part of the path.
  if (change.all || change.fields.includes('trashed')) return whole();
  const path = changed && mergePath(shown, changed, fields.head);
  if (path === 'beside') return 'beside';
  if (!path) return !changed || change.fields.includes('head') ? whole() : 'beside';
  const known = new Set(shown.map(({ id }) => id));
  // A message that went on is no branch.
  if (change.messages.every(id => known.has(id)) && path.length === shown.length) return { path, branches };
  const found = await orNull(history.branches(session, fields.head));
  return found ? { path, branches: found } : whole();
}

/** Where a new branch is about to begin here, an older one that goes on is not its continuation. */
function isOfBranch({ path }: FoundPath, { shown, branches }: Asked): boolean {
  const next = path[shown.length];
  return next !== undefined && branches.below.includes(next.id);
}

function isBegunBy({ path }: FoundPath, { shown }: Asked): boolean {
  return shown.every(({ id }, at) => path[at]?.id === id);
}

/** The message at the end of what is shown is in the trash, or was erased. */
async function isDeleted(session: SessionId, history: SessionHistory, { shown, isUnsaved }: Asked): Promise<boolean> {
  const head = shown.at(-1)?.id;
  if (head === undefined) return false;
  const nodes = await history.tree(session);
  return nodes.find(({ id }) => id === head)?.trashed ?? !isUnsaved;
}

/** Null for what isn't there, or not any more; any other trouble may pass. */
async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (cause) {
    const code = historyErrorIn(cause)?.code;
    if (code === 'no-message' || code === 'no-session' || code === 'erased') return null;
    throw cause;
  }
}
