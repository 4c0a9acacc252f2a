// Models of this machine that nobody had to connect: offered once, and used only after the person agreed.

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { LocalModels, ollamaAddress } from '../../../src/host/agents/localModels.ts';
import { mementoOn, type Disk } from '../host/memento.ts';

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

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve));
}

/** `answer` is what the person says to the offer. */
function stage(host: string, answer: Promise<boolean | undefined>, now = () => 0, disk: Disk = { text: '{}' }) {
  const offers: string[] = [];
  const agreed: string[] = [];
  const local = new LocalModels({
    host,
    http: httpClient(httpLimits.localModels),
    now,
    state: mementoOn(disk),
    offer(address) {
      offers.push(address);
      return answer;
    },
  });
  local.onDidAgree(() => agreed.push(local.last[0]?.url ?? ''));
  return { local, offers, agreed, disk };
}

const [yes, no, closed] = [Promise.resolve(true), Promise.resolve(false), Promise.resolve(undefined)];
const version: RequestListener = (_, response) => response.end('{"version":"0.20.1"}');

test('[A74] a server that answers is offered and not used; once agreed to, it is there in every window', async t => {
  const host = await serve(t, version);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { local, offers, agreed, disk } = stage(host, promise);
  assert.deepEqual(await Promise.all([local.look(), local.look()]), [false, false]);
  assert.deepEqual([local.last, agreed, offers], [[], [], [host]]);
  resolve(true);
  await until(() => agreed.length > 0);
  assert.deepEqual(agreed, [`http://${host}/v1`]);
  assert.equal(await local.look(), true);
  const next = stage(host, closed, () => 0, disk);
  assert.equal(await next.local.look(), true);
  assert.deepEqual(next.offers, []);
});

test('[A74] a server that the person refused is neither used, offered nor asked again, and others are', async t => {
  let asked = 0;
  const host = await serve(t, (request, response) => {
    asked++;
    version(request, response);
  });
  const { local, offers, agreed, disk } = stage(host, no);
  await local.look();
  await until(() => disk.text.includes('false'));
  const next = stage(host, yes, () => 0, disk);
  assert.equal(await next.local.look(), false);
  assert.equal(next.local.offered, null);
  assert.deepEqual([local.last, next.local.last, agreed, offers, next.offers, asked], [[], [], [], [host], [], 1]);
  const elsewhere = await serve(t, version);
  const other = stage(elsewhere, closed, () => 0, disk);
  assert.equal(await other.local.look(), false);
  assert.deepEqual(other.offers, [elsewhere]);
});

test('[A74] an offer that the person closed is made again in the next window, and not in this one', async t => {
  const host = await serve(t, version);
  let now = 0;
  const { local, offers, disk } = stage(host, closed, () => now);
  await local.look();
  now += 61_000;
  assert.equal(await local.look(), false);
  assert.deepEqual(offers, [host]);
  const next = stage(host, closed, () => now, disk);
  await next.local.look();
  assert.deepEqual(next.offers, [host]);
  assert.equal(next.local.offered, host);
  await next.local.decide(true);
  assert.deepEqual([next.local.offered, next.agreed, await next.local.look()], [null, [`http://${host}/v1`], true]);
});

test('[A74] a server that was agreed to is asked again after a while', async t => {
  let asked = 0;
  let now = 0;
  const host = await serve(t, (request, response) => {
    asked++;
    assert.equal(request.url, '/api/version');
    version(request, response);
  });
  const disk: Disk = { text: JSON.stringify({ localModels: { [`http://${host}`]: true, other: 7 } }) };
  const { local } = stage(host, closed, () => now, disk);
  assert.deepEqual(await Promise.all([local.look(), local.look()]), [true, true]);
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
    const { local, offers } = stage(await serve(t, answer), yes);
    assert.equal(await local.look(), false);
    assert.deepEqual([local.last, offers], [[], []]);
  });
