// What an agent's session is like, turn or no turn: its options, its commands, what it has cost. Promises: every change is
// told to every listener, whatever another one throws; what is of a turn is given back to whoever runs the turns.

import type { AgentSessionChange } from '../../core/agents.ts';
import type { AgentUpdate } from '../../core/agentTurn.ts';
import type { AgentCommand, AgentOption } from '../../model/agentState.ts';
import { CostMeter } from './costMeter.ts';
import { kindOf } from './errors.ts';
import type { Fields } from './fields.ts';
import {
  noOptions,
  optionsOf,
  optionStateOf,
  settingOf,
  withConfig,
  withMode,
  type OptionState,
  type Setting,
} from './options.ts';
import type { News } from './sessionUpdate.ts';

const longestSummary = 65_536;

export interface Heard {
  readonly update: AgentUpdate;
  readonly begins: boolean;
}

export class SessionState {
  readonly cost: CostMeter;
  private readonly onWarning: (words: string) => void;
  private readonly listeners = new Set<(change: AgentSessionChange) => void>();
  /** Of compactions that are under way, as far as they were told. */
  private readonly summaries = new Map<string, string>();
  private optionState: OptionState = noOptions;
  private knownCommands: readonly AgentCommand[] = [];
  private window: number | null = null;

  constructor(fresh: boolean, onWarning: (words: string) => void) {
    this.cost = new CostMeter(fresh);
    this.onWarning = onWarning;
  }

  get options(): readonly AgentOption[] {
    return optionsOf(this.optionState);
  }

  get contextWindow(): number | null {
    return this.window;
  }

  get commands(): readonly AgentCommand[] {
    return this.knownCommands;
  }

  onDidChange(listener: (change: AgentSessionChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The answer with which the agent opened the session. An update that came before it counts where it says nothing. */
  opened(answer: Fields): void {
    const state = optionStateOf(answer);
    if (optionsOf(state).length > 0) this.optionState = state;
  }

  setting(option: string, value: string | boolean): Setting {
    return settingOf(this.optionState, option, value);
  }

  set(change: (now: OptionState) => OptionState): void {
    this.optionState = change(this.optionState);
    this.tell({ type: 'options', options: this.options });
  }

  /** What belongs to a turn comes back. */
  take(news: News): Heard | null {
    switch (news.type) {
      case 'update':
        return { update: news.update, begins: news.begins === true };
      case 'compaction': {
        const summary = news.summary ?? this.summaries.get(news.id) ?? null;
        this.summaries.clear();
        return { update: { type: 'compacted', summary }, begins: false };
      }
      case 'compactionText':
        this.summaries.set(news.id, ((this.summaries.get(news.id) ?? '') + news.text).slice(0, longestSummary));
        return null;
      case 'commands':
        this.knownCommands = news.commands;
        this.tell({ type: 'commands', commands: news.commands });
        return null;
      case 'mode':
        this.set(now => withMode(now, news.mode));
        return null;
      case 'config':
        this.set(now => withConfig(now, news.options));
        return null;
      case 'title':
        this.tell({ type: 'title', title: news.title });
        return null;
      case 'context':
        this.cost.read(news.cost);
        this.window = news.size > 0 ? news.size : null;
        this.tell({ type: 'context', used: news.used, size: news.size });
        return null;
      case 'user':
      case 'nothing':
        return null;
    }
  }

  tell(change: AgentSessionChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (cause) {
        this.onWarning(`A change of the session could not be taken: ${kindOf(cause)}.`);
      }
    }
  }
}
