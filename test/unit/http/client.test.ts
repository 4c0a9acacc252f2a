// The HTTP client, with real servers on loopback: two ports are two origins.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { httpErrorIn } from '../../../src/core/httpError.ts';
import { httpClient, httpLimits, type HttpLimits } from '../../../src/node/http/client.ts';
import { loopback, secureLoopback } from '../support/loopback.ts';

const canary = 'sk-canary-0123456789';
const limits: HttpLimits = {
  redirects: 'same-origin',
  mostBytes: 1000,
  longestLine: null,
  answerTime: 10_000,
  idleTime: 10_000,
};

async function failure(promise: Promise<unknown>): Promise<Error> {
  const cause: unknown = await promise.then(
    () => assert.fail('It was answered.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(cause instanceof Error);
  return cause;
}

for (const status of [301, 302, 303, 307, 308])
  for (const method of ['GET', 'POST'])
    test(`[A75] a ${method} request that is redirected with ${status} to another origin goes nowhere else`, async t => {
      const other = await loopback(t, (_, response) => response.end('{}'));
      const first = await loopback(t, (_, response) => response.writeHead(status, { location: other.origin }).end());
      const body = method === 'POST' ? { body: 'a conversation' } : {};
      const headers = { 'x-api-key': canary, authorization: `Bearer ${canary}` };
      const error = await failure(httpClient(limits)(`${first.origin}/v1`, { method, headers, ...body }));
      assert.equal(httpErrorIn(error)?.code, 'redirected');
      assert.ok(error.message.includes(other.origin), error.message);
      assert.equal(first.heard.length, 1);
      assert.equal(other.heard.length, 0);
    });

test('[A75] a redirect to the same port under another scheme or host name is another origin', async t => {
  for (const change of [
    (origin: string) => origin.replace('http:', 'https:'),
    (origin: string) => origin.replace('127.0.0.1', 'localhost'),
    () => 'data:text/plain,hello',
    () => 'http://',
  ]) {
    const server = await loopback(t, (_, response) =>
      response.writeHead(307, { location: change(server.origin) }).end(),
    );
    const error = await failure(httpClient(limits)(server.origin));
    assert.equal(httpErrorIn(error)?.code, 'redirected', error.message);
    assert.equal(server.heard.length, 1);
  }
});

test('[A75] a redirect within the origin keeps the method, the headers and the body', async t => {
  const server = await loopback(t, ({ url }, response) => {
    if (url === '/v1') response.writeHead(308, { location: '/v2' }).end();
    else response.end('here');
  });
  const response = await httpClient(limits)(`${server.origin}/v1`, {
    method: 'POST',
    headers: { 'x-api-key': canary },
    body: 'a prompt',
  });
  assert.equal(await response.text(), 'here');
  const [, second] = server.heard;
  assert.deepEqual(
    [second?.method, second?.url, second?.headers['x-api-key'], second?.body],
    ['POST', '/v2', canary, 'a prompt'],
  );
});

test('[A75] a prompt is not turned into another request by a redirect within the origin', async t => {
  for (const status of [301, 302, 303]) {
    const server = await loopback(t, (_, response) => response.writeHead(status, { location: '/other' }).end());
    const error = await failure(httpClient(limits)(server.origin, { method: 'POST', body: 'a prompt' }));
    assert.equal(httpErrorIn(error)?.code, 'redirected');
    assert.equal(server.heard.length, 1);
  }
});

test('[A75] redirects in a circle end', async t => {
  const server = await loopback(t, (_, response) => response.writeHead(302, { location: '/' }).end());
  const error = await failure(httpClient(limits)(server.origin));
  assert.equal(httpErrorIn(error)?.code, 'redirected');
  assert.equal(server.heard.length, 6);
});

test('[A75] a download goes to another host over https, without the headers of the request', async t => {
  const storage = await secureLoopback(t, (_, response) => response.end('bytes'));
  const first = await secureLoopback(t, (_, response) => response.writeHead(302, { location: storage.origin }).end());
  const download = httpClient({ ...limits, redirects: 'https' });
  const response = await download(first.origin, { headers: { 'x-api-key': canary } });
  assert.equal(await response.text(), 'bytes');
  assert.equal(first.heard[0]?.headers['x-api-key'], canary);
  assert.equal(storage.heard[0]?.headers['x-api-key'], undefined);
});

test('[A75] a download goes nowhere without https, not on any hop', async t => {
  const plain = await loopback(t, (_, response) => response.end('bytes'));
  const back = await secureLoopback(t, (_, response) => response.writeHead(302, { location: plain.origin }).end());
  const first = await secureLoopback(t, (_, response) => response.writeHead(302, { location: back.origin }).end());
  const download = httpClient({ ...limits, redirects: 'https' });
  for (const origin of [first.origin, plain.origin]) {
    const error = await failure(download(origin));
    assert.equal(httpErrorIn(error)?.code, 'insecure');
  }
  assert.equal(plain.heard.length, 0);
});

test('[A76] a body that is too large ends with an error, also where it is packed small', async t => {
  const server = await loopback(t, ({ url }, response) => {
    if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000)));
    else if (url === '/fits') response.end(Buffer.alloc(1000));
    else response.end(Buffer.alloc(1001));
  });
  const get = async (path: string) => (await httpClient(limits)(`${server.origin}${path}`)).arrayBuffer();
  assert.equal((await get('/fits')).byteLength, 1000);
  for (const path of ['/packed', '/plain'])
    assert.equal(httpErrorIn(await failure(get(path)))?.code, 'too-large', path);
});

test('[A76] a body without an end is given up, and its connection is closed', async t => {
  let isClosed = () => {};
  const closed = new Promise<void>(resolve => (isClosed = resolve));
  const server = await loopback(t, (_, response) => {
    const write = () => void (response.write(Buffer.alloc(100)) && setImmediate(write));
    response.on('drain', write).on('close', isClosed);
    write();
  });
  const response = await httpClient(limits)(server.origin);
  assert.equal(httpErrorIn(await failure(response.text()))?.code, 'too-large');
  await closed;
});

test('[A76] the body of a refusal is bounded, however much a response may have', async t => {
  const server = await loopback(t, (_, response) => response.writeHead(500).end(Buffer.alloc(2 * 1024 * 1024)));
  const response = await httpClient({ ...limits, mostBytes: Infinity })(server.origin);
  assert.equal(response.status, 500);
  assert.equal(httpErrorIn(await failure(response.text()))?.code, 'too-large');
});

test('[A76] a stream has lines of a bounded length, as many as fit', async t => {
  const server = await loopback(t, ({ url }, response) =>
    response.end(url === '/lines' ? `${'x'.repeat(99)}\n`.repeat(9) : `short\n${'x'.repeat(500)}`),
  );
  const get = async (path: string) =>
    (await httpClient({ ...limits, longestLine: 100 })(`${server.origin}${path}`)).text();
  assert.equal((await get('/lines')).length, 900);
  const long = `${server.origin}/long`;
  const response = await httpClient({ ...limits, longestLine: 499 })(long);
  assert.equal(httpErrorIn(await failure(response.text()))?.code, 'too-large');
});

test('[A76] a line that comes in many parts is bounded too', async t => {
  const server = await loopback(t, (_, response) => {
    let left = 20;
    const write = () => void (left-- > 0 ? response.write('x'.repeat(10), () => setImmediate(write)) : response.end());
    write();
  });
  const response = await httpClient({ ...limits, longestLine: 100 })(server.origin);
  assert.equal(httpErrorIn(await failure(response.text()))?.code, 'too-large');
});

test('[A76] a server that doesn’t answer, and one that stops in the middle, are given up', async t => {
  const server = await loopback(t, ({ url }, response) => {
    if (url === '/half') response.write('half');
  });
  const { origin } = server;
  const silent = await failure(httpClient({ ...limits, answerTime: 50 })(origin));
  assert.equal(httpErrorIn(silent)?.code, 'timeout');
  const half = await httpClient({ ...limits, idleTime: 50 })(`${origin}/half`);
  assert.equal(httpErrorIn(await failure(half.text()))?.code, 'timeout');
});

test('[A76] a reader that is slow is no reason to give up', async t => {
  const server = await loopback(t, (_, response) => response.end('all of it'));
  const response = await httpClient({ ...limits, idleTime: 1 })(server.origin);
  const until = performance.now() + 20;
  await new Promise<void>(resolve => {
    const look = () => (performance.now() > until ? resolve() : setImmediate(look));
    look();
  });
  assert.equal(await response.text(), 'all of it');
});

test('[A76] whoever stops a request gets the reason that they gave', async t => {
  const server = await loopback(t, ({ url }, response) => {
    if (url === '/half') response.write('half');
  });
  const reason = new Error('stopped');
  const abort = new AbortController();
  const asking = httpClient(limits)(server.origin, { signal: abort.signal });
  abort.abort(reason);
  assert.equal(await failure(asking), reason);
  const again = new AbortController();
  const response = await httpClient(limits)(`${server.origin}/half`, { signal: again.signal });
  again.abort(reason);
  await failure(response.text());
});

test('[A77] a header that cannot be sent is not repeated in the error', async () => {
  for (const value of [`${canary}\nx`, `Bearer ${canary}\u0000`]) {
    const error = await failure(httpClient(limits)('http://127.0.0.1:9/', { headers: { authorization: value } }));
    assert.equal(httpErrorIn(error)?.code, 'invalid-request');
    assert.doesNotMatch(`${error.message} ${error.stack} ${String(error.cause)}`, /canary/);
  }
});

test('[A76] every use has limits, and only downloads leave their origin', () => {
  const rows = Object.entries(httpLimits).map(([use, { redirects, mostBytes, answerTime, idleTime }]) => {
    for (const limit of [mostBytes, answerTime, idleTime]) assert.ok(Number.isFinite(limit) && limit > 0, use);
    return [use, redirects];
  });
  assert.deepEqual(rows, [
    ['listing', 'same-origin'],
    ['localModels', 'same-origin'],
    ['prompt', 'same-origin'],
    ['registry', 'https'],
    ['archive', 'https'],
  ]);
});
