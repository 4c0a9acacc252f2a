// What waits for a person: prompts in the queue, prompts that are held back, things that the agent wants to do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noRules } from '../../../src/core/conversation/allowRules.ts';
import { Approach } from '../../../src/core/conversation/approach.ts';
import { Asking } from '../../../src/core/conversation/asking.ts';
import { Pending } from '../../../src/core/conversation/pending.ts';
import { AgentError } from '../../../src/core/agentError.ts';
import type { RunningAgent } from '../../../src/core/agents.ts';
import type { Climb } from '../../../src/core/conversation/ladder.ts';
import type { Continuity, Held, HeldChoice, Permission } from '../../../src/model/agentState.ts';
import { FixedClock } from '../support/clock.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { userMessage } from '../support/facts.ts';
import { converse, settled, stage } from './stage.ts';

const permission: Permission = {
  id: 'permission1',
  callId: 'c1',
  title: 'Edit a.ts',
  tool: 'edit',
  locations: [],
  output: [],
  choices: [
    { id: 'yes', name: 'Allow', kind: 'allow_once' },
    { id: 'no', name: 'Reject', kind: 'reject_once' },
  ],
};

test('[T13] what is sent while a turn runs waits, can be changed and taken back, and goes out in order', async t => {
  const { conversation, agent } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  for (const id of ['one', 'two', 'three']) await conversation.send(`say ${id}`, { request: id });
  conversation.changeQueued('one', 'say ONE');
  conversation.changeQueued('two', null);
  assert.deepEqual(conversation.transcript.queue, [
    { id: 'one', text: 'say ONE' },
    { id: 'three', text: 'say three' },
  ]);
  turn.end({ reason: 'end_turn' });
  const second = await agent.nextTurn();
  assert.deepEqual(second.texts, ['say ONE']);
  second.end({ reason: 'end_turn' });
  const third = await agent.nextTurn();
  assert.deepEqual(third.texts, ['say three']);
  third.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.deepEqual(conversation.transcript.queue, []);
});

test('[T13] send now stops what runs and goes out before the others', async t => {
  const { conversation, agent } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  await conversation.send('one', { request: 'one' });
  await conversation.send('two', { request: 'two' });
  await conversation.sendNow('two');
  const next = await agent.nextTurn();
  assert.deepEqual(next.texts, ['two']);
  assert.equal(conversation.transcript.messages[1]?.end?.reason, 'cancelled');
  assert.deepEqual(conversation.transcript.queue, [{ id: 'one', text: 'one' }]);
});

test('[T13] after a stop or a failure the rest waits for the person, and is there in the next window', async t => {
  for (const reason of ['cancelled', 'failed'] as const) {
    const { conversation, agent, history, reopen, clock } = await stage(t);
    await conversation.send('first');
    const turn = await agent.nextTurn();
    await conversation.send('later', { request: 'later' });
    turn.end({ reason });
    await settled(conversation);
    assert.equal(agent.unseen, 0);
    const waiting = [{ id: 'later', text: 'later' }];
    assert.deepEqual(conversation.transcript.queue, waiting);
    // As long as this window lives it is this window's to send.
    const second = await reopen();
    const opened = async () => {
      const stored = await second.open(conversation.session);
      assert.ok(stored);
      return converse(second, agent, clock, { stored });
    };
    assert.deepEqual((await opened()).transcript.queue, []);
    await history.close();
    const next = await opened();
    assert.deepEqual(next.transcript.queue, waiting);
    await next.sendNow('later');
    assert.deepEqual((await agent.nextTurn()).texts, ['later']);
    assert.deepEqual(next.transcript.queue, []);
    await second.sessions();
    assert.deepEqual((await opened()).transcript.queue, []);
  }
});

test('[T13] a window that goes sends nothing of its queue', async t => {
  const { conversation, agent } = await stage(t);
  await conversation.send('first');
  await agent.nextTurn();
  await conversation.send('later');
  await conversation.leave();
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(agent.unseen, 0);
  assert.equal(conversation.transcript.messages.length, 2);
});

test('[T10] an agent that is given the path has one session for the whole conversation', async t => {
  const { conversation, agent } = await stage(t);
  const sessions = new Set<string>();
  for (const text of ['one', 'two', 'three']) {
    await conversation.send(text);
    const turn = await agent.nextTurn();
    sessions.add(turn.agentSession);
    turn.end({ reason: 'end_turn' });
    await settled(conversation);
  }
  assert.equal(sessions.size, 1);
});

test('[T14] a permission is answered once, by one of its choices, and what was answered is in history', async t => {
  const { conversation, agent, reopen } = await stage(t);
  await conversation.send('edit it');
  const turn = await agent.nextTurn();
  turn.update({ type: 'toolCall', callId: 'c1', changes: { title: 'Edit a.ts', status: 'pending' } });
  const asked = turn.ask(permission);
  assert.deepEqual(conversation.transcript.permissions, [permission]);
  assert.equal(conversation.answerPermission('permission1', 'maybe'), false);
  assert.equal(conversation.answerPermission('another', 'yes'), false);
  assert.equal(conversation.answerPermission('permission1', 'yes'), true);
  assert.equal(conversation.answerPermission('permission1', 'no'), false);
  assert.equal(await asked, 'yes');
  assert.deepEqual(conversation.transcript.permissions, []);
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  const block = (await (await reopen()).open(conversation.session))?.path[1]?.blocks[0];
  assert.deepEqual(block?.kind === 'toolCall' && block.permission, { choice: 'Allow', allowed: true });
});

test('[T14] a cancel answers what is asked, and nothing is allowed by itself', async t => {
  const { conversation, agent, clock } = await stage(t);
  await conversation.send('edit it');
  const turn = await agent.nextTurn();
  turn.update({ type: 'toolCall', callId: 'c1', changes: { status: 'pending' } });
  const asked = turn.ask(permission);
  clock.advance(24 * 3600_000);
  assert.equal(conversation.transcript.permissions.length, 1);
  void conversation.cancel();
  assert.equal(await asked, null);
  assert.deepEqual(conversation.transcript.permissions, []);
  const abort = new AbortController();
  abort.abort();
  const pending = new Pending<Permission, string>({ fits: () => true, onDidChange() {} });
  assert.equal(await pending.ask(permission, abort.signal), null);
});

const path = [{ ...userMessage('m1', null, 'hello'), session: 's' }];
const remembers: Continuity = { kind: 'remembers' };
const binding = {
  agent: 'scripted',
  agentSession: 'gone',
  from: null,
  head: 'm1',
  dirty: false,
  cwd: null,
  owner: 'w',
};

function way(program: ScriptedAgent): Climb {
  const place = { cwd: null, alsoIn: [] };
  const alive = new Set<string>();
  return {
    program,
    place,
    path,
    bindings: [binding],
    live: null,
    writer: 'w',
    alive,
    fork: false,
    contextWindow: null,
  };
}

function approach(choices: readonly (HeldChoice | null)[], clock = new FixedClock()) {
  const held: Held[] = [];
  const asks = [...choices];
  const hold = (one: Held): Promise<HeldChoice | null> => {
    held.push(one);
    const choice = asks.shift();
    return choice === undefined ? new Promise(() => {}) : Promise.resolve(choice);
  };
  return {
    approach: new Approach({ clock, show() {}, hold, onFound() {}, ask: () => Promise.resolve({ action: 'cancel' }) }),
    held,
    clock,
  };
}

test('[C2] where less is found than was shown, nothing is sent before the person chose', async () => {
  const rows = [
    { choices: ['transcript'], sent: 'reseeded', asked: 1 },
    { choices: ['retry', 'transcript'], sent: 'reseeded', asked: 2 },
    { choices: ['cancel'], sent: null, asked: 1 },
    { choices: [null], sent: null, asked: 1 },
  ] as const;
  for (const { choices, sent, asked } of rows) {
    const { approach: one, held } = approach(choices);
    const rung = await one.find(way(new ScriptedAgent(false)), remembers, new AbortController().signal);
    assert.equal(rung?.continuity.kind ?? null, sent);
    assert.deepEqual(
      held.map(({ kind }) => kind),
      Array.from({ length: asked }, () => 'less'),
    );
  }
});

test('[C2] what was shown as less is not asked about', async () => {
  const { approach: one, held } = approach([]);
  const shown: Continuity = { kind: 'reseeded', messages: 1, of: 1, tokens: 1 };
  const rung = await one.find(way(new ScriptedAgent(false)), shown, new AbortController().signal);
  assert.equal(rung?.continuity.kind, 'reseeded');
  assert.deepEqual(held, []);
});

/** An agent of which `load` does what the test says. */
class Loading extends ScriptedAgent {
  private readonly load: () => Promise<never>;

  constructor(load: () => Promise<never>) {
    super(false);
    this.load = load;
  }

  override async start(): Promise<RunningAgent> {
    const running = await super.start();
    return { ...running, abilities: { ...running.abilities, load: true }, loadSession: this.load };
  }
}

test('[C2] an agent that does not answer, or answers with an error, is the person’s to decide', async () => {
  const hanging = approach(['transcript', 'transcript']);
  const found = hanging.approach.find(
    way(new Loading(() => new Promise(() => {}))),
    remembers,
    new AbortController().signal,
  );
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(hanging.held.length, 0);
  hanging.clock.advance(10_000);
  assert.equal((await found)?.continuity.kind, 'reseeded');
  assert.equal(hanging.held[0]?.kind, 'hangs');

  const failing = approach(['cancel']);
  const broken = new Loading(() => Promise.reject(new AgentError('other', 'The disk of the agent is full.')));
  assert.equal(await failing.approach.find(way(broken), remembers, new AbortController().signal), null);
  assert.deepEqual(failing.held, [{ kind: 'failed', words: 'The disk of the agent is full.' }]);

  const dead = new Loading(() => Promise.reject(new AgentError('cannot-start', 'It is not there.')));
  await assert.rejects(approach([]).approach.find(way(dead), remembers, new AbortController().signal), /not there/);
});

test('[T14] only a choice that allows is kept as allowed', async () => {
  const kinds = { allow_once: true, allow_always: true, reject_once: false, reject_always: false, unknown: false };
  const asker = () => ({ agent: { id: 'scripted', name: 'Scripted' }, cwd: '/ws' });
  const judgePaths = () => Promise.resolve(null);
  const asked: Permission = { ...permission, tool: 'think' };
  const desk = new Asking({ asker, rules: noRules, judgePaths, show() {} });
  for (const [kind, allowed] of Object.entries(kinds)) {
    const choices = [{ id: 'it', name: 'It', kind: kind as keyof typeof kinds }];
    const answered = desk.permission({ ...asked, choices }, new AbortController().signal);
    assert.equal(desk.answerPermission(asked.id, 'it'), true);
    assert.deepEqual(await answered, { choice: 'it', answer: { choice: 'It', allowed } });
  }
  const over = new AbortController();
  const withdrawn = desk.permission(asked, over.signal);
  over.abort();
  assert.deepEqual(await withdrawn, { choice: null, answer: { choice: null, allowed: false } });
});
