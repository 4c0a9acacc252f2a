// A conversation in a window whose history could not be opened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { unavailableHistory } from '../../../src/core/history/unavailable.ts';
import { FixedClock } from '../support/clock.ts';
import { ids } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled } from './stage.ts';

test('[H54] that nothing is saved is said from the start, and a prompt waits for the person’s word', async () => {
  const reason = new HistoryError('no-permission');
  const agent = new ScriptedAgent();
  const conversation = converse(unavailableHistory(reason), agent, new FixedClock(), { id: ids.session() });
  const unsaved = { code: 'no-permission', words: reason.message, accepted: false };
  assert.deepEqual(conversation.transcript.unsaved, unsaved);
  assert.deepEqual(await conversation.send('hello'), { sent: false, words: reason.message });
  assert.equal(agent.unseen, 0);
  assert.deepEqual(conversation.transcript.unsaved, unsaved);
  conversation.acceptUnsaved();
  assert.deepEqual(await conversation.send('hello'), { sent: true });
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'hi' });
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.deepEqual(conversation.transcript.unsaved, { ...unsaved, accepted: true });
  assert.equal(conversation.transcript.messages.length, 2);
});
