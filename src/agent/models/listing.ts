// Which models an endpoint has: what it answers at `/models`, as far as servers tell, with what is known of their windows.
// Promises: what cannot be talked to is left out; what is not told is assumed small rather than large.

import type { ModelInfo } from '../loop/model.ts';
import type { ConfiguredEndpoint, ConfiguredModel } from './endpoints.ts';
import { thinkingIn, thinkingOf } from './thinking.ts';

export interface ListingRequest {
  readonly endpoint: ConfiguredEndpoint;
  /** Resolved. */
  readonly key: string;
  readonly headers: { readonly [name: string]: string };
  readonly http: typeof globalThis.fetch;
}

/** Throws where the server cannot be asked, or says no. */
export async function listModels(
  { endpoint, key, headers, http }: ListingRequest,
  signal: AbortSignal,
): Promise<readonly ConfiguredModel[]> {
  const { url, speaks } = endpoint;
  const own: Record<string, string> =
    speaks === 'anthropic'
      ? { 'anthropic-version': '2023-06-01', ...(key === '' ? {} : { 'x-api-key': key }) }
      : key === ''
        ? {}
        : { authorization: `Bearer ${key}` };
  const response = await http(`${url}/models${speaks === 'anthropic' ? '?limit=1000' : ''}`, {
    headers: { ...own, ...headers },
    signal,
  });
  if (!response.ok) throw new Error(`It answers with ${response.status}.`);
  const { data } = fieldsOf(await response.json());
  return (Array.isArray(data) ? data : []).flatMap(listedModel);
}

/** Where neither the person nor the server says more. */
const smallest = 32_768;

/** By the beginning of the name, after that of whoever serves it. */
const windows: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-5/, 272_000],
  [/^(o1|o3|o4)/, 200_000],
  [/^gpt-4o|^gpt-4-turbo|^chatgpt/, 128_000],
  [/^gemini/, 1_000_000],
];

export function infoOf({ name: endpoint, speaks }: ConfiguredEndpoint, model: ConfiguredModel): ModelInfo {
  const { id, name, contextWindow, images, thinking: said, price } = model;
  const bare = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  const known = windows.find(([begins]) => begins.test(bare))?.[1];
  const thinking = thinkingOf(id, said);
  return {
    id: `${endpoint}/${id}`,
    name: name ?? id,
    description: '',
    group: endpoint,
    contextWindow: contextWindow ?? known ?? (speaks === 'anthropic' ? 200_000 : smallest),
    images: images ?? true,
    ...(thinking.length > 0 ? { thinking } : {}),
    ...(price ? { price: { ...price, currency: 'USD' } } : {}),
  };
}

const notForTalking =
  /embed|whisper|tts|dall-e|moderation|rerank|transcribe|realtime|audio|image|sora|davinci|babbage/i;

function listedModel(value: unknown): readonly ConfiguredModel[] {
  const fields = fieldsOf(value);
  const { id } = fields;
  if (typeof id !== 'string' || id === '' || notForTalking.test(id)) return [];
  const name = [fields['display_name'], fields['name']].find(one => typeof one === 'string' && one !== '');
  const window = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
    .map(field => fields[field])
    .find(one => typeof one === 'number' && one >= 1000);
  const modalities = fieldsOf(fields['architecture'])['input_modalities'];
  const thinking = thinkingIn(fields);
  const { prompt, completion } = fieldsOf(fields['pricing']);
  const [input, output] = [Number(prompt) * 1_000_000, Number(completion) * 1_000_000];
  return [
    {
      id,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof window === 'number' ? { contextWindow: window } : {}),
      ...(Array.isArray(modalities) ? { images: modalities.includes('image') } : {}),
      ...(thinking === undefined ? {} : { thinking }),
      ...(prompt !== undefined && input >= 0 && output >= 0 ? { price: { input, output } } : {}),
    },
  ];
}

function fieldsOf(value: unknown): { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [field: string]: unknown }) : {};
}
