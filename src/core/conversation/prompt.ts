// A prompt as it goes into history and out to the agent. Pure.

import type { AgentRef, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { PromptPart } from '../agentTurn.ts';
import type { AttachedBlock } from './attaching.ts';
import type { Binding } from './binding.ts';
import { bindingFact } from './binding.ts';
import type { Seed } from './seeding.ts';
import { titleOf } from './title.ts';

export interface NewPrompt {
  readonly session: SessionId;
  readonly text: string;
  /** What goes with the words. */
  readonly attached: readonly AttachedBlock[];
  readonly prompt: MessageId;
  readonly answer: MessageId;
  readonly parent: MessageId | null;
  readonly agent: AgentRef;
  readonly cwd: string | null;
  readonly now: number;
}

export interface PromptRecord {
  readonly prompt: Message;
  /** Open: it has no blocks and no end yet. */
  readonly answer: Message;
  readonly facts: readonly Fact[];
}

/** One record: with it the prompt, the answer that begins, and what the agent's session is about to learn. */
export function recordOf(of: NewPrompt, binding: Binding | null, isFirst: boolean): PromptRecord {
  const { session, text, parent, agent, cwd, now } = of;
  const prompt: Message = {
    id: of.prompt,
    session,
    parent,
    role: 'user',
    created: now,
    blocks: [{ kind: 'text', mime: 'text/markdown', text }, ...of.attached],
    end: { reason: 'end_turn', at: now },
  };
  const answer: Message = {
    id: of.answer,
    session,
    parent: prompt.id,
    role: 'assistant',
    created: now,
    agent,
    blocks: [],
  };
  const facts: Fact[] = [];
  if (isFirst) {
    facts.push({ type: 'session', session, created: now, agent, ...(cwd === null ? {} : { cwd }) });
    facts.push({ type: 'set', session, name: 'title', value: titleOf(text), from: prompt.id });
  }
  facts.push({ type: 'message', session, message: prompt }, { type: 'message', session, message: answer });
  facts.push({ type: 'set', session, name: 'head', value: answer.id });
  if (binding) facts.push(bindingFact(session, { ...binding, dirty: true }));
  return { prompt, answer, facts };
}

/** An agent's own command takes no text before it: what has to be told first is told in a turn of its own. */
export function isCommand(text: string): boolean {
  return /^\/\S/.test(text.trimStart());
}

/** The words come before what was attached to them, as in the message. */
export function partsOf(text: string, seed: Seed | null, attached: readonly PromptPart[] = []): readonly PromptPart[] {
  const said: readonly PromptPart[] = [{ type: 'text', text }, ...attached];
  return seed === null || isCommand(text) ? said : [{ type: 'text', text: seed.text }, ...said];
}

/** The turn before a command. */
export function seedAlone(seed: Seed): readonly PromptPart[] {
  return [
    { type: 'text', text: `${seed.text}\n\nAnswer this with “OK” and nothing else, and wait for what comes next.` },
  ];
}

const summaryWanted =
  'Write a summary of this conversation for whoever goes on with it and has nothing else: what the person wants; what ' +
  'was decided, and why; what was done to which files; what was found out that should not have to be found out again; ' +
  'what is left to do. Keep names, paths, numbers and commands as they are. Use no tools. Answer with the summary only.';

/** Asks for the summary that stands for all that was said from then on. */
export function summaryPrompt(seed: Seed | null): readonly PromptPart[] {
  const words: PromptPart = { type: 'text', text: summaryWanted };
  return seed ? [{ type: 'text', text: seed.text }, words] : [words];
}
