// Tool calls as agents tell them: what of an update changes, and what is kept of what nobody here knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingAnswer } from '../support/growingAnswer.ts';
import type { Json, ToolCallBlock } from '../../../src/model/message.ts';
import { changesOf, mergedExtra } from '../../../src/node/acp/toolCall.ts';
import { goesOn } from '../../agents/plays.ts';
import { here, never, play, scripted } from '../support/scriptedProgram.ts';

type Extra = { readonly [key: string]: Json };

const told: readonly (readonly [what: string, call: object, changes: object])[] = [
  ['nothing', { toolCallId: 'c', sessionUpdate: 'tool_call' }, {}],
  [
    'everything that ACP knows',
    {
      toolCallId: 'c',
      title: 'T',
      kind: 'edit',
      status: 'failed',
      locations: [{ path: '/a', line: 3 }, { line: 1 }],
      rawInput: { a: [1] },
      rawOutput: 'out',
      content: [7],
    },
    {
      title: 'T',
      tool: 'edit',
      status: 'failed',
      locations: [{ path: '/a', line: 3 }],
      input: { a: [1] },
      raw: 'out',
      output: [7],
    },
  ],
  [
    'nulls',
    {
      title: null,
      kind: null,
      status: null,
      locations: null,
      rawInput: null,
      rawOutput: null,
      content: null,
      name: null,
      _meta: null,
    },
    {},
  ],
  ['what has the wrong type', { title: 7, kind: {}, status: 'bored', locations: 'x', content: {} }, {}],
  ['values that count for nothing elsewhere', { rawInput: 0, rawOutput: false }, { input: 0, raw: false }],
  [
    'what nobody knows',
    { name: 'bash', later: { deep: [null] }, _meta: { claudeCode: { toolName: 'Bash' } } },
    { extra: { name: 'bash', later: { deep: [null] }, _meta: { claudeCode: { toolName: 'Bash' } } } },
  ],
  [
    '`_meta` without its terminals',
    { _meta: { terminal_info: { terminal_id: 'a' }, terminal_exit: { terminal_id: 'a' }, x: 1 } },
    { extra: { _meta: { x: 1 } } },
  ],
  ['`_meta` of terminals only', { _meta: { terminal_output: { terminal_id: 'a', data: 'x' } } }, {}],
  [
    '`_meta` of no shape',
    { _meta: { terminal_output: { terminal_id: 'a' }, terminal_info: 'x' } },
    { extra: { _meta: { terminal_output: { terminal_id: 'a' }, terminal_info: 'x' } } },
  ],
  ['odd `_meta`', { _meta: [1] }, { extra: { _meta: [1] } }],
];

test('[A13] an update changes what it says, and what is not known stays with it', async t => {
  for (const [what, call, changes] of told)
    await t.test(what, () => assert.deepEqual(changesOf(call as Extra), changes));
});

const merged: readonly (readonly [old: Extra, added: Extra, all: Extra])[] = [
  [{}, { a: 1 }, { a: 1 }],
  [{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
  [
    { _meta: { x: { tool: 'Bash' } } },
    { _meta: { x: { answer: 1 }, y: 2 } },
    { _meta: { x: { tool: 'Bash', answer: 1 }, y: 2 } },
  ],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
  [{ a: { b: 1 } }, { a: { b: null, c: null } }, { a: { b: 1, c: null } }],
];

test('[A13] what is not known is joined over the updates of a call', () => {
  for (const [old, added, all] of merged) assert.deepEqual(mergedExtra(old, added), all);
  const named = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as Extra;
  const both = mergedExtra(mergedExtra({}, named), named);
  assert.equal(JSON.stringify(both), JSON.stringify(named));
  assert.equal(Object.getPrototypeOf(both), Object.prototype);
  let deep: Json = 1;
  for (let n = 0; n < 100_000; n++) deep = { d: deep };
  mergedExtra({ deep }, { deep });
});

test('[A13] a tool call is whole at its end, whatever its updates brought', async t => {
  const session = await (await scripted(t).start(never)).newSession(here, never);
  const begin = {
    sessionUpdate: 'tool_call',
    toolCallId: 't1',
    title: 'Look',
    name: 'look',
    kind: 'read',
    rawInput: { path: 'a' },
    content: [{ type: 'content', content: { type: 'text', text: 'A' } }],
    _meta: { x: { tool: 'Look' } },
  };
  const steps = [
    { update: begin },
    goesOn({ _meta: { x: { answer: [1] } } }),
    goesOn({ _meta: { x: { tool: 'Look' } } }),
    goesOn({ rawOutput: { text: 'A' } }),
    goesOn({ content: null, title: null, status: 'completed', rawOutput: null }),
  ];
  const { updates } = await play(session, JSON.stringify(steps));
  // The third says nothing new.
  assert.equal(updates.length, 4);
  const answer = new GrowingAnswer('s', 'm');
  const blocks: ToolCallBlock[] = [];
  for (const update of updates)
    for (const event of eventsOf(answer.apply(update)))
      if (event.type === 'blockSet' && event.block.kind === 'toolCall') blocks.push(event.block);
  const { output, input, raw, extra, title, status } = blocks.at(-1) ?? {};
  assert.deepEqual(
    { output, input, raw, extra, title, status },
    {
      output: begin.content,
      input: { path: 'a' },
      raw: { text: 'A' },
      extra: { name: 'look', _meta: { x: { tool: 'Look', answer: [1] } } },
      title: 'Look',
      status: 'completed',
    },
  );
});

function eventsOf({ events, after }: ReturnType<GrowingAnswer['apply']>) {
  return [...events, ...after];
}
