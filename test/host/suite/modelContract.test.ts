// The contract of a turn with the built-in agent and a model of VS Code, which another extension gives
// (`../modelProvider`): the loop, history and the project are those of the rows in plain Node.js, inside an extension host.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { aboutModels, modelsRef } from '../../../src/agent/refs.ts';
import { vscodeModels } from '../../../src/host/agents/languageModels.ts';
import type { Contender } from '../../unit/contract/contender.ts';
import { byOrders } from '../../unit/contract/orders.ts';
import type { Runner } from '../../unit/contract/runner.ts';
import { turnContract } from '../../unit/contract/turns.ts';
import { modelsTransport } from '../../unit/support/builtIn.ts';
import type { ModelProvider } from '../modelProvider/main.ts';
import { test } from './index.ts';

const theVscodeModel: Contender = {
  name: 'the loop with a model of VS Code',
  id: modelsRef.id,
  async setUp(_t, project) {
    const provider = vscode.extensions.getExtension<ModelProvider>('throughline-test.model-provider');
    assert.ok(provider, 'the extension with the models is not there');
    const { requests } = await provider.activate();
    const ports = {
      folders: () => [project],
      models: vscodeModels,
      usualModel: () => 'vscode/throughline-test/script',
    };
    return {
      open: () => Promise.resolve(modelsTransport({}, ports)),
      about: aboutModels,
      takesPath: true,
      told(word) {
        const request = requests.find(({ isMain, order }) => isMain && order.includes(word));
        if (!request) throw new Error(`No model was told of ${word}.`);
        return request.messages;
      },
    };
  },
  ...byOrders,
  can: { ...byOrders.can, writesThroughUs: true },
};

/** As it was built for the extension: an extension host does not run the sources. */
function built(name: string): string {
  const ours = vscode.extensions.getExtension('throughline.throughline');
  assert.ok(ours);
  return join(ours.extensionPath, 'dist', name);
}

const runner: Runner = { test, engine: { workerFile: built('history.js'), wasmFile: built('sql-wasm.wasm') } };

turnContract(theVscodeModel, runner);
