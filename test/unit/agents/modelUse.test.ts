// What the built-in agent does with a model besides talking: its key, which models there are, how far it goes by itself, what
// an answer used, pictures, and uses of tools that make no sense.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ServedAgent } from '../../../src/agent/serve.ts';
import { endpointsIn } from '../../../src/agent/models/endpoints.ts';
import { converse, settled } from '../conversation/stage.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { never, quietDesk } from '../support/scriptedProgram.ts';
import { ask, at, canary, model, program, says, serve, status, uses, type Answer } from './modelStage.ts';

test('[A41] a key is in the request and in nothing else', async t => {
  const keys: unknown[] = [];
  const { address, bodies } = await serve(t, (response, body, request) => {
    keys.push(request.headers.authorization, request.headers['x-team']);
    says('Hello.')(response, body, request);
  });
  const folder = temporaryFolder(t);
  const warnings: string[] = [];
  const history = await openTestHistory(folder, { onWarning: warning => warnings.push(String(warning)) });
  const setting = at(address, { headers: { 'x-team': '${secret:KEY}' } });
  const conversation = converse(history, program(t, setting), new FixedClock(), { id: ids.session() });
  await conversation.send('Hello');
  await settled(conversation);
  assert.deepEqual(keys, [`Bearer ${canary}`, canary]);
  const refusing = await serve(t, status(401, { error: { message: `Bad: ${canary}`, type: 'x' } }));
  await conversation.setAgent(program(t, at(refusing.address)));
  await conversation.send('Again');
  await settled(conversation);
  assert.equal(conversation.transcript.messages.at(-1)?.end?.reason, 'failed');
  await history.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  assert.ok(files.length > 0);
  for (const file of files) assert.ok(!readFileSync(join(file.parentPath, file.name)).includes('canary'), file.name);
  assert.doesNotMatch([...bodies, ...warnings, JSON.stringify(conversation.transcript)].join(), /canary/);
  assert.doesNotMatch(JSON.stringify(process.env), /sk-canary/);
});

test('[A41] a key that is not set is told by its name, and nobody is asked', async t => {
  const { address, bodies } = await serve(t, says('No.'));
  const { answer } = await ask(t, at(address, { key: '${secret:OTHER}' }));
  assert.match(answer.detail ?? '', /Here needs a key. The secret “OTHER” is not set/);
  assert.equal(bodies.length, 0);
});

test('[A42] the models of all servers can be chosen, one that does not answer is left out, and the chosen one is asked', async t => {
  const listed = {
    data: [
      { id: 'org/big', name: 'Big', context_length: 64_000, architecture: { input_modalities: ['text'] } },
      { id: 'text-embedding-3' },
      { id: 'gpt-4o' },
      { id: 7 },
    ],
  };
  const asked: unknown[] = [];
  const { address } = await serve(t, (response, body, request) => {
    if (request.url === '/v1/models') return status(200, listed)(response, body, request);
    asked.push((JSON.parse(body) as { readonly model: string }).model);
    return says('Hello.')(response, body, request);
  });
  const setting = {
    Here: { url: `${address}/v1/`, key: '${secret:KEY}' },
    Dead: { url: 'http://127.0.0.1:9/v1' },
    Named: { type: 'anthropic', models: ['claude-x'] },
  };
  const agent = await program(t, setting).start(never);
  const session = await agent.newSession({ cwd: null, alsoIn: [] }, never);
  const windows: unknown[] = [];
  session.onDidChange(change => {
    if (change.type === 'context') windows.push(change.size);
  });
  const [option, ...others] = session.options;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [option?.category, option?.value, option?.choices?.map(({ value, name, group }) => [value, name, group])],
    [
      'model',
      'Here/org/big',
      [
        ['Here/org/big', 'Big', 'Here'],
        ['Here/gpt-4o', 'gpt-4o', 'Here'],
        ['Named/claude-x', 'claude-x', 'Named'],
      ],
    ],
  );
  await session.setOption('model', 'Here/gpt-4o', never);
  assert.equal(session.options[0]?.value, 'Here/gpt-4o');
  await assert.rejects(session.setOption('model', 'Here/none', never), { name: 'AgentError' });
  const parts = [{ type: 'text' as const, text: 'Hello' }];
  assert.equal((await session.prompt({ parts, path: [] }, quietDesk, never)).reason, 'end_turn');
  assert.deepEqual(asked, ['gpt-4o']);
  assert.ok(windows.includes(128_000), JSON.stringify(windows));
});

test('[A42] models that come and go while a session is open are told to it, and it keeps its own', async t => {
  const setting: { [name: string]: object } = { One: { models: ['a', 'b'] } };
  let served: ServedAgent | undefined;
  const agent = await program(t, setting, { onServed: one => (served = one) }).start(never);
  const session = await agent.newSession({ cwd: null, alsoIn: [] }, never);
  await session.setOption('model', 'One/b', never);
  const told = async () => {
    const changed = new Promise(resolve => session.onDidChange(({ type }) => type === 'options' && resolve(null)));
    await served?.modelsChanged();
    await changed;
    return [session.options[0]?.value, session.options[0]?.choices?.map(({ value }) => value)];
  };
  setting['Two'] = { models: ['c'] };
  assert.deepEqual(await told(), ['One/b', ['One/a', 'One/b', 'Two/c']]);
  delete setting['One'];
  assert.deepEqual(await told(), ['Two/c', ['Two/c']]);
});

const settings: readonly (readonly [what: string, endpoint: object, problem: RegExp | null])[] = [
  ['nothing but its name', {}, null],
  ['a key as it is', { key: 'sk-123456' }, /must name a secret/],
  ['a key with something before the secret', { key: 'sk-1${secret:KEY}' }, /must name a secret/],
  ['another protocol', { url: 'file:///etc/passwd' }, /must begin with https/],
  ['a password in the address', { url: 'https://me:secret@host/v1' }, /must begin with https/],
  ['an unknown language', { type: 'gopher' }, /“openai” or “anthropic”/],
];

for (const [what, endpoint, problem] of settings)
  test(`[A42] a server in the settings with ${what} is ${problem ? 'told in words' : 'used'}, and the next is used`, () => {
    const { endpoints, problems } = endpointsIn({ One: endpoint, Two: { models: ['m'] } });
    assert.deepEqual(
      endpoints.map(({ name }) => name),
      problem ? ['Two'] : ['One', 'Two'],
    );
    if (problem) assert.match(problems.join(), problem);
    else assert.deepEqual(problems, []);
    assert.doesNotMatch(problems.join(), /123456|me:secret/);
  });

test('[A43] after so many steps the person is asked, and a no ends the turn', async t => {
  const read = uses('read_file', '{"path":"none.txt"}');
  for (const [choose, reason, requests] of [
    ['reject_once', 'max_turn_requests', 3],
    ['allow_once', 'end_turn', 4],
  ] as const) {
    const { address, bodies } = await serve(t, read, read, read, says('Done.'));
    const { answer, updates } = await ask(t, at(address), { ports: { steps: () => 3 }, choose });
    assert.equal(answer.reason, reason);
    assert.equal(bodies.length, requests);
    const asked = updates.flatMap(update => (update.type === 'toolCall' ? [update.changes.title] : []));
    assert.ok(asked.includes('Go on after 3 steps'), JSON.stringify(asked));
  }
});

test('[A44] what an answer used is summed over its steps, with the context and the cost', async t => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 200,
    total_tokens: 1200,
    prompt_tokens_details: { cached_tokens: 400 },
    completion_tokens_details: { reasoning_tokens: 50 },
  };
  const { address } = await serve(t, uses('read_file', '{"path":"a"}'), says('Done.', { usage }));
  const priced = { ...model, price: { input: 2, output: 10 } };
  const { answer, changes } = await ask(t, at(address, { models: [priced] }));
  assert.equal(answer.usage?.inputTokens, 1000);
  assert.equal(answer.usage?.outputTokens, 200);
  assert.equal(answer.usage?.cachedTokens, 400);
  assert.equal(answer.usage?.thoughtTokens, 50);
  assert.deepEqual(answer.usage?.cost, { amount: 0.004, currency: 'USD' });
  const context = changes.findLast(change => change.type === 'context');
  assert.deepEqual(context, { type: 'context', used: 1200, size: 100_000 });
});

test('[A45] a picture goes to a model that takes pictures, and to another it is said', async t => {
  const picture = Uint8Array.from([1, 2, 3, 4]);
  const parts = [
    { type: 'text' as const, text: 'What is this?' },
    { type: 'image' as const, mime: 'image/png', data: picture },
  ];
  const { address, bodies } = await serve(t, says('A dot.'));
  await ask(t, at(address), { parts });
  assert.match(bodies[0] ?? '', /data:image\/png;base64,AQIDBA==/);
  const { updates } = await ask(t, at(address, { models: [{ ...model, images: false }] }), { parts });
  assert.doesNotMatch(bodies[1] ?? '', /AQIDBA/);
  assert.match(JSON.stringify(updates), /takes no pictures/);
});

const badUses: readonly (readonly [what: string, answer: Answer, told: RegExp])[] = [
  ['a tool that is not there', uses('fly', '{}'), /There is no tool .*fly.*read_file/],
  ['an input that is no JSON', uses('read_file', '{"path": '), /must be a JSON object/],
  ['a field that is missing', uses('write_file', '{"path":"a.txt"}'), /needs `content` as text/],
];

for (const [what, answer, told] of badUses)
  test(`[A46] ${what} is told to the model`, async t => {
    const { address, bodies } = await serve(t, answer, says('I see.'));
    const { answer: end, text } = await ask(t, at(address));
    assert.deepEqual([end.reason, text], ['end_turn', 'I see.']);
    assert.match(
      JSON.stringify((JSON.parse(bodies[1] ?? '{}') as { messages: readonly unknown[] }).messages.at(-1)),
      told,
    );
  });

test('[A50] the system prompt that was used last is kept with the session, once for each that was another', async t => {
  const { address } = await serve(t, says('Yes.'));
  const folder = temporaryFolder(t);
  const history = await openTestHistory(temporaryFolder(t));
  const place = () => ({ cwd: folder, alsoIn: [] });
  const start = { id: ids.session() };
  const conversation = converse(history, program(t, at(address), {}, folder), new FixedClock(), start, { place });
  const kept = async () => (await history.audit(conversation.session))?.lastSystemPrompt;
  const say = async () => {
    await conversation.send('Hello');
    await settled(conversation);
    return kept();
  };
  assert.match(JSON.stringify(await say()), /built-in agent of Throughline/);
  writeFileSync(join(folder, 'AGENTS.md'), 'Speak like a pirate.');
  assert.match(JSON.stringify(await say()), /Speak like a pirate/);
});

test('[A44] what was told before is not to be paid for whole again, where the server can keep it', async t => {
  const { address, bodies } = await serve(t, status(401, {}));
  await ask(t, at(address, { type: 'anthropic' }));
  assert.match(bodies[0] ?? '', /"cache_control":\{"type":"ephemeral"\}/);
  await ask(t, at(address));
  assert.doesNotMatch(bodies[1] ?? '', /cache/);
});
