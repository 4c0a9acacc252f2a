// What a person looks at first where an answer failed, or was never begun because the agent is not there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageEnd } from '../../../src/model/message.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { lookFirst } from '../../../src/webview/transcript/nextSteps.ts';
import { place, transcript } from './fixture.ts';

const rows: readonly (readonly [MessageEnd['reason'], string, boolean])[] = [
  ['failed', 'getaddrinfo EAI_AGAIN api.example.com', true],
  ['failed', 'API Error: Connection error.', true],
  ['failed', 'TypeError: fetch failed', true],
  ['failed', 'Claude ended (exit code 1): connect ENETUNREACH 1.1.1.1:443', true],
  ['failed', 'The model is overloaded', false],
  ['failed', 'The test “fetches failed rows” is red', false],
  ['end_turn', 'fetch failed', false],
];
for (const [reason, detail, isNetwork] of rows) {
  test(`[W81] ${reason}, ${detail}: ${isNetwork ? 'the network' : 'nothing'}`, () => {
    const message = { id: 'a', session: 's', parent: 'u', role: 'assistant', created: 0, blocks: [] } as const;
    assert.equal(lookFirst({ ...message, end: { reason, at: 0, detail } }) !== '', isNetwork);
  });
}

test('[W81] where the agent could not be started, the refusal says that another one may help', () => {
  const refusalOf = (noAgent: { readonly noAgent?: true }) => {
    let request = '';
    const outbox = createOutbox(intent => void (intent.type === 'sendPrompt' && (request = intent.request)));
    outbox.hear({ type: 'snapshot', transcript: { ...transcript, turn: null }, place, draft: 'Find the leak' });
    outbox.send('s');
    outbox.hear({ type: 'refused', request, words: 'It was not found.', ...noAgent });
    return outbox.refusal.value;
  };
  assert.deepEqual(refusalOf({ noAgent: true }), { words: 'It was not found.', text: null, noAgent: true });
  assert.deepEqual(refusalOf({}), { words: 'It was not found.', text: null });
});
