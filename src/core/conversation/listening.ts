// The agent's session that a conversation uses now: what it says of itself, in turns and between them, and what the
// person set it to. Promises: a title of the agent's never stands over a person's; what a person chose is kept with the
// conversation, for each agent, and is set again wherever a session of it begins or comes back without it; what cannot be
// set again is said.

import type { Json, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { AgentSession, AgentSessionChange } from '../agents.ts';
import { agentErrorIn } from '../agentError.ts';
import { agentTitle } from './title.ts';

export interface ListeningPorts {
  readonly session: SessionId;
  readonly agent: () => string;
  readonly isNamed: () => boolean;
  readonly show: (event: TranscriptEvent) => void;
  /** The session is gone with its agent. */
  readonly onGone: () => void;
  /** Kept with the conversation, as soon as that is in history. */
  readonly save: (facts: readonly Fact[]) => void;
}

type Value = string | boolean;

/** An option of an agent as a person set it. */
interface Chosen {
  readonly agent: string;
  readonly option: string;
  readonly value: Value;
}

export class Listening {
  /** Every session that this conversation had in use and that was not closed by it. */
  readonly used = new Set<AgentSession>();
  private current: AgentSession | null = null;
  private stopListening = () => {};
  private chosen: readonly Chosen[];
  private readonly ports: ListeningPorts;

  /** `stored` are the values of the conversation's options, as history has them. */
  constructor(ports: ListeningPorts, stored: readonly Json[]) {
    this.ports = ports;
    this.chosen = stored.flatMap(chosenIn);
  }

  get session(): AgentSession | null {
    return this.current;
  }

  to(session: AgentSession | null): void {
    if (session === this.current) return;
    this.stopListening();
    this.current = session;
    this.stopListening = session?.onDidChange(change => this.said(change)) ?? (() => {});
    if (!session) return;
    this.used.add(session);
    this.ports.show({ type: 'optionsChanged', options: session.options });
    this.ports.show({ type: 'commandsChanged', commands: session.commands });
  }

  /** By the person. Throws AgentError. */
  async choose(option: string, value: Value, signal: AbortSignal): Promise<void> {
    const { current } = this;
    if (!current) return;
    await current.setOption(option, value, signal);
    const chosen: Chosen = { agent: this.ports.agent(), option, value };
    this.chosen = [chosen, ...this.chosen.filter(one => !isSameOption(one, chosen))];
    this.ports.save(this.factsOf(chosen, current));
  }

  /** Makes a session what the person set this agent to. What cannot be is given back in words. */
  async setAgain(session: AgentSession, signal: AbortSignal): Promise<readonly string[]> {
    const words: string[] = [];
    // What else there is to be set depends on the model.
    const isModel = ({ option }: Chosen) =>
      session.options.some(({ id, category }) => id === option && category === 'model');
    const inOrder = [...this.chosen.filter(isModel), ...this.chosen.filter(one => !isModel(one))];
    for (const { agent, option, value } of inOrder) {
      const known = session.options.find(({ id }) => id === option);
      if (agent !== this.ports.agent() || !known || known.value === value) continue;
      if (known.choices && !known.choices.some(choice => choice.value === value)) {
        words.push(`“${known.name}” cannot be “${value}” any more.`);
        continue;
      }
      try {
        await session.setOption(option, value, signal);
      } catch (cause) {
        if (signal.aborted) return words;
        words.push(
          `“${known.name}” could not be set to “${value}” again: ${agentErrorIn(cause)?.message ?? 'the agent refused'}`,
        );
      }
    }
    return words;
  }

  /** Of a conversation that was not in history when they were chosen. */
  allFacts(): readonly Fact[] {
    return this.chosen.flatMap(chosen => this.factsOf(chosen, this.current));
  }

  private factsOf(chosen: Chosen, session: AgentSession | null): readonly Fact[] {
    const { agent, option, value } = chosen;
    const kept: Fact = {
      type: 'set',
      session: this.ports.session,
      name: 'option',
      of: `${agent}:${option}`,
      value: { agent, option, value },
    };
    const category = session?.options.find(({ id }) => id === option)?.category;
    // The list of sessions shows these two, whoever the agent is.
    return category === 'model' || category === 'mode'
      ? [kept, { type: 'set', session: this.ports.session, name: category, value }]
      : [kept];
  }

  private said(change: AgentSessionChange): void {
    const { show, save, isNamed, onGone, session } = this.ports;
    switch (change.type) {
      case 'options':
        return show({ type: 'optionsChanged', options: change.options });
      case 'commands':
        return show({ type: 'commandsChanged', commands: change.commands });
      case 'context':
        return show({ type: 'contextChanged', context: { used: change.used, size: change.size } });
      case 'title': {
        const title = agentTitle(change.title);
        // A conversation is never without one.
        if (title === '') return;
        save([{ type: 'set', session, name: 'title', value: title }]);
        if (!isNamed()) show({ type: 'titleChanged', title });
        return;
      }
      case 'gone':
        this.to(null);
        return onGone();
      case 'aside':
        return;
    }
  }
}

function chosenIn(stored: Json): readonly Chosen[] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return [];
  const { agent, option, value } = stored as { readonly [field: string]: Json };
  if (typeof agent !== 'string' || typeof option !== 'string') return [];
  return typeof value === 'string' || typeof value === 'boolean' ? [{ agent, option, value }] : [];
}

function isSameOption(one: Chosen, other: Chosen): boolean {
  return one.agent === other.agent && one.option === other.option;
}
