// What a person looks at first where an answer failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageEnd } from '../../../src/model/message.ts';
import { lookFirst } from '../../../src/webview/transcript/nextSteps.ts';

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
