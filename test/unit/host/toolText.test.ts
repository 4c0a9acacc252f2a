// A tool call that is too long for a panel: what the panel is given of it, and the whole as a text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolText } from '../../../src/host/sessions/toolText.ts';
import type { Json, Message, ToolCallBlock } from '../../../src/model/message.ts';
import { given, givenBlock, textAtOnce } from '../../../src/model/portions.ts';

const call = {
  kind: 'toolCall',
  mime: 'text/plain',
  callId: 'c',
  title: 'Run all tests',
  tool: 'execute',
  locations: [],
} as const;
const made = (fields: Partial<ToolCallBlock>): ToolCallBlock => ({
  ...call,
  status: 'in_progress',
  output: [],
  ...fields,
});
const letters = 1_000_000;
const numbered = Array.from({ length: letters / 10 }, (_, at) => String(at).padStart(9, '0')).join('\n');

test('[W76] a panel is given the beginning of what is very long, and the end of what a terminal printed', () => {
  const text: Json = { type: 'content', content: { type: 'text', text: numbered } };
  const terminal: Json = { type: 'terminal', terminalId: 't', command: 'npm test', output: `${numbered}\u{1f600}` };
  const block = made({
    output: [text, terminal, 'short'],
    input: { command: 'npm test', list: [numbered] },
    raw: { text: 'short' },
  });
  const cut = givenBlock(block, false);
  assert.ok(cut.kind === 'toolCall');
  assert.equal(cut.left, 3 * (numbered.length - textAtOnce) + 2);
  assert.deepEqual(cut.output[2], 'short');
  assert.deepEqual(cut.raw, { text: 'short' });
  assert.deepEqual(cut.input, { command: 'npm test', list: [numbered.slice(0, textAtOnce)] });
  assert.deepEqual(cut.output[0], { type: 'content', content: { type: 'text', text: numbered.slice(0, textAtOnce) } });
  const shown = cut.output[1] as { readonly output: string; readonly command: string };
  assert.equal(shown.command, 'npm test');
  assert.equal(shown.output.length, textAtOnce);
  assert.ok(`${numbered}\u{1f600}`.endsWith(shown.output));
  assert.equal(givenBlock(cut, true), cut, 'what is short stays what it was');
});

test('[W76] a message is given with its long outputs cut, whether it is over or not, and another stays the same', () => {
  const message = (block: ToolCallBlock): Message => ({
    id: 'm',
    session: 's',
    parent: null,
    role: 'assistant',
    created: 0,
    blocks: [block],
  });
  const [long, short] = [message(made({ output: [numbered] })), message(made({ output: ['short'] }))];
  const all = [short, short];
  assert.equal(given(all), all);
  const [same, cut] = given([short, long]);
  assert.equal(same, short);
  const [block] = cut?.blocks ?? [];
  assert.ok(block?.kind === 'toolCall' && block.left === numbered.length - textAtOnce);
});

test('[W76] the whole is a text to read: what went in, what came out, and no sequences of a terminal', () => {
  const output: readonly Json[] = [
    { type: 'content', content: { type: 'text', text: numbered } },
    { type: 'terminal', terminalId: 't', command: 'npm test', output: '\u001b[31mred\u001b[0m\r\n10%\r100%\nend\n' },
    { type: 'diff', path: '/w/a.ts', oldText: 'one\n', newText: 'two\n' },
    { type: 'odd', value: 1 },
  ];
  const text = toolText(made({ input: { command: 'npm test' }, output }));
  assert.ok(
    text.startsWith('Run all tests\n\n── Input ──\n\n{\n  "command": "npm test"\n}\n\n── Output ──\n\n000000000\n'),
  );
  assert.ok(text.includes(numbered));
  assert.ok(text.includes('── Output ──\n\n$ npm test\nred\n100%\nend\n'));
  assert.ok(text.includes('/w/a.ts\n\nBefore:\n\none\n\n\nAfter:\n\ntwo\n'));
  assert.ok(text.endsWith('{\n  "type": "odd",\n  "value": 1\n}\n'));
  assert.equal(toolText(made({ raw: 'as it came' })), 'Run all tests\n\n── Output ──\n\nas it came\n');
});
