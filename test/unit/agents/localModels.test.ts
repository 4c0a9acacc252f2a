// Models of this machine that nobody had to connect.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { LocalModels, ollamaAddress } from '../../../src/host/agents/localModels.ts';

for (const [host, address] of [
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ['localhost', 'http://localhost:11434'],
  ['http://localhost:1', 'http://localhost:1'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['[::1]:2', 'http://[::1]:2'],
  ['192.168.1.7:11434', null],
  ['https://example.com', null],
  ['127.0.0.1.example.com', null],
  ['not an address', null],
] as const)
  test(`[A74] OLLAMA_HOST ${JSON.stringify(host)} is ${address ?? 'not on this machine'}`, () => {
    assert.equal(ollamaAddress(host), address);
  });

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('[A74] an Ollama that answers is there, and is asked again after a while', async t => {
  let asked = 0;
  let now = 0;
  const host = await serve(t, (request, response) => {
    asked++;
    assert.equal(request.url, '/api/version');
    response.end('{"version":"0.20.1"}');
  });
  const local = new LocalModels({ host, http: httpClient(httpLimits.localModels), now: () => now });
  assert.equal(local.last.length, 0);
  assert.deepEqual(await Promise.all([local.look(), local.look()]), [true, true]);
  assert.equal(local.last[0]?.url, `http://${host}/v1`);
  assert.equal(await local.look(), true);
  assert.equal(asked, 1);
  now += 61_000;
  await local.look();
  assert.equal(asked, 2);
});

for (const [who, answer] of [
  ['somebody else', (_, response) => response.end('<html>')],
  ['one in trouble', (_, response) => response.writeHead(500).end('{"version":"1"}')],
  ['one that says nothing', () => {}],
  ['one that sends more than an answer', (_, response) => response.end(`{"version":"${'1'.repeat(100_000)}"}`)],
] satisfies readonly (readonly [string, RequestListener])[])
  test(`[A74] ${who} is nobody`, async t => {
    const local = new LocalModels({
      host: await serve(t, answer),
      http: httpClient(httpLimits.localModels),
      now: () => 0,
    });
    assert.equal(await local.look(), false);
    assert.deepEqual(local.last, []);
  });
