// How a session of an agent is found for a prompt: one that was found ahead goes out with the same request only, and where
// the agent knows less than was said, the person is asked first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Approach } from '../../../src/core/conversation/approach.ts';
import type { Binding } from '../../../src/core/conversation/binding.ts';
import { climb, type Climb } from '../../../src/core/conversation/ladder.ts';
import type { RunningAgent } from '../../../src/core/agents.ts';
import type { Held, HeldChoice } from '../../../src/model/agentState.ts';
import type { Message } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';

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

function request(agent: ScriptedAgent, more: Partial<Climb> = {}): Climb {
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

function desk(choice: HeldChoice | null = null) {
  const held: Held['kind'][] = [];
  const approach = new Approach({
    clock: new FixedClock(),
    show() {},
    onFound() {},
    hold: asked => Promise.resolve((held.push(asked.kind), choice)),
    ask: { permission: () => Promise.reject(new Error('no')), elicit: () => Promise.reject(new Error('no')) } as never,
  });
  return { approach, held };
}

test('[C2] a session that was found ahead is used for the same request only, and is closed else', async () => {
  const same = new ScriptedAgent(false);
  const first = request(same);
  const { approach } = desk();
  approach.prepare(first);
  assert.equal((await approach.find({ ...first }, { kind: 'fresh' }, never))?.session.id, 'session1');
  assert.deepEqual(same.ended, []);
  const others: { readonly [field in keyof Climb]?: (agent: ScriptedAgent) => Partial<Climb> } = {
    program: () => ({ program: new ScriptedAgent(false) }),
    place: () => ({ place: { cwd: '/other', alsoIn: [] } }),
    path: () => ({ path: [message] }),
    bindings: () => ({ bindings: [{ ...binding, agentSession: 'gone' }] }),
    writer: () => ({ writer: 'window33' }),
    fork: () => ({ fork: true }),
    budget: () => ({ budget: { messages: 1, characters: 1, tokens: 1000 } }),
  };
  for (const [field, other] of Object.entries(others)) {
    const agent = new ScriptedAgent(false);
    const { approach: asked } = desk('transcript');
    asked.prepare(request(agent));
    const now = request(agent, other(agent));
    const found = await asked.find(now, { kind: 'fresh' }, never);
    await agent.start();
    assert.deepEqual(agent.ended, ['session1'], field);
    assert.equal(found?.session.id, now.program === agent ? 'session2' : 'session1', field);
  }
});

test('[C2] a session that was found ahead and is gone with its agent is looked for again', async () => {
  class Forgetful extends ScriptedAgent {
    override async start(): Promise<RunningAgent> {
      return { ...(await super.start()), session: () => undefined };
    }
  }
  const { approach } = desk();
  const way = request(new Forgetful(false));
  approach.prepare(way);
  assert.equal((await approach.find(way, { kind: 'fresh' }, never))?.session.id, 'session2');
});

test('[C2] where the agent knows less than was said, nothing is sent before the person chose', async () => {
  for (const [choice, goes] of [
    ['cancel', false],
    [null, false],
    ['transcript', true],
  ] as const) {
    const agent = new ScriptedAgent(false);
    const { approach, held } = desk(choice);
    const found = await approach.find(request(agent, { path: [message] }), { kind: 'remembers' }, never);
    assert.deepEqual([held, found !== null], [['less'], goes]);
    assert.deepEqual(agent.ended, goes ? [] : ['session1']);
  }
  const { approach, held } = desk();
  const known = request(new ScriptedAgent(false), { path: [message] });
  const reseeded = { kind: 'reseeded', messages: 1, of: 1, tokens: 1 } as const;
  assert.ok(await approach.find(known, reseeded, never));
  assert.deepEqual(held, []);
});

test('[C1] only a session that stands at the end of the path, and whose last turn settled, is relied on', async () => {
  for (const [more, remembers] of [
    [{}, true],
    [{ dirty: true }, false],
    [{ head: 'm1' }, false],
    [{ agent: 'other' }, false],
  ] as const) {
    const agent = new ScriptedAgent(false);
    await (await agent.start()).newSession({ cwd: '/project', alsoIn: [] }, never);
    const way = request(agent, { path: [message], bindings: [{ ...binding, ...more }] });
    const { continuity, session } = await climb(way, never);
    assert.deepEqual([continuity.kind, session.id], remembers ? ['remembers', 'session1'] : ['reseeded', 'session2']);
  }
});
