// How a session of an agent is found for a prompt: one that was found ahead goes out with the same request only, and where
// the agent knows less than was said, the person is asked first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Binding } from '../../../src/core/conversation/binding.ts';
import { resolveSession, type SessionRequest } from '../../../src/core/conversation/resumeAgentSession.ts';
import { isSameRequest } from '../../../src/core/conversation/sessionRequest.ts';
import type { RunningAgent } from '../../../src/core/agents.ts';
import type { Message } from '../../../src/model/message.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const never = new AbortController().signal;

const message: Message = {
  id: 'm0',
  session: 's',
  parent: null,
  role: 'user',
  created: 1,
  blocks: [{ kind: 'text', mime: 'text/plain', text: 'Words.' }],
  end: { reason: 'end_turn', at: 1 },
};

const binding: Binding = {
  agent: 'scripted',
  agentSession: 'session1',
  from: null,
  head: 'm0',
  dirty: false,
  cwd: null,
  owner: 'window22',
};

function request(agent: ScriptedAgent, more: Partial<SessionRequest> = {}): SessionRequest {
  return {
    program: agent,
    place: { cwd: '/project', alsoIn: [] },
    path: [],
    bindings: [],
    live: null,
    writer: 'window22',
    alive: new Set(),
    fork: false,
    contextWindow: null,
    ...more,
  };
}

test('[C2] what was found ahead serves the same request only', () => {
  const same = new ScriptedAgent(false);
  assert.ok(isSameRequest(request(same), { ...request(same) }));
  const others: { readonly [field in keyof SessionRequest]?: Partial<SessionRequest> } = {
    program: { program: new ScriptedAgent(false) },
    place: { place: { cwd: '/other', alsoIn: [] } },
    path: { path: [message] },
    bindings: { bindings: [{ ...binding, agentSession: 'gone' }] },
    writer: { writer: 'window33' },
    fork: { fork: true },
    budget: { budget: { messages: 1, characters: 1, tokens: 1000 } },
  };
  for (const [field, other] of Object.entries(others))
    assert.ok(!isSameRequest(request(same), request(same, other)), field);
  const owned = { bindings: [{ ...binding, owner: 'window33' }] };
  assert.ok(!isSameRequest(request(same, owned), request(same, { ...owned, alive: new Set(['window33']) })));
});

test('[C2] a session that was found ahead is used, and is closed where another one is needed', async t => {
  const { conversation, agent, clock, history } = await stage(t, new ScriptedAgent(false));
  await conversation.prepare();
  await until(() => agent.places.length === 1);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  assert.equal(turn.agentSession, 'session1');
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.deepEqual(agent.ended, []);
  const other = converse(history, agent, clock, { id: 'othersession' });
  await other.prepare();
  await until(() => agent.places.length === 2);
  await other.setAgent(new ScriptedAgent(false));
  await until(() => agent.ended.length > 0);
  assert.deepEqual(agent.ended, ['session2']);
});

test('[C2] a session that is found after it was given up is closed', async t => {
  let begin = (): void => {};
  const started = new Promise<void>(resolve => (begin = resolve));
  class Slow extends ScriptedAgent {
    isAsked = false;

    override async start(): Promise<RunningAgent> {
      this.isAsked = true;
      await started;
      return super.start();
    }
  }
  const agent = new Slow(false);
  const { conversation } = await stage(t, agent);
  const sending = conversation.send('first');
  await until(() => agent.isAsked);
  await conversation.cancel();
  assert.equal((await sending).sent, false);
  begin();
  await until(() => agent.ended.length > 0);
  assert.deepEqual([agent.ended, agent.unseen], [['session1'], 0]);
});

test('[C2] a session that was found ahead and is gone with its agent is looked for again', async t => {
  class Forgetful extends ScriptedAgent {
    override async start(): Promise<RunningAgent> {
      return { ...(await super.start()), session: () => undefined };
    }
  }
  const { conversation, agent } = await stage(t, new Forgetful(false));
  await conversation.prepare();
  await until(() => agent.places.length === 1);
  await conversation.send('first');
  assert.equal((await agent.nextTurn()).agentSession, 'session2');
});

test('[C1] only a session that stands at the end of the path, and whose last turn settled, is relied on', async () => {
  for (const [more, remembers] of [
    [{}, true],
    [{ dirty: true }, false],
    [{ head: 'm1' }, false],
    [{ agent: 'other' }, false],
    // Its process here doesn't know what that window said to it.
    [{ owner: 'window33' }, false],
    [{ unfinished: [{ id: 'm0', length: JSON.stringify(message.blocks).length }] }, true],
    [{ unfinished: [{ id: 'm0', length: 2 }] }, false],
  ] as const) {
    const agent = new ScriptedAgent(false);
    await (await agent.start()).newSession({ cwd: '/project', alsoIn: [] }, never);
    const way = request(agent, { path: [message], bindings: [{ ...binding, ...more }] });
    const { continuity, session } = await resolveSession(way, never);
    assert.deepEqual([continuity.kind, session.id], remembers ? ['remembers', 'session1'] : ['reseeded', 'session2']);
  }
});
