// A session of a fake agent and its turns, which the moves play. It writes down what it was told, where every window's
// process of the agent finds it, as an agent's own files are.

import type { AgentSession, AgentSessionChange } from '../../src/core/agents.ts';
import type { AgentAnswer, AgentPrompt, AgentUpdate, TurnDesk } from '../../src/core/agentTurn.ts';
import type { AgentOption } from '../../src/model/agentState.ts';
import { textOf, type MessageId } from '../../src/model/message.ts';
import type { FakeAgent } from './fakeAgent.ts';

/** Of each message what was heard of it; null for all, whatever it becomes, because it was its own turn. */
export type Heard = Map<MessageId, string | null>;

/** Of its own answer, until it agrees to the end: nobody knows how it goes on with it. No message has these words. */
const unsure = '\0';

export interface Kept {
  readonly heard: Heard;
  readonly prompts: string[];
}

const models: AgentOption = {
  id: 'model',
  name: 'Model',
  description: '',
  category: 'model',
  value: 'small',
  choices: ['small', 'large'].map(value => ({ value, name: value, description: '' })),
};

export class FakeTurn {
  readonly agent: FakeAgent;
  readonly prompt: AgentPrompt;
  readonly desk: TurnDesk;
  readonly signal: AbortSignal;
  /** What it withdraws its questions with. */
  readonly withdrawn = new AbortController();
  /** Of questions that it never withdraws. */
  readonly stubborn = new AbortController();
  readonly answered: Promise<AgentAnswer>;
  last: AgentUpdate | null = null;
  /** It said itself that the turn is over. */
  onAgreed = () => {};
  isOpen = true;
  private settle: (answer: AgentAnswer | Error) => void = () => {};
  private stopListening: () => void = () => {};

  constructor(agent: FakeAgent, prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal) {
    this.agent = agent;
    this.prompt = prompt;
    this.desk = desk;
    this.signal = signal;
    this.answered = new Promise((resolve, reject) => {
      this.settle = answer => (answer instanceof Error ? reject(answer) : resolve(answer));
    });
    const onAbort = () => {
      const { stops } = agent.manners;
      if (stops !== 'ignores') this.end({ reason: stops === 'agrees' ? 'cancelled' : 'end_turn', agreed: true });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.stopListening = () => signal.removeEventListener('abort', onAbort);
  }

  /** Nothing of it is held any more: Node.js keeps every joined signal that somebody listens to. */
  forget(): void {
    this.stopListening();
    this.withdrawn.abort();
    this.stubborn.abort();
  }

  /** Also after its end: some agents go on speaking. */
  say(update: AgentUpdate): void {
    this.last = update;
    this.desk.onUpdate(update);
  }

  end(answer: AgentAnswer | Error, withdraws = true): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.stopListening();
    if (!(answer instanceof Error) && answer.agreed) this.onAgreed();
    if (withdraws) this.withdrawn.abort();
    this.settle(answer);
  }
}

export class FakeSession implements AgentSession {
  readonly id: string;
  readonly agent: FakeAgent;
  readonly heard: Heard;
  options: readonly AgentOption[] = [models];
  readonly commands = [];
  readonly contextWindow = null;
  private readonly listeners = new Set<(change: AgentSessionChange) => void>();
  private readonly kept: Kept;

  constructor(agent: FakeAgent, id: string, kept: Kept) {
    this.agent = agent;
    this.id = id;
    this.kept = kept;
    this.heard = new Map(kept.heard);
  }

  onDidChange(listener: (change: AgentSessionChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(change: AgentSessionChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }

  setOption(option: string, value: string | boolean): Promise<void> {
    this.options = this.options.map(one => (one.id === option ? { ...one, value } : one));
    this.tell({ type: 'options', options: this.options });
    return Promise.resolve();
  }

  prompt(prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal): Promise<AgentAnswer> {
    const turn = new FakeTurn(this.agent, prompt, desk, signal);
    this.agent.began(turn);
    const said = prompt.parts.flatMap(part => (part.type === 'text' ? [part.text] : []));
    // Of what stands in a seed it knows what the messages said then.
    if (said[0]?.startsWith('<conversation-history>')) for (const one of prompt.path) this.hear(one.id, textOf(one));
    this.kept.prompts.push(said.join('\n'));
    this.agent.listener.onPrompt(turn, this);
    if (signal.aborted && this.agent.manners.stops !== 'ignores') turn.end({ reason: 'cancelled', agreed: true });
    return turn.answered;
  }

  hear(message: MessageId, text: string | null): void {
    for (const heard of [this.heard, this.kept.heard]) if (heard.get(message) !== null) heard.set(message, text);
  }

  /** A turn of its own: the prompt is known, and the answer from its agreed end on. */
  answers(turn: FakeTurn, prompt: MessageId | null, answer: MessageId): void {
    if (prompt !== null) this.hear(prompt, null);
    for (const heard of [this.heard, this.kept.heard]) heard.set(answer, unsure);
    turn.onAgreed = () => this.hear(answer, null);
  }

  endTerminals(): void {}

  close(): Promise<void> {
    this.agent.sessions.delete(this.id);
    return this.agent.manners.closes ? Promise.resolve() : new Promise(() => {});
  }
}
