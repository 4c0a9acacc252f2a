// How long a model may think: which models can be told, what their server is asked then, and what becomes of what they think.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { endpointsIn } from '../../../src/agent/models/endpoints.ts';
import { thinkingIn, thinkingOf } from '../../../src/agent/models/thinking.ts';
import type { AgentSession } from '../../../src/core/agents.ts';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import { textOf } from '../../../src/model/message.ts';
import { serveModels, thought, type ModelServerOptions } from '../../agents/models/server.ts';
import { when } from '../contract/window.ts';
import { converse, settled } from '../conversation/stage.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { never, quietDesk } from '../support/scriptedProgram.ts';
import { at, program, serve, status, canary } from './modelStage.ts';

const all = ['off', 'low', 'medium', 'high'];
const some = ['low', 'medium', 'high'];

const names: readonly (readonly [id: string, said: boolean | undefined, levels: readonly string[]])[] = [
  ['claude-sonnet-4-5', undefined, all],
  ['claude-3-7-sonnet-latest', undefined, all],
  ['anthropic/claude-opus-4.1', undefined, all],
  ['claude-opus-5-5', undefined, some],
  ['claude-3-5-haiku-latest', undefined, []],
  ['gpt-5', undefined, some],
  ['openai/gpt-5.2', undefined, all],
  ['gpt-5-chat-latest', undefined, []],
  ['o3-mini', undefined, some],
  ['o1-mini', undefined, []],
  ['gpt-oss:20b', undefined, some],
  ['gpt-4o', undefined, []],
  ['llama3', undefined, []],
  ['llama3', true, all],
  ['gpt-5', true, some],
  ['claude-sonnet-4-5', false, []],
];
for (const [id, said, levels] of names)
  test(`[A57] ${id}, of which is said ${String(said)}, can be told: ${levels.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(thinkingOf(id, said), levels);
  });

const listings: readonly (readonly [what: string, listed: object, said: unknown])[] = [
  ['nothing', {}, undefined],
  ['its parameters', { supported_parameters: ['tools', 'reasoning'] }, true],
  ['its parameters, without that', { supported_parameters: ['tools'] }, false],
  ['what it can', { capabilities: { thinking: { supported: true } } }, true],
  ['what it cannot', { capabilities: { thinking: { supported: false } } }, false],
  ['that it always does', { reasoning: { mandatory: true, supported_efforts: null } }, some],
  ['its levels', { reasoning: { mandatory: false, supported_efforts: ['max', 'high', 'none'] } }, ['off', 'high']],
  ['nonsense', { reasoning: 7, capabilities: ['tools'], supported_parameters: 'reasoning' }, undefined],
];
for (const [what, listed, said] of listings)
  test(`[A57] a listing that says ${what} is believed`, () => {
    assert.deepEqual(thinkingIn(listed as never), said);
  });

const models = [
  { id: 'thinker', thinking: true },
  { id: 'other', thinking: false },
];

async function opened(t: TestContext, type: 'openai' | 'anthropic', options: ModelServerOptions = {}) {
  const server = await serveModels({ key: canary, ...options });
  t.after(() => server.close());
  const agent = program(t, at(server.address, { type, models }));
  const session = await (await agent.start(never)).newSession({ cwd: null, alsoIn: [] }, never);
  return { server, agent, session };
}

async function say(session: AgentSession, text: string) {
  const updates: AgentUpdate[] = [];
  const desk = { ...quietDesk, onUpdate: (update: AgentUpdate) => void updates.push(update) };
  const answer = await session.prompt({ parts: [{ type: 'text', text }], path: [] }, desk, never);
  return { answer, updates };
}

const levelOf = ({ options }: AgentSession) => options.find(({ category }) => category === 'thought_level')?.value;

const wires: readonly (readonly ['openai' | 'anthropic', level: string, field: string, asked: unknown])[] = [
  ['openai', 'default', 'reasoning_effort', undefined],
  ['openai', 'off', 'reasoning_effort', 'none'],
  ['openai', 'low', 'reasoning_effort', 'low'],
  ['openai', 'high', 'reasoning_effort', 'high'],
  ['anthropic', 'default', 'thinking', undefined],
  ['anthropic', 'off', 'thinking', { type: 'disabled' }],
  ['anthropic', 'low', 'thinking', { type: 'enabled', budget_tokens: 1024 }],
  ['anthropic', 'high', 'thinking', { type: 'enabled', budget_tokens: 2458 }],
];
for (const [type, level, field, asked] of wires)
  test(`[A57] a server of ${type} is asked for ${level}, and what the model thinks is shown as a thought`, async t => {
    const { server, session } = await opened(t, type, { thinks: 'aloud' });
    assert.equal(levelOf(session), 'default');
    if (level !== 'default') await session.setOption('thinking', level, never);
    assert.equal(levelOf(session), level);
    const { answer, updates } = await say(session, 'run: "true"\nsay: "Done."');
    assert.equal(answer.reason, 'end_turn', answer.detail);
    assert.deepEqual(
      server.requests.map(({ body }) => body[field]),
      [asked, asked],
    );
    const thoughts = updates.flatMap(update => (update.type === 'thought' ? [update.text] : [])).join('');
    assert.equal(thoughts, /default|off/.test(level) ? '' : thought.repeat(2));
  });

test('[A57] a model that cannot be told has no such option; the choice is kept for the next that can', async t => {
  const { server, session } = await opened(t, 'openai');
  await session.setOption('thinking', 'high', never);
  await session.setOption('model', 'Here/other', never);
  assert.equal(levelOf(session), undefined);
  await assert.rejects(session.setOption('thinking', 'low', never), { name: 'AgentError' });
  await say(session, 'say: "One."');
  await session.setOption('model', 'Here/thinker', never);
  assert.equal(levelOf(session), 'high');
  await assert.rejects(session.setOption('thinking', 'enormous', never), { name: 'AgentError' });
  await say(session, 'say: "Two."');
  assert.deepEqual(
    server.requests.map(({ body }) => body['reasoning_effort']),
    [undefined, 'high'],
  );
});

for (const type of ['openai', 'anthropic'] as const)
  test(`[A57] where a server of ${type} refuses it, that is said with what to do, and Default works again`, async t => {
    const { session } = await opened(t, type, { thinks: 'never' });
    await session.setOption('thinking', 'high', never);
    const { answer } = await say(session, 'say: "One."');
    assert.equal(answer.reason, 'failed');
    assert.match(answer.detail ?? '', /because of “Thinking: High”\. Set Thinking to something else, or to Default/);
    assert.match(answer.detail ?? '', /It says: “/);
    await session.setOption('thinking', 'default', never);
    assert.equal((await say(session, 'say: "Two."')).answer.reason, 'end_turn');
  });

test('[A57] another refusal is not put down to it', async t => {
  const { address } = await serve(t, status(400, { error: { message: 'No such tool' } }));
  const session = await (
    await program(t, at(address, { models })).start(never)
  ).newSession({ cwd: null, alsoIn: [] }, never);
  await session.setOption('thinking', 'high', never);
  assert.doesNotMatch((await say(session, 'Hello')).answer.detail ?? '', /Thinking/);
});

test('[A57] [T17] it is set again when the agent was stopped and after a reload, after the model that takes it', async t => {
  const server = await serveModels({ key: canary });
  t.after(() => server.close());
  const turned = { models: [...models].reverse() };
  const folder = temporaryFolder(t);
  const history = await openTestHistory(temporaryFolder(t));
  const place = () => ({ cwd: folder, alsoIn: [] });
  const start = { id: ids.session() };
  const agent = () => program(t, at(server.address, turned), {}, folder);
  const first = agent();
  const conversation = converse(history, first, new FixedClock(), start, { place });
  await conversation.prepare();
  await when(conversation, ({ options }) => options.length > 0);
  await conversation.setOption('model', 'Here/thinker');
  await conversation.setOption('thinking', 'medium');
  await conversation.send('say: "One."');
  await settled(conversation);
  await first.stop();
  await conversation.send('say: "Again."');
  await settled(conversation);
  await conversation.leave();
  const stored = (await history.open(start.id)) ?? assert.fail();
  const again = converse(history, agent(), new FixedClock(), { stored }, { place });
  await again.send('say: "Two."');
  await settled(again);
  const [notice] = again.transcript.messages.at(-1)?.blocks ?? [];
  assert.equal(notice?.kind, 'text', JSON.stringify(notice));
  assert.equal(textOf(again.transcript.messages.at(-1) ?? assert.fail()), 'Two.');
  assert.deepEqual(
    server.requests.map(({ body }) => [body['model'], body['reasoning_effort']]),
    Array.from({ length: 3 }, () => ['thinker', 'medium']),
  );
});

test('[A57] what is written of a model in the settings counts', () => {
  const [endpoint] = endpointsIn({
    Here: {
      models: [
        { id: 'a', thinking: true },
        { id: 'b', thinking: 'yes' },
      ],
    },
  }).endpoints;
  assert.deepEqual(endpoint?.models, [{ id: 'a', thinking: true }, { id: 'b' }]);
});
