// How an agent is set, in words. Pure, so that a table can prove it.

import type { AgentOption } from '../../model/agentState.ts';
import { cleanLine } from '../transcript/cleanText.ts';

export interface OptionWords {
  readonly id: string;
  /** What it is called for a screen reader: model and mode are called so by every agent. */
  readonly name: string;
  /** What is to be read. */
  readonly value: string;
  readonly title: string;
}

const own: { readonly [category: string]: string } = { model: 'Model', mode: 'Mode' };
const order = ['model', 'mode'];

/** The model, then the mode, then the agent's own settings as they came. */
export function optionWords(options: readonly AgentOption[]): readonly OptionWords[] {
  const first = order.flatMap(category => options.filter(option => option.category === category));
  const rest = options.filter(({ category }) => !order.includes(category));
  return [...first, ...rest].flatMap(option => {
    const given = cleanLine(option.name);
    const name = own[option.category] ?? (given || cleanLine(option.id));
    const value = valueOf(option);
    if (value === '') return [];
    // What is only on or off, or more or less, says nothing without its name.
    const needsName = typeof option.value === 'boolean' || option.category === 'thought_level';
    const shown = needsName ? `${name}: ${value}` : value;
    return [{ id: option.id, name, value: shown, title: `${given || name}: ${value}` }];
  });
}

function valueOf({ value, choices }: AgentOption): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return cleanLine(choices?.find(choice => choice.value === value)?.name ?? '') || cleanLine(value);
}
