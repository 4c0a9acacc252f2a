// The built-in agents at the other end of a stream in this process, as the extension has them.

import { usualNewest } from '../../../src/core/conversation/fitting.ts';
import { endpointsIn } from '../../../src/agent/models/endpoints.ts';
import { endpointSource } from '../../../src/agent/models/endpointSource.ts';
import { aboutModels, aboutScout, modelsRef, scoutRef } from '../../../src/agent/refs.ts';
import { scoutSource } from '../../../src/agent/scout/scoutModel.ts';
import { serveBuiltInAgent, type BuiltInAgentPorts, type ServedAgent } from '../../../src/agent/serve.ts';
import type { SearchHistory } from '../../../src/agent/tools/history.ts';
import { modelTools, scoutTools } from '../../../src/agent/tools/tools.ts';
import { memoryStreams } from '../../../src/node/acp/memoryStream.ts';
import { memoryTransport, type Transport } from '../../../src/node/acp/transport.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { lookupWith } from '../../../src/node/files/lookup/lookup.ts';
import { diskFiles } from '../../../src/node/files/search.ts';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { ids } from './history.ts';

export type BuiltInOptions = Partial<BuiltInAgentPorts> &
  Pick<BuiltInAgentPorts, 'folders'> & {
    readonly searchHistory?: SearchHistory;
    readonly onServed?: (served: ServedAgent) => void;
  };

function transportOf({ onServed, ...ports }: BuiltInAgentPorts & Pick<BuiltInOptions, 'onServed'>): Transport {
  const [ours, theirs] = memoryStreams();
  const served = serveBuiltInAgent(theirs, ports);
  onServed?.(served);
  return memoryTransport(ours, () => served.close());
}

const usual = {
  mayChange: () => true,
  blob: () => Promise.reject(new Error('There are no pictures here.')),
  newId: ids.message,
  after: systemClock.after,
  steps: () => 50,
  whenLong: () => 'leaveOut' as const,
  newestKept: () => usualNewest,
  usualModel: () => null,
};

function toolPorts({
  searchHistory = () => Promise.resolve({ places: [], more: false, searched: { sessions: 0, messages: 0 } }),
}: BuiltInOptions) {
  return { lookup: lookupWith(null), searchHistory, after: systemClock.after, files: diskFiles };
}

export function scoutTransport(options: BuiltInOptions): Transport {
  const own = {
    ref: scoutRef,
    about: aboutScout,
    images: false,
    models: scoutSource,
    tools: () => scoutTools(toolPorts(options)),
  };
  return transportOf({ ...usual, ...own, ...options });
}

/** `setting` is as a person writes it; secrets are by their names. */
export function modelsTransport(
  setting: object,
  options: BuiltInOptions,
  secrets: { readonly [name: string]: string } = {},
): Transport {
  const models = endpointSource({
    endpoints: () => endpointsIn(setting).endpoints,
    resolve: text =>
      Promise.resolve(
        text.replaceAll(/\$\{secret:([^}]*)\}/g, (_, name: string) => {
          const value = secrets[name];
          if (value === undefined) throw new Error(`The secret “${name}” is not set.`);
          return value;
        }),
      ),
    refusal: () => Promise.resolve(null),
    http: { listing: httpClient(httpLimits.listing), prompt: httpClient(httpLimits.prompt) },
    now: systemClock.now,
    sdk: () => import('../../../src/agent/models/sdkModel.ts'),
  });
  const own = modelTools(toolPorts(options));
  const tools = () => own;
  return transportOf({ ...usual, ref: modelsRef, about: aboutModels, images: true, models, tools, ...options });
}
