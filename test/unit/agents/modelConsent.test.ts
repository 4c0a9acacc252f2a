// Model servers of the settings before and after the person agreed to them: over real HTTP, through the gate that a window
// has. A server that was not agreed to is asked nothing, and gets no key.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { endpointsIn } from '../../../src/agent/models/endpoints.ts';
import { endpointSource } from '../../../src/agent/models/endpointSource.ts';
import { troubleIn } from '../../../src/agent/loop/trouble.ts';
import { originOf } from '../../../src/host/agents/secretDestination.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { canary, openAi, windowOn, type Press } from '../host/gateWindow.ts';
import { loopback } from '../support/loopback.ts';
import { never } from '../support/scriptedProgram.ts';

async function scene(t: TestContext, isRemote: boolean, presses: Press[], models: readonly string[] = []) {
  const server = await loopback(t, (_, response) => response.end('{"data":[{"id":"m1"}]}'));
  const window = windowOn({ isRemote, presses });
  await window.secrets.set('KEY', canary, openAi);
  const setting = { Mine: { url: `${server.origin}/v1`, key: '${secret:KEY}', models } };
  const source = endpointSource({
    endpoints: () => endpointsIn(setting).endpoints,
    resolve: (text, url, mayAsk) => window.secrets.resolve(text, originOf(url), mayAsk),
    refusal: (value, mayAsk) => window.gate.refusal({ kind: 'model', name: value.name, value }, mayAsk),
    http: { listing: httpClient(httpLimits.listing), prompt: httpClient(httpLimits.prompt) },
    now: systemClock.now,
    sdk: () => import('../../../src/agent/models/sdkModel.ts'),
  });
  const ids = async (mayAsk: boolean) => (await source.list(never, mayAsk)).map(({ id }) => id);
  return { ...window, server, source, ids };
}

test('[H133] a model server on a remote is asked for its models after the person agreed, and asked about on sending only', async t => {
  const { ids, source, asked, server } = await scene(t, true, ['Use', 'Use']);
  assert.deepEqual(await ids(false), []);
  assert.match(source.why?.() ?? '', /You haven’t agreed to use the model server “Mine” yet/);
  assert.equal(asked.length, 0);
  assert.deepEqual(server.heard, []);
  assert.deepEqual(await ids(true), ['Mine/m1']);
  assert.deepEqual(
    asked.map(({ text }) => text),
    ['Use this model server?', `Send the secret “KEY” to ${server.origin}?`],
  );
  assert.deepEqual(await ids(false), ['Mine/m1']);
  assert.equal(server.heard.length, 1);
});

test('[H132] a model server that moved gets no key before the person agreed', async t => {
  const { ids, source, asked, server, presses } = await scene(t, false, [undefined]);
  assert.deepEqual(await ids(false), []);
  assert.equal(asked.length, 0, 'not while nothing is sent');
  assert.deepEqual(await ids(true), []);
  assert.equal(asked.length, 1);
  assert.match(source.why?.() ?? '', /The secret “KEY” was not sent to/);
  assert.deepEqual(server.heard, []);
  presses.push('Use');
  assert.deepEqual(await ids(true), ['Mine/m1'], 'the next time that something is sent it is asked again');
});

test('[H133] a prompt to a model whose server was refused says so, and nothing is sent', async t => {
  const { source, asked, server } = await scene(t, true, ['Don’t Use'], ['m1']);
  assert.deepEqual(
    (await source.list(never)).map(({ id }) => id),
    ['Mine/m1'],
    'names in settings ask nobody',
  );
  for (let times = 0; times < 2; times++) {
    const trouble = troubleIn(await source.open('Mine/m1', never).catch((cause: unknown) => cause));
    assert.match(trouble?.message ?? '', /The model server “Mine” isn’t used, because you chose “Don’t Use”/);
  }
  assert.equal(asked.length, 1);
  assert.deepEqual(server.heard, []);
});
