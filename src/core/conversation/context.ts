// A session that begins with what was said in another one: told in its first message, which is a part of the
// conversation like any other, so that every agent that goes on with it is told of it too. Pure.

import type { AgentRef, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { StoredSession } from '../history/history.ts';
import { telling } from './seeding.ts';

export interface FromContext {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly agent: AgentRef;
  readonly cwd: string | null;
  readonly now: number;
}

/** Null where nothing was said in the other. */
export function contextFacts(from: StoredSession, to: FromContext): readonly Fact[] | null {
  if (from.path.length === 0) return null;
  const { session, message: id, agent, cwd, now } = to;
  const title = titleOf(from);
  const text = contextText(from);
  const message: Omit<Message, 'session'> = {
    id,
    parent: null,
    role: 'summary',
    created: now,
    blocks: [{ kind: 'text', mime: 'text/markdown', text }],
    end: { reason: 'end_turn', at: now },
  };
  const origin = `session:${from.id}${from.head === null ? '' : `@${from.head}`}`;
  return [
    { type: 'session', session, created: now, agent, ...(cwd === null ? {} : { cwd }), origin },
    { type: 'message', session, message },
    { type: 'set', session, name: 'title', value: `After ${title}` },
    { type: 'set', session, name: 'head', value: id },
  ];
}

/** The branch on which it was left, within a bound: how it began, the newest of it, and how much is left out. */
export function contextText(from: Pick<StoredSession, 'title' | 'path'>): string {
  const { words, messages } = telling(from.path);
  const left = from.path.length - messages;
  const count = left === 0 ? '' : ` (${left} of its ${from.path.length} messages are left out)`;
  return [`From “${titleOf(from)}”${count}:`, ...words].join('\n\n');
}

function titleOf({ title }: Pick<StoredSession, 'title'>): string {
  return title || 'another session';
}
