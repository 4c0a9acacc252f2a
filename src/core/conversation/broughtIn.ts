// A session that was begun with an agent elsewhere, as a session of this history: what the agent plays back becomes
// messages, and its own session is bound to the end of them, so that it goes on and remembers. Pure. Promises: the same
// session of the same agent gives the same ids, so that nobody brings it in twice; nothing is said that the agent did not
// say. How much of it the agent plays back, and how true, is the agent's.

import type { AgentRef, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { ListedSession, ReplayedPart } from '../agents.ts';
import { applyUpdate, beginAnswer, closeAnswer } from './answer.ts';
import { bindingFact, isAgentsOwn } from './binding.ts';
import { agentTitle, titleOf } from './title.ts';

export interface BroughtIn {
  readonly session: SessionId;
  readonly agent: AgentRef;
  readonly listed: ListedSession;
  readonly cwd: string | null;
  readonly writer: string;
  readonly now: number;
  readonly messageId: (at: number) => MessageId;
}

/** Says of a session where it came from. */
export function agentOrigin(agent: string): string {
  return `agent:${agent}`;
}

/** Null where nothing was played back. */
export function broughtInFacts(parts: readonly ReplayedPart[], to: BroughtIn): readonly Fact[] | null {
  const { session, agent, listed, cwd, writer, now } = to;
  const turns = turnsOf(parts);
  if (turns.length === 0) return null;
  // The agent does not say when each was said: they stand in their order before its last sign of life.
  const last = Math.min(listed.updated ?? now, now);
  const at = (index: number) => Math.max(0, last - (turns.length - 1 - index));
  const messages = turns.map((turn, index): Omit<Message, 'session'> => {
    const id = to.messageId(index);
    const parent = index === 0 ? null : to.messageId(index - 1);
    const end = { reason: 'end_turn', at: at(index) } as const;
    if ('words' in turn) {
      const blocks = [{ kind: 'text', mime: 'text/markdown', text: turn.words } as const];
      return { id, parent, role: 'user', created: at(index), blocks, end };
    }
    const blocks = blocksOf(turn.updates, session, id);
    return { id, parent, role: 'assistant', created: at(index), agent, blocks, end };
  });
  const first = turns.find(turn => 'words' in turn);
  const title = agentTitle(listed.title ?? '') || titleOf(first && 'words' in first ? first.words : '');
  const head = to.messageId(turns.length - 1);
  const bound = { agent: agent.id, agentSession: listed.id, from: null, head, dirty: false, cwd, owner: writer };
  return [
    {
      type: 'session',
      session,
      created: at(0),
      agent,
      ...(cwd === null ? {} : { cwd }),
      origin: agentOrigin(agent.id),
    },
    ...messages.map((message): Fact => ({ type: 'message', session, message })),
    { type: 'set', session, name: 'title', value: title },
    { type: 'set', session, name: 'head', value: head },
    bindingFact(session, bound),
  ];
}

type Turn = { words: string } | { readonly updates: Extract<ReplayedPart, { type: 'update' }>['update'][] };

/** What the agent puts between as the person's words, as the context of the session, was not said by a person. */
function turnsOf(parts: readonly ReplayedPart[]): readonly Turn[] {
  const turns: Turn[] = [];
  let said: { readonly id: string | null; readonly turn: { words: string } } | null = null;
  for (const part of parts) {
    const last = turns.at(-1);
    if (part.type === 'update') {
      said = null;
      if (last && 'updates' in last) last.updates.push(part.update);
      else turns.push({ updates: [part.update] });
    } else if (said && said.id === part.messageId) said.turn.words += part.text;
    else {
      const turn = { words: part.text };
      said = { id: part.messageId, turn };
      turns.push(turn);
    }
  }
  return joined(turns.filter(turn => 'updates' in turn || !isAgentsOwn(turn.words.replace(/\s+/g, ' ').trim())));
}

/** What was left out may have stood between two parts of one answer. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const found: Turn[] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if ('updates' in turn && last && 'updates' in last) last.updates.push(...turn.updates);
    else found.push(turn);
  }
  return found;
}

function blocksOf(
  updates: readonly Extract<ReplayedPart, { type: 'update' }>['update'][],
  session: SessionId,
  id: MessageId,
): Message['blocks'] {
  const answer = updates.reduce((before, update) => applyUpdate(before, update).answer, beginAnswer(session, id));
  return closeAnswer(answer, 'cancelled').answer.blocks;
}
