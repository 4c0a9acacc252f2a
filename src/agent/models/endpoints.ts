// The endpoints of models that a person wrote in settings, by the names that they gave them. Pure. Promises: an entry that
// makes no sense is told in words and takes nothing else with it; a key that stands in the settings as it is, is not used.

import type { SaidOfThinking } from './thinking.ts';

export interface ConfiguredEndpoint {
  readonly name: string;
  readonly speaks: 'openai' | 'anthropic';
  /** Without a slash at the end. */
  readonly url: string;
  /** As it is written: `${secret:NAME}`; empty where none is needed. */
  readonly key: string;
  /** As they are written: secrets are still named. */
  readonly headers: { readonly [name: string]: string };
  /** Empty where the server is asked. */
  readonly models: readonly ConfiguredModel[];
}

export interface ConfiguredModel {
  readonly id: string;
  readonly name?: string;
  readonly contextWindow?: number;
  readonly images?: boolean;
  readonly thinking?: SaidOfThinking;
  /** In US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

type Fields = { readonly [field: string]: unknown };

const usualUrl = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' } as const;

export function endpointsIn(setting: unknown): {
  readonly endpoints: readonly ConfiguredEndpoint[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const endpoints = Object.entries(fieldsOf(setting)).flatMap(([name, value]): readonly ConfiguredEndpoint[] => {
    const found = endpointOf(name, fieldsOf(value));
    if (typeof found !== 'string') return [found];
    problems.push(`The models of “${name}” are not used: ${found}`);
    return [];
  });
  return { endpoints, problems };
}

function endpointOf(
  name: string,
  { type = 'openai', url, key = '', headers, models }: Fields,
): ConfiguredEndpoint | string {
  if (name === '' || name.includes('/')) return 'its name must not be empty or have a “/” in it.';
  if (type !== 'openai' && type !== 'anthropic') return '`type` must be “openai” or “anthropic”.';
  const address = url ?? usualUrl[type];
  if (typeof address !== 'string' || !isWebAddress(address)) return '`url` must begin with https:// or http://.';
  if (typeof key !== 'string' || !/^$|^\$\{secret:[\w.-]+\}$/.test(key))
    return '`key` must name a secret, as ${secret:NAME}. Settings are plain text.';
  const own = Object.entries(fieldsOf(headers)).filter((one): one is [string, string] => typeof one[1] === 'string');
  const list = Array.isArray(models) ? models.flatMap(modelOf) : [];
  return { name, speaks: type, url: address.replace(/\/+$/, ''), key, headers: Object.fromEntries(own), models: list };
}

function modelOf(value: unknown): readonly ConfiguredModel[] {
  if (typeof value === 'string') return value === '' ? [] : [{ id: value }];
  const { id, name, contextWindow, images, thinking, price } = fieldsOf(value);
  if (typeof id !== 'string' || id === '') return [];
  const { input, output } = fieldsOf(price);
  return [
    {
      id,
      ...(typeof name === 'string' && name !== '' ? { name } : {}),
      ...(typeof contextWindow === 'number' && contextWindow >= 1000
        ? { contextWindow: Math.floor(contextWindow) }
        : {}),
      ...(typeof images === 'boolean' ? { images } : {}),
      ...(typeof thinking === 'boolean' ? { thinking } : {}),
      ...(typeof input === 'number' && typeof output === 'number' ? { price: { input, output } } : {}),
    },
  ];
}

function isWebAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  } catch {
    return false;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
