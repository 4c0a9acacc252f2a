// What an agent session knows, as it is kept in history: exactly the path to one message, or, while a turn runs and
// where nobody knows how it ended, nothing that can be relied on (dirty). Pure: reading and writing are others'.

import type { Json, Message, MessageId, SessionId } from '../../model/message.ts';
import type { SetFact } from '../../model/record.ts';

export interface Binding {
  readonly agent: string;
  readonly agentSession: string;
  /** The last message of the path when it began: what is before came to it in a seed. */
  readonly from: MessageId | null;
  readonly head: MessageId | null;
  readonly dirty: boolean;
  readonly cwd: string | null;
  /** The window that has it. */
  readonly owner: string;
  /** Messages of the path that had no end when it was told of them, and how long they were: they may have gone on. */
  readonly unfinished?: readonly UnfinishedMessage[];
}

export interface UnfinishedMessage {
  readonly id: MessageId;
  readonly length: number;
}

/** Those of a path that may go on. Of what is before the end of a binding to it, the binding says that. */
export function unfinishedIn(path: readonly Message[], before?: Binding): readonly UnfinishedMessage[] {
  const bound = before ? path.findLastIndex(({ id }) => id === before.head) : -1;
  const since = path.slice(Math.max(0, bound)).filter(({ end }) => !end);
  const known = bound < 0 ? [] : (before?.unfinished ?? []);
  return [...known, ...since.map(message => ({ id: message.id, length: lengthOf(message) }))];
}

/** Whether every message of the path is as the agent session was told of it. */
export function isAsTold({ unfinished = [] }: Binding, path: readonly Message[]): boolean {
  return unfinished.every(({ id, length }) => {
    const message = path.find(one => one.id === id);
    return message !== undefined && lengthOf(message) === length;
  });
}

function lengthOf({ blocks }: Message): number {
  return JSON.stringify(blocks).length;
}

export function bindingFact(session: SessionId, binding: Binding): SetFact {
  const { agent, agentSession } = binding;
  const { unfinished, ...rest } = binding;
  const value = unfinished ? { ...rest, unfinished: unfinished.map(one => ({ ...one })) } : rest;
  return { type: 'set', session, name: 'binding', of: `${agent}\n${agentSession}`, value };
}

export function bindingOf(value: Json): Binding | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { agent, agentSession, from, head, dirty, cwd, owner, unfinished } = value as {
    readonly [field: string]: Json | undefined;
  };
  const isId = (id: Json | undefined): id is string | null => id === null || typeof id === 'string';
  if (typeof agent !== 'string' || typeof agentSession !== 'string' || typeof owner !== 'string') return undefined;
  if (!isId(from) || !isId(head) || !isId(cwd) || typeof dirty !== 'boolean') return undefined;
  const open = unfinishedOf(unfinished);
  return { agent, agentSession, from, head, dirty, cwd, owner, ...(open.length > 0 ? { unfinished: open } : {}) };
}

function unfinishedOf(value: Json | undefined): readonly UnfinishedMessage[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one): readonly UnfinishedMessage[] => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { id, length } = one as { readonly [field: string]: Json | undefined };
    return typeof id === 'string' && typeof length === 'number' ? [{ id, length }] : [];
  });
}

/** What the person said to this agent session, in order: its replay must say the same. */
export function promptsOf(binding: Binding, path: readonly Message[]): readonly string[] {
  const from = path.findIndex(({ id }) => id === binding.from);
  return path.slice(from + 1).flatMap(message => (message.role === 'user' ? [wordsOf(message)] : []));
}

/**
 * Whether a replay shows these prompts, in this order, and the last of them last. Agents put words of their own around
 * and between them (a context of the session, a seed, a note of an interruption), and those do not count.
 */
export function isReplayOf(replayed: readonly string[], prompts: readonly string[]): boolean {
  let next = 0;
  for (const text of replayed) {
    const words = normal(text);
    const expected = prompts[next];
    if (expected !== undefined && words.includes(normal(expected))) next++;
    else if (!isAgentsOwn(words)) return false;
  }
  return next === prompts.length;
}

/** What agents put between a person's words in a replay. */
export function isAgentsOwn(words: string): boolean {
  return /^<.*>$/.test(words) || /^\[.*\]$/.test(words) || words === '';
}

function wordsOf(message: Message): string {
  return message.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : [])).join('\n');
}

function normal(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
