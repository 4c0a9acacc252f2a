// How an agent is set, in words. Pure, so that a table can prove it.

import type { AgentOption } from '../model/agentState.ts';
import { cleanLine } from './cleanText.ts';

export interface OptionWords {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

const told: { readonly [category: string]: string } = { model: 'Model', mode: 'Mode' };

/** The model, then the mode; an agent's own settings are not told here. */
export function optionWords(options: readonly AgentOption[]): readonly OptionWords[] {
  return Object.keys(told).flatMap(category =>
    options.flatMap(option => {
      if (option.category !== category || typeof option.value !== 'string') return [];
      const choice = option.choices?.find(({ value }) => value === option.value);
      const value = cleanLine(choice?.name ?? '') || cleanLine(option.value);
      if (value === '') return [];
      return [{ id: option.id, name: cleanLine(option.name) || (told[category] ?? ''), value }];
    }),
  );
}
