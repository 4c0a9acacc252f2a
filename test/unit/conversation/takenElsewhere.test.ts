// Two windows find the same agent session free before either has read of the other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningAgent } from '../../../src/core/agents.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

/** Keeps its sessions where every window's process of it finds them. */
class Resuming extends ScriptedAgent {
  override async start(): Promise<RunningAgent> {
    const agent = await super.start();
    const resumeSession = (id: string) => Promise.resolve(agent.session(id) ?? assert.fail());
    return { ...agent, abilities: { ...agent.abilities, resume: true }, resumeSession };
  }
}

const patience = { timeout: 20_000 };

test(
  '[C7] a window that finds its agent session taken asks the person before it tells another one less',
  patience,
  async t => {
    const { conversation, agent, history, reopen, clock } = await stage(t, new Resuming(false));
    const { session } = conversation;
    await conversation.send('first');
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await settled(conversation);
    const own = await reopen();
    const stored = (await own.open(session)) ?? assert.fail();
    // It takes the first window for gone, as after a time in which nothing was heard of it.
    const asleep = { ...own, alive: () => Promise.resolve(new Set<string>()) };
    const other = converse(asleep, agent, clock, { stored });
    await other.prepare();
    await until(() => other.transcript.continuity.kind === 'remembers');
    await conversation.send('second');
    const second = await agent.nextTurn();
    assert.equal(second.agentSession, 'session1');
    const sending = other.send('third');
    await until(() => other.transcript.held !== null);
    assert.equal(other.transcript.held?.kind, 'less');
    assert.deepEqual([agent.unseen, other.transcript.messages.length], [0, 2]);
    other.answerHeld('transcript');
    assert.deepEqual(await sending, { sent: true });
    const third = await agent.nextTurn();
    assert.equal(third.agentSession, 'session2');
    assert.ok(third.texts.join('\n').includes('first'));
    for (const turn of [second, third]) turn.end({ reason: 'end_turn' });
    await Promise.all([settled(conversation), settled(other)]);
    // Both are there, as two answers to the same message.
    assert.equal((await history.tree(session)).length, 6);
  },
);
