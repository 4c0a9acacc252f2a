// An agent that doesn't answer a cancel: its turn ends without its word, and when it goes on not to answer it is restarted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { settled, stage } from './stage.ts';

/** Counts how often it is ended. */
class Restarting extends ScriptedAgent {
  stops = 0;

  override stop(): Promise<void> {
    this.stops++;
    return Promise.resolve();
  }
}

for (const takesPath of [false, true])
  test(`[T5] an agent that ignores a cancel ${takesPath ? 'and is given the path ' : ''}is restarted, and another session of it is told all`, async t => {
    const agent = new Restarting(takesPath);
    const { conversation, clock } = await stage(t, agent);
    await conversation.send('first');
    const ignoring = await agent.nextTurn();
    const cancelled = conversation.cancel();
    clock.advance(100);
    await cancelled;
    assert.equal(conversation.transcript.messages.at(-1)?.end?.reason, 'cancelled');
    clock.advance(9_999);
    assert.equal(agent.stops, 0);
    clock.advance(1);
    assert.equal(agent.stops, 1);
    ignoring.update({ type: 'text', text: 'still there' });
    assert.deepEqual(conversation.transcript.messages.at(-1)?.blocks, []);
    await conversation.send('second');
    const turn = await agent.nextTurn();
    assert.notEqual(turn.agentSession, ignoring.agentSession);
    if (takesPath) assert.equal(turn.prompt.path.length, 2);
    else assert.match(turn.texts.join(), /first[^]*second/);
  });

test('[T5] an agent that answers a cancel late is not restarted, and remembers what was said', async t => {
  const agent = new Restarting(false);
  const { conversation, clock, history } = await stage(t, agent);
  await conversation.send('first');
  const late = await agent.nextTurn();
  const cancelled = conversation.cancel();
  clock.advance(100);
  await cancelled;
  assert.notEqual(conversation.transcript.continuity.kind, 'remembers');
  late.end({ reason: 'cancelled' });
  await history.alive();
  assert.equal(conversation.transcript.continuity.kind, 'remembers');
  clock.advance(60_000);
  assert.equal(agent.stops, 0);
  await conversation.send('second');
  const turn = await agent.nextTurn();
  assert.deepEqual([turn.agentSession, turn.texts], [late.agentSession, ['second']]);
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
});
