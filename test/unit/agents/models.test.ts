// The built-in agent with a model that misbehaves, as servers do. What a well-behaved one comes to is in test/unit/contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/node/clock.ts';
import { ask, at, canary, half, says, serve, status, type Answer } from './modelStage.ts';

const echo = (kind: string, message = 'No.') => ({ error: { message, type: kind } });

const troubles: readonly (readonly [what: string, answer: Answer, words: RegExp])[] = [
  [
    'a wrong key',
    status(401, echo('invalid_request_error', `Wrong key: ${canary}`)),
    /does not accept the key.*Connect a Model/,
  ],
  ['no credit', status(429, echo('insufficient_quota', 'You have no credit')), /no credit left.*“You have no credit”/],
  [
    'a limit with a time',
    status(429, echo('rate_limit'), { 'retry-after': '42' }),
    /asked too often. Try again in 42 seconds/,
  ],
  ['a long limit', status(429, echo('rate_limit'), { 'retry-after': '600' }), /Try again in 10 minutes/],
  ['a limit without a time', status(429, echo('rate_limit')), /Try again in a while/],
  ['too much', status(400, echo('context_length_exceeded', 'maximum context length is 8192')), /too long for m1/],
  ['no such model', status(404, echo('model_not_found', 'no m1')), /not there any more. Choose another/],
  [
    'a model that may not be used',
    status(403, echo('permission_error', 'Not yours')),
    /may not be used with this key.*Not yours/,
  ],
  [
    'words with the key in them',
    status(400, echo('bad', `Do not send ${canary}, or Bearer ${canary}`)),
    /“Do not send •••/,
  ],
  ['a page instead of an answer', status(502, '<html>Bad gateway</html>'), /trouble of its own \(502\)/],
  ['an answer that is none', status(200, 'nonsense'), /makes no sense|broke/],
  ['a connection that breaks in the middle', half(response => response.destroy()), /broke in the middle/],
  ['an end without a reason', half(response => response.end()), /broke in the middle/],
  [
    'an error in the middle',
    half(response => response.end(`data: ${JSON.stringify(echo('server_error', `Out of memory ${canary}`))}\n\n`)),
    /Out of memory •••/,
  ],
];

for (const [what, answer, words] of troubles)
  test(`[A40] ${what}: the turn ends in words`, async t => {
    const { address } = await serve(t, answer);
    // What is tried again is tried at once.
    const ports = { after: (_: number, run: () => void) => systemClock.after(0, run) };
    const asked = await ask(t, at(address), { ports });
    assert.equal(asked.answer.reason, 'failed');
    assert.match(asked.answer.detail ?? '', words);
    assert.doesNotMatch(JSON.stringify(asked), /canary/);
    assert.equal(asked.text, /middle|without a reason/.test(what) ? 'half' : '');
  });

test('[A40] nobody there: that is said, with where', async t => {
  const { answer } = await ask(t, at('http://127.0.0.1:9'));
  assert.equal(answer.reason, 'failed');
  assert.match(answer.detail ?? '', /cannot be reached at http:\/\/127\.0\.0\.1:9\/v1/);
});

test('[A40] no model, and one that is gone: that is said, with how one is connected', async t => {
  const { answer } = await ask(t, {});
  assert.match(answer.detail ?? '', /No model can be reached. Connect one with “Throughline: Connect a Model…”/);
  const dead = { Dead: { url: 'http://127.0.0.1:9/v1' }, Lost: { key: '${secret:GONE}' } };
  const words = (await ask(t, dead)).answer.detail ?? '';
  assert.match(words, /Dead cannot be reached at http:\/\/127\.0\.0\.1:9\/v1/);
  assert.match(words, /Lost needs a key. The secret “GONE” is not set/);
});

test('[A40] trouble of the server before it said anything is tried again, and after that it is told', async t => {
  const waits: number[] = [];
  const after = (milliseconds: number, run: () => void) => {
    waits.push(milliseconds);
    return systemClock.after(0, run);
  };
  const once = await serve(t, status(503, ''), says('There.'));
  assert.equal((await ask(t, at(once.address), { ports: { after } })).text, 'There.');
  assert.equal(once.bodies.length, 2);
  const always = await serve(t, status(529, ''));
  assert.match((await ask(t, at(always.address), { ports: { after } })).answer.detail ?? '', /overloaded/);
  assert.equal(always.bodies.length, 3);
  assert.deepEqual(waits, [500, 500, 2000]);
});

test('[T5] a cancel is answered at once where a server says nothing, and where it does not stop', async t => {
  for (const answer of [() => {}, half(() => {})] satisfies readonly Answer[]) {
    let isAsked = () => {};
    const heard = new Promise<void>(resolve => (isAsked = resolve));
    const { address } = await serve(t, (response, body, request) => {
      answer(response, body, request);
      isAsked();
    });
    const abort = new AbortController();
    const asking = ask(t, at(address), { signal: abort.signal });
    await heard;
    abort.abort();
    // Nothing else could end it: the server goes on, or says nothing.
    assert.equal((await asking).answer.reason, 'cancelled');
  }
});
