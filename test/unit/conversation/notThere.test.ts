// A conversation with an agent whose program is not there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentError } from '../../../src/core/agentError.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { stage } from './stage.ts';

class NotThere extends ScriptedAgent {
  override start(): Promise<never> {
    return Promise.reject(new AgentError('cannot-start', words));
  }
}

const words = '“claude” was not found on this machine.';

test('[W81] a prompt to an agent that cannot be started comes back, and it is said that another one may help', async t => {
  const { conversation } = await stage(t, new NotThere());
  assert.deepEqual(await conversation.send('hello'), { sent: false, words, noAgent: true });
  assert.deepEqual(conversation.transcript.messages, []);
});
