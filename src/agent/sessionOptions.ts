// What a session of the built-in agent can be set to, as the protocol tells it: the model, and how long it may think where
// it can be told. Promises: what the model cannot be told is not offered, and is refused.

import { RequestError, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { thinkingNames, type ModelInfo, type ThinkingLevel } from './loop/model.ts';

interface SetTo {
  readonly model: string | null;
  readonly thinking: ThinkingLevel | null;
}

/** The scout is one by itself, and is nobody's choice. */
export function optionsIn(
  list: readonly ModelInfo[],
  { model, thinking }: SetTo,
): { readonly configOptions?: SessionConfigOption[] } {
  if (model === null || list.every(({ group }) => group === '')) return {};
  const info = list.find(({ id }) => id === model);
  return { configOptions: [modelOption(list, model), ...thinkingOption(info?.thinking ?? [], thinking)] };
}

function modelOption(list: readonly ModelInfo[], model: string): SessionConfigOption {
  const groups = [...new Set(list.map(({ group }) => group))];
  const choice = ({ id, name, description }: ModelInfo) => ({ value: id, name, description });
  const options =
    groups.length === 1
      ? list.map(choice)
      : groups.map(group => ({ group, name: group, options: list.filter(one => one.group === group).map(choice) }));
  return { id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: model, options };
}

/** Nothing is said to the model. */
const byItself = 'default';

function thinkingOption(levels: readonly ThinkingLevel[], now: ThinkingLevel | null): readonly SessionConfigOption[] {
  if (levels.length === 0) return [];
  return [
    {
      id: 'thinking',
      name: 'Thinking',
      description: 'How long the model may think before it answers',
      category: 'thought_level',
      type: 'select',
      currentValue: now !== null && levels.includes(now) ? now : byItself,
      options: [
        { value: byItself, name: 'Default', description: 'As the model does by itself' },
        ...levels.map(level => ({ value: level, name: thinkingNames[level], description: detail[level] })),
      ],
    },
  ];
}

const detail: { readonly [level in ThinkingLevel]: string } = {
  off: 'Answers at once',
  low: 'Thinks a little',
  medium: 'Thinks longer',
  high: 'Thinks as long as it needs, and costs the most',
};

/** Null where nothing is to be said to the model. Throws where it cannot be told this. */
export function thinkingFrom(info: ModelInfo | undefined, value: unknown): ThinkingLevel | null {
  const levels = info?.thinking ?? [];
  if (value === byItself && levels.length > 0) return null;
  const level = levels.find(one => one === value);
  if (level === undefined)
    throw RequestError.invalidParams(
      undefined,
      `${info?.name ?? 'The model'} has no level of thinking “${String(value)}”.`,
    );
  return level;
}
