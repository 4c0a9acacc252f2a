// What is offered under an answer that did not come to its own end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent } from '../../../src/model/intent.ts';
import type { Block, Message, MessageEnd } from '../../../src/model/message.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { nextSteps } from '../../../src/webview/transcript/nextSteps.ts';
import { message, place, transcript } from './fixture.ts';

const half: Block = { kind: 'text', mime: 'text/markdown', text: 'half' };
const notice: Block = { kind: 'notice', mime: 'text/plain', severity: 'warning', text: 'once more' };

function answer(end: Omit<MessageEnd, 'at'> | null, blocks: readonly Block[]): Message {
  return { ...message('a', 'u', 'assistant', ''), blocks, ...(end ? { end: { ...end, at: 0 } } : {}) };
}

test('[W101] each way of ending has the step that helps, and none where nothing does', () => {
  const rows: readonly (readonly [Omit<MessageEnd, 'at'> | null, begun: string, empty: string])[] = [
    [{ reason: 'end_turn' }, '', ''],
    [{ reason: 'max_tokens' }, 'Continue', 'Continue'],
    [{ reason: 'max_turn_requests' }, 'Continue', 'Continue'],
    [{ reason: 'refusal' }, 'Edit and resend', 'Edit and resend'],
    [{ reason: 'cancelled' }, 'Continue', 'Retry'],
    [{ reason: 'failed', detail: 'rate limit' }, 'Continue, Retry', 'Retry'],
    [{ reason: 'failed', cause: 'gone' }, 'Restart and continue', 'Restart and continue'],
    [{ reason: 'failed', cause: 'signIn' }, 'Retry', 'Retry'],
    [{ reason: 'a later one' as never }, '', ''],
    // The window closed.
    [null, 'Continue', 'Retry'],
  ];
  const names = (of: Message) =>
    nextSteps(of)
      .map(({ name }) => name)
      .join(', ');
  for (const [end, begun, empty] of rows) {
    assert.equal(names(answer(end, [half])), begun, `${end?.reason} with words`);
    assert.equal(names(answer(end, [])), empty, `${end?.reason} without`);
    assert.equal(names(answer(end, [notice])), empty, `${end?.reason} with a notice alone`);
  }
  // What never began is not gone on from, whatever the button is called.
  assert.deepEqual(
    [[half], []].map(blocks => nextSteps(answer({ reason: 'failed', cause: 'gone' }, blocks))[0]?.does),
    ['continue', 'retry'],
  );
  assert.deepEqual(nextSteps({ ...answer(null, [half]), role: 'summary' }), []);
});

test('[W101] words that were not typed go out and leave the composer alone, and come back when they are refused', () => {
  const posted: Intent[] = [];
  const outbox = createOutbox(intent => posted.push(intent));
  outbox.hear({ type: 'snapshot', transcript, place, draft: '' });
  outbox.draft.value = 'mine';
  outbox.say('s', 'Continue');
  const sent = posted.at(-1);
  assert.ok(sent?.type === 'sendPrompt');
  assert.deepEqual([sent.text, outbox.draft.value, outbox.underway.value], ['Continue', 'mine', 'Continue']);
  outbox.hear({ type: 'refused', request: sent.request, words: 'no' });
  assert.deepEqual([outbox.draft.value, outbox.refusal.value?.text], ['mine', 'Continue']);
});
