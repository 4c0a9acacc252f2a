// What waits for a person: prompts in the queue, prompts that are held back, things that the agent wants to do.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { bindingFact } from '../../../src/core/conversation/binding.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { AgentError } from '../../../src/core/agentError.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { RunningAgent } from '../../../src/core/agents.ts';
import type { Held, HeldChoice, Permission } from '../../../src/model/agentState.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids } from '../support/history.ts';
import { until } from '../support/refused.ts';
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

test('[T13] a prompt that waited and can’t be sent comes back with the reason, and waits for the person', async t => {
  const { conversation, agent, disk, clock } = await stage(t);
  await conversation.send('first');
  const turn = await agent.nextTurn();
  for (const id of ['one', 'two']) await conversation.send(id, { request: id });
  disk.failure = new HistoryError('disk-full');
  turn.end({ reason: 'end_turn' });
  await until(() => conversation.transcript.queue[0]?.trouble !== undefined);
  assert.deepEqual(conversation.transcript.queue, [
    { id: 'one', text: 'one', trouble: disk.failure.message },
    { id: 'two', text: 'two' },
  ]);
  assert.deepEqual([conversation.transcript.turn, agent.unseen], [null, 0]);
  disk.failure = null;
  clock.advance(30_000);
  await until(() => conversation.transcript.unsaved === null);
  await conversation.sendNow('one');
  assert.deepEqual((await agent.nextTurn()).texts, ['one']);
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
});

test('[C1] an agent session of a window that lives is left to it, also where a prompt is sent at once', async t => {
  const { conversation: first, reopen, clock } = await known(t, new Forgetting());
  const history = await reopen();
  const stored = (await history.open(first.session)) ?? assert.fail();
  const second = converse(history, new Forgetting(), clock, { stored });
  assert.deepEqual(await second.send('and here?'), { sent: true });
  const { continuity } = second.transcript;
  assert.equal(continuity.kind, 'reseeded');
  assert.match(JSON.stringify(continuity), /another window has the agent’s session/);
});

/** A stored session of one message, to which the agent's session “gone” is bound. */
async function known(t: TestContext, program: ScriptedAgent) {
  const scene = await stage(t);
  const session = ids.session();
  const { history } = scene;
  const binding = {
    agent: 'scripted',
    agentSession: 'gone',
    from: null,
    head: 'm1',
    dirty: false,
    cwd: null,
    owner: history.writer,
  };
  await history.append(session, [
    sessionFact(session),
    userFact(session, 'm1', null, 'hello'),
    setFact(session, 'head', 'm1'),
    bindingFact(session, binding),
  ]);
  const stored = (await history.open(session)) ?? assert.fail();
  const { clock, reopen } = scene;
  return { conversation: converse(history, program, clock, { stored }), agent: program, clock, reopen };
}

/** Resolves when something is asked before the prompt goes out. */
function held(conversation: Conversation): Promise<Held> {
  const { held: now } = conversation.transcript;
  if (now) return Promise.resolve(now);
  return new Promise(resolve => {
    const stop = conversation.onDidChange(event => {
      if (event.type !== 'heldChanged' || !event.held) return;
      stop();
      resolve(event.held);
    });
  });
}

/** An agent that has its session until it forgets it. */
class Forgetting extends ScriptedAgent {
  isForgetful = false;

  constructor() {
    super(false);
  }

  override async start(): Promise<RunningAgent> {
    const running = await super.start();
    return {
      ...running,
      abilities: { ...running.abilities, load: true },
      session: id => (this.isForgetful ? undefined : running.session(id)),
      loadSession: async (_id, place, signal) => {
        if (this.isForgetful) throw new AgentError('not-found', 'It is gone.');
        return { session: await running.newSession(place, signal), replayedPrompts: ['hello'] };
      },
    };
  }
}

test('[C2] where less is found than was shown, nothing is sent before the person chose', async t => {
  const rows: readonly { readonly choices: readonly HeldChoice[]; readonly isSent: boolean }[] = [
    { choices: ['transcript'], isSent: true },
    { choices: ['retry', 'transcript'], isSent: true },
    { choices: ['cancel'], isSent: false },
  ];
  for (const { choices, isSent } of rows) {
    const forgetting = new Forgetting();
    const { conversation, agent } = await known(t, forgetting);
    await conversation.prepare();
    await until(() => conversation.transcript.continuity.kind === 'remembers');
    forgetting.isForgetful = true;
    const sending = conversation.send('and now?');
    for (const choice of choices) {
      assert.equal((await held(conversation)).kind, 'less');
      assert.equal(agent.unseen, 0);
      conversation.answerHeld(choice);
    }
    assert.equal((await sending).sent, isSent);
    assert.equal(conversation.transcript.held, null);
    if (!isSent) continue;
    assert.match((await agent.nextTurn()).texts[0] ?? '', /hello/);
    assert.equal(conversation.transcript.continuity.kind, 'reseeded');
  }
});

test('[C2] a prompt that is stopped while the person is asked is not sent', async t => {
  const forgetting = new Forgetting();
  const { conversation, agent } = await known(t, forgetting);
  await conversation.prepare();
  await until(() => conversation.transcript.continuity.kind === 'remembers');
  forgetting.isForgetful = true;
  const sending = conversation.send('and now?');
  await held(conversation);
  await conversation.cancel();
  assert.equal((await sending).sent, false);
  assert.deepEqual([conversation.transcript.held, conversation.transcript.turn, agent.unseen], [null, null, 0]);
});

test('[C2] what was shown as less is not asked about', async t => {
  const { conversation, agent } = await known(t, new ScriptedAgent(false));
  assert.deepEqual(await conversation.send('and now?'), { sent: true });
  assert.equal(conversation.transcript.continuity.kind, 'reseeded');
  assert.match((await agent.nextTurn()).texts[0] ?? '', /hello/);
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

test('[C2] an agent that does not answer, or answers with an error, is the person’s to decide', async t => {
  const hanging = await known(t, new Loading(() => new Promise(() => {})));
  const sending = hanging.conversation.send('and now?');
  await until(() => hanging.clock.waiting > 0);
  assert.equal(hanging.conversation.transcript.held, null);
  hanging.clock.advance(10_000);
  assert.equal((await held(hanging.conversation)).kind, 'hangs');
  hanging.conversation.answerHeld('transcript');
  assert.deepEqual(await sending, { sent: true });
  assert.equal(hanging.conversation.transcript.continuity.kind, 'reseeded');

  const words = 'The disk of the agent is full.';
  const failing = await known(t, new Loading(() => Promise.reject(new AgentError('other', words))));
  const failed = failing.conversation.send('and now?');
  assert.deepEqual(await held(failing.conversation), { kind: 'failed', words });
  failing.conversation.answerHeld('cancel');
  assert.equal((await failed).sent, false);

  const dead = await known(t, new Loading(() => Promise.reject(new AgentError('cannot-start', 'It is not there.'))));
  const refused = await dead.conversation.send('and now?');
  assert.deepEqual(refused, { sent: false, words: 'It is not there.', noAgent: true });
});

test('[C2] an agent that answers after all takes the question back, and the prompt goes out', async t => {
  let answer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    answer = () => reject(new AgentError('not-found', 'It is gone.'));
  });
  const { conversation, clock } = await known(t, new Loading(() => late));
  const sending = conversation.send('and now?');
  await until(() => clock.waiting > 0);
  clock.advance(10_000);
  await held(conversation);
  answer();
  assert.deepEqual(await sending, { sent: true });
  assert.equal(conversation.transcript.held, null);
});

test('[T14] only a choice that allows is kept as allowed', async t => {
  const kinds = { allow_once: true, allow_always: true, reject_once: false, reject_always: false, unknown: false };
  const { conversation, agent } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const asked: Permission = { ...permission, tool: 'think' };
  const recorded = (callId: string) =>
    conversation.transcript.messages[1]?.blocks.flatMap(block =>
      block.kind === 'toolCall' && block.callId === callId ? [block.permission] : [],
    );
  for (const [kind, allowed] of Object.entries(kinds)) {
    turn.update({ type: 'toolCall', callId: kind, changes: {} });
    const choices = [{ id: 'it', name: 'It', kind: kind as keyof typeof kinds }];
    const answered = turn.ask({ ...asked, callId: kind, choices });
    assert.equal(conversation.answerPermission(asked.id, 'it'), true);
    assert.equal(await answered, 'it');
    assert.deepEqual(recorded(kind), [{ choice: 'It', allowed }]);
  }
  turn.update({ type: 'toolCall', callId: 'withdrawn', changes: {} });
  const over = new AbortController();
  const withdrawn = turn.ask({ ...asked, callId: 'withdrawn' }, over.signal);
  over.abort();
  assert.equal(await withdrawn, null);
  assert.deepEqual(recorded('withdrawn'), [{ choice: null, allowed: false }]);
  assert.deepEqual(conversation.transcript.permissions, []);
});

test('[T14] nothing that was asked stays open once its turn is over', async t => {
  const { conversation, agent, ended } = await stage(t);
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const asked = turn.ask(permission);
  const form = turn.elicit({ id: 'e1', message: 'Which?', asks: { kind: 'form', fields: [] } });
  assert.equal(conversation.transcript.permissions.length + conversation.transcript.elicitations.length, 2);
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual([conversation.transcript.permissions, conversation.transcript.elicitations], [[], []]);
  assert.deepEqual([await asked, await form], [null, { action: 'cancel' }]);
  const late = [turn.ask(permission), turn.elicit({ id: 'e2', message: 'Which?', asks: { kind: 'form', fields: [] } })];
  assert.deepEqual([conversation.transcript.permissions, conversation.transcript.elicitations], [[], []]);
  assert.deepEqual(await Promise.all(late), [null, { action: 'cancel' }]);
});
