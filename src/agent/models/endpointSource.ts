// The models of a person's endpoints as a source of the loop. Promises: a server that does not answer in time keeps nobody
// waiting and is asked again later; keys are asked for when a request is made, are kept nowhere here, and are in no error.

import { httpErrorIn } from '../../core/httpError.ts';
import type { ModelInfo, ModelSource } from '../loop/model.ts';
import { ModelTrouble, noKey, unreachable } from '../loop/trouble.ts';
import type { ConfiguredEndpoint } from './endpoints.ts';
import { infoOf, listModels } from './listing.ts';
import type { Endpoint } from './sdkModel.ts';

export interface EndpointPorts {
  /** As the settings are now. */
  readonly endpoints: () => readonly ConfiguredEndpoint[];
  /**
   * With the values in the place of the names of secrets, which go to this address. Throws an error in words where one is
   * not set, or may not go there; the person is asked only where `mayAsk`.
   */
  readonly resolve: (text: string, url: string, mayAsk: boolean) => Promise<string>;
  /** Why an endpoint can't be used, in sentences; null where it can. The person is asked only where `mayAsk`. */
  readonly refusal: (endpoint: ConfiguredEndpoint, mayAsk: boolean) => Promise<string | null>;
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

  const ask = async (endpoint: ConfiguredEndpoint, key: string, mayAsk: boolean): Promise<readonly ModelInfo[]> => {
    const before = known.get(key);
    let why = unreachable(endpoint.name, endpoint.url).message;
    let again = failedFor;
    try {
      const secrets = await secretsOf(endpoint, ports.resolve, mayAsk).catch((cause: unknown) => {
        why = keyMissing(endpoint, cause).message;
        // The server was not asked.
        again = 0;
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
      known.set(key, { until: ports.now() + again, models, why });
      return models;
    } finally {
      under.delete(key + mayAsk);
    }
  };
  const modelsOf = async (endpoint: ConfiguredEndpoint, mayAsk: boolean): Promise<readonly ModelInfo[]> => {
    if (endpoint.models.length > 0) return endpoint.models.map(model => infoOf(endpoint, model));
    const key = JSON.stringify(endpoint);
    const refusal = await ports.refusal(endpoint, mayAsk);
    if (refusal !== null) {
      known.set(key, { until: -Infinity, models: [], why: refusal });
      return [];
    }
    const listed = known.get(key);
    if (listed && ports.now() < listed.until) return listed.models;
    let asking = under.get(key + mayAsk);
    if (!asking) under.set(key + mayAsk, (asking = ask(endpoint, key, mayAsk)));
    return asking;
  };

  return {
    async list(_signal, mayAsk = false) {
      return (await Promise.all(ports.endpoints().map(endpoint => modelsOf(endpoint, mayAsk)))).flat();
    },
    why: () =>
      ports
        .endpoints()
        .flatMap(endpoint => known.get(JSON.stringify(endpoint))?.why ?? [])
        .join(' '),
    async open(id) {
      const endpoint = ports.endpoints().find(({ name }) => id.startsWith(`${name}/`));
      if (!endpoint) return undefined;
      const refusal = await ports.refusal(endpoint, true);
      if (refusal !== null) throw new ModelTrouble('other', refusal);
      const model = id.slice(endpoint.name.length + 1);
      // One that is not listed now is tried all the same: the server says what is wrong with it.
      const info = (await modelsOf(endpoint, false)).find(one => one.id === id) ?? infoOf(endpoint, { id: model });
      const { key, headers } = await secretsOf(endpoint, ports.resolve, true).catch((cause: unknown) => {
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

async function secretsOf(
  { key, headers, url }: ConfiguredEndpoint,
  resolve: EndpointPorts['resolve'],
  mayAsk: boolean,
) {
  const resolved: (readonly [string, string])[] = [];
  const ownKey = await resolve(key, url, mayAsk);
  // One after the other, so that nothing more is asked after a no.
  for (const [name, text] of Object.entries(headers)) resolved.push([name, await resolve(text, url, mayAsk)]);
  return { key: ownKey, headers: Object.fromEntries(resolved) };
}
