// What of a tool call its card does not show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, ToolCallBlock } from '../../../src/model/message.ts';
import { isCut } from '../../../src/webview/tools/isCut.ts';

const call = {
  kind: 'toolCall',
  mime: 'text/plain',
  callId: 'c',
  title: 'Run',
  tool: 'execute',
  status: 'completed',
} as const;
const made = (fields: Partial<ToolCallBlock>): ToolCallBlock => ({ ...call, locations: [], output: [], ...fields });
const text = (letters: number): Json => ({ type: 'content', content: { type: 'text', text: 'x'.repeat(letters) } });
const printed = (lines: number): Json => ({ type: 'terminal', terminalId: 't', output: 'line\n'.repeat(lines) });

test('[W76] a card knows whether it shows all of a tool call', () => {
  const rows: readonly (readonly [Partial<ToolCallBlock>, boolean])[] = [
    [{}, false],
    [{ output: [text(20_000), printed(4000)], input: { command: 'x' } }, false],
    [{ output: [text(3), text(20_001)] }, true],
    [{ output: [printed(6000)] }, true],
    [{ input: 'x'.repeat(20_001) }, true],
    [{ input: { list: Array.from({ length: 20_000 }, (_, at) => at) } }, true],
    [{ output: [text(3)], left: 5 }, true],
  ];
  for (const [fields, expected] of rows) assert.equal(isCut(made(fields)), expected);
});
