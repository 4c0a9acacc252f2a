// What may be left of an incognito session where this window cannot reach: said of whom it is so, and of nobody else. Pure.

import type { AgentOption } from '../model/agentState.ts';
import type { AboutAgent } from '../model/message.ts';

/** Agents that say what they are live in this window and keep nothing; a model that answers for them may be anywhere. */
export function copyWords(agent: string, about: AboutAgent | null, options: readonly AgentOption[]): string {
  if (!about) return `${agent} may keep its own copy.`;
  return options.some(({ category }) => category === 'model') ? 'The model’s provider may keep what it is sent.' : '';
}
