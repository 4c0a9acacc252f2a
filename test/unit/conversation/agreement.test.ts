// An agent that the person has to agree to before it is started: looking and writing starts nothing and asks nothing, and
// while the question is open nobody says that the agent isn't responding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningAgent } from '../../../src/core/agents.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { stage } from './stage.ts';

class AskedAgent extends ScriptedAgent {
  starts = 0;
  agreed = false;
  private readonly pressed = Promise.withResolvers<undefined>();

  constructor() {
    super(false);
  }

  asksFirst(): Promise<boolean> {
    return Promise.resolve(!this.agreed);
  }

  isAsking(): boolean {
    return this.starts > 0 && !this.agreed;
  }

  press(): void {
    this.agreed = true;
    this.pressed.resolve(undefined);
  }

  override async start(): Promise<RunningAgent> {
    this.starts++;
    if (!this.agreed) await this.pressed.promise;
    return super.start();
  }
}

test('[H133] an agent that has to be agreed to is not started before something is sent', async t => {
  const agent = new AskedAgent();
  const { conversation } = await stage(t, agent);
  await conversation.prepare();
  assert.equal(agent.starts, 0);
  assert.deepEqual(conversation.transcript.continuity, { kind: 'fresh' });
  agent.press();
  await conversation.prepare();
  assert.equal(agent.starts, 1, 'an agent that was agreed to is');
});

test('[H133] while the person is asked, nobody says that the agent isn’t responding', async t => {
  const agent = new AskedAgent();
  const { conversation, clock } = await stage(t, agent);
  const sent = conversation.send('Hello');
  while (agent.starts === 0) await new Promise(resolve => setImmediate(resolve));
  clock.advance(60_000);
  assert.equal(conversation.transcript.held, null);
  agent.press();
  const turn = await agent.nextTurn();
  turn.end({ reason: 'end_turn' });
  assert.deepEqual(await sent, { sent: true });
});
