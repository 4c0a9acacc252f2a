// The sessions that an agent keeps itself, as its answer to `session/list` has them. What has no id or no folder is left
// out.

import type { ListedSession, ListedSessions } from '../../core/agents.ts';
import type { Json } from '../../model/message.ts';
import { fieldsOf, listOf, textOf } from './fields.ts';

export function listedOf(answer: unknown): ListedSessions {
  const { sessions, nextCursor } = fieldsOf(answer) ?? {};
  const next = textOf(nextCursor) ?? '';
  return { sessions: listOf(sessions).flatMap(sessionOf), next: next === '' ? null : next };
}

function sessionOf(value: Json): readonly ListedSession[] {
  const { sessionId, cwd, title, updatedAt } = fieldsOf(value) ?? {};
  if (typeof sessionId !== 'string' || typeof cwd !== 'string') return [];
  const updated = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  return [{ id: sessionId, cwd, title: textOf(title) ?? null, updated: Number.isNaN(updated) ? null : updated }];
}
