// The models of a person's endpoints as a source of the loop. Promises: a server that does not answer in time keeps nobody
// waiting and is asked again later; keys are asked for when a request is made, are kept nowhere here, and are in no error.

import { httpErrorIn } from '../../core/httpError.ts';
import type { ModelInfo, ModelSource } from '../loop/model.ts';
import { noKey, unreachable, type ModelTrouble } from '../loop/trouble.ts';
import type { ConfiguredEndpoint } from './endpoints.ts';
import { infoOf, listModels } from './listing.ts';
import type { Endpoint } from './sdkModel.ts';

export interface EndpointPorts {
  /** As the settings are now. */
  readonly endpoints: () => readonly ConfiguredEndpoint[];
  /** With the values in the place of the names of secrets. Throws an error in words where one is not set. */
  readonly resolve: (text: string) => Promise<string>;
  /** The HTTP client, with the limits of each use. */
  readonly http: { readonly listing: typeof globalThis.fetch; readonly prompt: typeof globalThis.fetch };
  readonly now: () => number;
  /** The AI SDK, which is large: loaded when a model is first asked. */
  readonly sdk: () => Promise<typeof import('./sdkModel.ts')>;
}

/** Milliseconds. */
const patience = 3000;
const listedFor = 5 * 60_000;
const failedFor = 10_000;

interface Listed {
  readonly until: number;
  readonly models: readonly ModelInfo[];
  /** Why it could not be asked. */
  readonly why?: string;
}

export function endpointSource(ports: EndpointPorts): ModelSource {
  const known = new Map<string, Listed>();
  const under = new Map<string, Promise<readonly ModelInfo[]>>();

  const ask = async (endpoint: ConfiguredEndpoint, key: string): Promise<readonly ModelInfo[]> => {
    const before = known.get(key);
    let why = unreachable(endpoint.name, endpoint.url).message;
    try {
      const secrets = await secretsOf(endpoint, ports.resolve).catch((cause: unknown) => {
        why = keyMissing(endpoint, cause).message;
        throw cause;
      });
      const request = { endpoint, ...secrets, http: ports.http.listing };
      const found = await listModels(request, AbortSignal.timeout(patience));
      const models = found.map(model => infoOf(endpoint, model));
      known.set(key, { until: ports.now() + listedFor, models });
      return models;
    } catch (cause) {
      const refused = httpErrorIn(cause);
      if (refused) why = `${endpoint.name}: ${refused.message}`;
      // Not there now: what is known of it stays, so that its name is not lost, and a prompt to it says why.
      const models = before?.models ?? [];
      known.set(key, { until: ports.now() + failedFor, models, why });
      return models;
    } finally {
      under.delete(key);
    }
  };
  const modelsOf = async (endpoint: ConfiguredEndpoint): Promise<readonly ModelInfo[]> => {
    if (endpoint.models.length > 0) return endpoint.models.map(model => infoOf(endpoint, model));
    const key = JSON.stringify(endpoint);
    const listed = known.get(key);
    if (listed && ports.now() < listed.until) return listed.models;
    let asking = under.get(key);
    if (!asking) under.set(key, (asking = ask(endpoint, key)));
    return asking;
  };

  return {
    async list() {
      return (await Promise.all(ports.endpoints().map(modelsOf))).flat();
    },
    why: () =>
      ports
        .endpoints()
        .flatMap(endpoint => known.get(JSON.stringify(endpoint))?.why ?? [])
        .join(' '),
    async open(id) {
      const endpoint = ports.endpoints().find(({ name }) => id.startsWith(`${name}/`));
      if (!endpoint) return undefined;
      const model = id.slice(endpoint.name.length + 1);
      // One that is not listed now is tried all the same: the server says what is wrong with it.
      const info = (await modelsOf(endpoint)).find(one => one.id === id) ?? infoOf(endpoint, { id: model });
      const { key, headers } = await secretsOf(endpoint, ports.resolve).catch((cause: unknown) => {
        throw keyMissing(endpoint, cause);
      });
      const { sdkModel } = await ports.sdk();
      const { speaks, url } = endpoint;
      const to: Endpoint = { speaks, url, key, headers, fetch: ports.http.prompt };
      return { info, model: sdkModel(to, model, `${info.name} (${endpoint.name})`) };
    },
  };
}

function keyMissing({ name }: ConfiguredEndpoint, cause: unknown): ModelTrouble {
  return noKey(name, cause instanceof Error ? cause.message : '');
}

async function secretsOf({ key, headers }: ConfiguredEndpoint, resolve: EndpointPorts['resolve']) {
  const resolved = Object.entries(headers).map(async ([name, text]) => [name, await resolve(text)] as const);
  return { key: await resolve(key), headers: Object.fromEntries(await Promise.all(resolved)) };
}
