// What an agent's session can be set to. Agents tell it in three ways: `configOptions`, which go before all, and the
// older `modes` and `models`. To the product all are options. Promises: the agent's order is kept; what has an unknown
// type or a wrong shape is left out; what is set goes back by the way on which it came. Nothing is changed in place.

import { AgentError } from '../../core/agentError.ts';
import type { AgentOption, OptionChoice } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';
import { fieldsOf, listOf, textOf, type Fields } from './fields.ts';

export interface OptionState {
  readonly config: readonly AgentOption[];
  readonly mode: AgentOption | null;
  readonly model: AgentOption | null;
}

export const noOptions: OptionState = { config: [], mode: null, model: null };

/** From the answer to new, load, resume or fork. */
export function optionStateOf(answer: Fields): OptionState {
  const modes = fieldsOf(answer['modes']);
  const models = fieldsOf(answer['models']);
  return {
    config: listOf(answer['configOptions']).flatMap(optionOf),
    mode: modes ? legacy('mode', modes['currentModeId'], listOf(modes['availableModes']), 'id') : null,
    model: models ? legacy('model', models['currentModelId'], listOf(models['availableModels']), 'modelId') : null,
  };
}

/** Where there are configOptions, `modes` are ignored, and `models` too where one of the options is the model. */
export function optionsOf({ config, mode, model }: OptionState): readonly AgentOption[] {
  const extra = config.length === 0 ? [mode, model] : config.some(isModel) ? [] : [model];
  return [...config, ...extra.filter(option => option !== null)];
}

function isModel({ id, category }: AgentOption): boolean {
  return category === 'model' || id === 'model';
}

export function withConfig(state: OptionState, options: readonly Json[]): OptionState {
  return { ...state, config: options.flatMap(optionOf) };
}

/** The agent changed its mode by itself. It may tell only in the old way what it also has as an option. */
export function withMode(state: OptionState, mode: string): OptionState {
  const config = state.config.map(option =>
    option.category === 'mode' && option.choices?.some(({ value }) => value === mode)
      ? { ...option, value: mode }
      : option,
  );
  return { ...state, config, mode: state.mode && { ...state.mode, value: mode } };
}

export interface Setting {
  readonly method: string;
  readonly params: { readonly [name: string]: string | boolean };
  /** What is so once the agent agreed, as far as its answer says; updates may have come in between. */
  readonly after: (answer: unknown, now: OptionState) => OptionState;
}

/** Throws AgentError where there is no such option, or it has no such value. */
export function settingOf(state: OptionState, id: string, value: string | boolean): Setting {
  const option = optionsOf(state).find(one => one.id === id);
  if (!option) throw new AgentError('invalid', `The agent has no option “${id}”.`);
  const fits = option.choices ? option.choices.some(choice => choice.value === value) : typeof value === 'boolean';
  if (!fits) throw new AgentError('invalid', `“${option.name}” cannot be set to “${value}”.`);
  if (state.config.includes(option))
    return {
      method: 'session/set_config_option',
      params: { configId: id, ...(typeof value === 'boolean' ? { type: 'boolean' } : {}), value },
      after(answer, now) {
        const all = fieldsOf(answer)?.['configOptions'];
        if (Array.isArray(all)) return withConfig(now, listOf(all));
        return { ...now, config: now.config.map(one => (one.id === id ? { ...one, value } : one)) };
      },
    };
  return option === state.mode
    ? {
        method: 'session/set_mode',
        params: { modeId: value },
        after: (_answer, now) => ({ ...now, mode: { ...option, value } }),
      }
    : {
        method: 'session/set_model',
        params: { modelId: value },
        after: (_answer, now) => ({ ...now, model: { ...option, value } }),
      };
}

function optionOf(value: Json): readonly AgentOption[] {
  const { id, name, description, category, type, currentValue, options } = fieldsOf(value) ?? {};
  if (typeof id !== 'string') return [];
  const common = {
    id,
    name: textOf(name) ?? id,
    description: textOf(description) ?? '',
    category: textOf(category) ?? '',
  };
  if (type === 'boolean') return typeof currentValue === 'boolean' ? [{ ...common, value: currentValue }] : [];
  if (type !== 'select' || typeof currentValue !== 'string') return [];
  const choices = listOf(options).flatMap((one): readonly OptionChoice[] => {
    const group = fieldsOf(one);
    if (!Array.isArray(group?.['options'])) return choiceOf(one, 'value');
    const title = textOf(group['name']) ?? textOf(group['group']) ?? '';
    return listOf(group['options'])
      .flatMap(inner => choiceOf(inner, 'value'))
      .map(choice => ({ ...choice, group: title }));
  });
  return [{ ...common, value: currentValue, choices }];
}

function choiceOf(choice: Json, key: string): readonly OptionChoice[] {
  const fields = fieldsOf(choice);
  const value = textOf(fields?.[key]);
  if (value === undefined) return [];
  return [{ value, name: textOf(fields?.['name']) ?? value, description: textOf(fields?.['description']) ?? '' }];
}

function legacy(
  category: 'mode' | 'model',
  current: unknown,
  available: readonly Json[],
  key: string,
): AgentOption | null {
  const choices = available.flatMap(choice => choiceOf(choice, key));
  if (typeof current !== 'string' || choices.length === 0) return null;
  return {
    id: category,
    name: category === 'mode' ? 'Mode' : 'Model',
    description: '',
    category,
    value: current,
    choices,
  };
}
