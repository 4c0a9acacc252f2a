// What the built-in agent lets a model server do with its requests: over real HTTP, between two origins on loopback.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { LocalModels } from '../../../src/host/agents/localModels.ts';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { mementoOn } from '../host/memento.ts';
import { loopback } from '../support/loopback.ts';
import { ask, at, canary, model } from './modelStage.ts';

for (const type of ['openai', 'anthropic'])
  for (const models of [[model], []])
    test(`[A75] [A41] a redirect of ${type} ${models.length > 0 ? 'prompts' : 'listings'} takes neither key nor prompt along`, async t => {
      const other = await loopback(t, (_, response) => response.end('{"data":[{"id":"m1"}]}'));
      const server = await loopback(t, ({ url }, response) =>
        response.writeHead(307, { location: `${other.origin}${url}` }).end(),
      );
      const headers = { 'x-team': '${secret:KEY}' };
      const { answer } = await ask(t, at(server.origin, { type, models, headers }));
      assert.equal(answer.reason, 'failed');
      assert.ok(answer.detail?.includes(`redirected the request to ${other.origin}`), answer.detail);
      assert.ok(server.heard.length > 0);
      assert.deepEqual(other.heard, []);
      assert.ok(!JSON.stringify(answer).includes(canary));
    });

test('[A76] a listing without an end is given up, and the turn ends in words', async t => {
  const endless: RequestListener = (_, response) => {
    const write = () => void (response.write(Buffer.alloc(65_536, 'x')) && setImmediate(write));
    response.on('drain', write);
    write();
  };
  const server = await loopback(t, endless);
  const { answer } = await ask(t, at(server.origin, { models: [] }));
  assert.match(answer.detail ?? '', /sent more than 8 MB/);
});

test('[A76] an event of a stream that never ends is given up, and the turn ends in words', async t => {
  const server = await loopback(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"');
    const write = () => void (response.write(Buffer.alloc(65_536, 'x')) && setImmediate(write));
    response.on('drain', write);
    write();
  });
  const { answer } = await ask(t, at(server.origin));
  assert.equal(answer.reason, 'failed');
  assert.match(answer.detail ?? '', /sent more than 16 MB/);
});

test('[A75] a redirect of what listens on the local port is not followed', async t => {
  const other = await loopback(t, (_, response) => response.end('{"version":"1"}'));
  const server = await loopback(t, (_, response) => response.writeHead(302, { location: other.origin }).end());
  const http = httpClient(httpLimits.localModels);
  const disk = { text: JSON.stringify({ localModels: { [server.origin]: true } }) };
  const offer = () => Promise.resolve(true);
  const local = new LocalModels({ host: server.origin, http, now: () => 0, state: mementoOn(disk), offer });
  assert.equal(await local.look(), false);
  assert.equal(server.heard.length, 1);
  assert.deepEqual(other.heard, []);
});
