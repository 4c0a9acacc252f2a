// What a branch has taken so far, as far as its agents said: tokens, and money in each currency apart. Of a whole session
// history knows it without reading its messages.

import type { Cost, Message } from './message.ts';

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costs: readonly Cost[];
}

/** Null where no agent told anything. */
export function spentOn(path: readonly Message[]): Spent | null {
  let [inputTokens, outputTokens] = [0, 0];
  const amounts = new Map<string, number>();
  for (const { end } of path) {
    const { usage } = end ?? {};
    inputTokens += usage?.inputTokens ?? 0;
    outputTokens += usage?.outputTokens ?? 0;
    if (usage?.cost) amounts.set(usage.cost.currency, (amounts.get(usage.cost.currency) ?? 0) + usage.cost.amount);
  }
  if (inputTokens + outputTokens + amounts.size === 0) return null;
  return { inputTokens, outputTokens, costs: [...amounts].map(([currency, amount]) => ({ amount, currency })) };
}
