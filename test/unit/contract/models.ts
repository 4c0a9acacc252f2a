// The built-in agent with a model behind it, as a contender: the loop in this process, and on loopback a server that speaks
// as a vendor does and answers by the words of the prompt.

import { aboutModels, modelsRef } from '../../../src/agent/refs.ts';
import { serveModels } from '../../agents/models/server.ts';
import { modelsTransport } from '../support/builtIn.ts';
import type { Contender } from './contender.ts';
import { byOrders } from './orders.ts';

export function theModel(speaks: 'openai' | 'anthropic'): Contender {
  return {
    name: `the loop with a model of ${speaks}`,
    id: modelsRef.id,
    async setUp(t, project) {
      const server = await serveModels({ key: 'canary-key' });
      t.after(() => server.close());
      const models = [{ id: 'model', contextWindow: 50_000_000 }];
      const setting = { here: { type: speaks, url: `${server.address}/v1`, key: '${secret:KEY}', models } };
      return {
        open: () => Promise.resolve(modelsTransport(setting, { folders: () => [project] }, { KEY: 'canary-key' })),
        about: aboutModels,
        takesPath: true,
        told(word) {
          const request = server.requests.find(({ isMain, order: text }) => isMain && text.includes(word));
          if (!request) throw new Error(`No model was told of ${word}.`);
          return request.messages;
        },
      };
    },
    ...byOrders,
    can: { ...byOrders.can, writesThroughUs: true },
  };
}
