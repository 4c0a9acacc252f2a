// The sentences of the panel.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, MessageEnd } from '../../../src/model/message.ts';
import type { Continuity } from '../../../src/model/agentState.ts';
import { diffLines } from '../../../src/webview/changes/diffLines.ts';
import { shownInput, shownOutput } from '../../../src/webview/tools/toolOutput.ts';
import {
  articleName,
  canSummarise,
  continuityWords,
  endingOf,
  knowable,
  spanOf,
  toolWords,
} from '../../../src/webview/words.ts';

test('[W13] the continuity line begins with Remembers, Reseeded or Fresh', () => {
  const rows: readonly (readonly [Continuity, number, string])[] = [
    [{ kind: 'remembers' }, 6, 'Remembers all 6 messages above'],
    [{ kind: 'remembers' }, 2, 'Remembers both messages above'],
    [{ kind: 'remembers' }, 1, 'Remembers the one message above'],
    [{ kind: 'remembers', compacted: true }, 6, 'Remembers this conversation, shortened by the agent'],
    [{ kind: 'checking', asked: true }, 6, 'Checking what the agent remembers…'],
    [{ kind: 'checking', asked: false }, 6, 'Checking what the agent remembers once you write'],
    [{ kind: 'reseeded', messages: 18, of: 24, tokens: 9100 }, 24, 'Reseeded: 18 of 24 messages, about 9k tokens'],
    [{ kind: 'reseeded', messages: 1, of: 1, tokens: 12 }, 1, 'Reseeded: 1 of 1 message, about 12 tokens'],
    [{ kind: 'fresh' }, 0, 'Fresh: a new conversation'],
    [{ kind: 'fresh' }, 3, 'Fresh: the agent does not know the 3 messages above'],
  ];
  for (const [continuity, messages, expected] of rows)
    assert.equal(continuityWords(continuity, messages).join(''), expected);
});

test('[W13] while an answer is written, nobody is said not to know what was just asked', () => {
  const fresh = { kind: 'fresh' } as const;
  const answering = { message: 'a', cancelling: false };
  const said = (count: number, turn: typeof answering | null) =>
    continuityWords(fresh, knowable(fresh, count, turn)).join('');
  assert.equal(said(2, answering), 'Fresh: a new conversation');
  assert.equal(said(6, answering), 'Fresh: the agent does not know the 4 messages above');
  assert.equal(said(6, null), 'Fresh: the agent does not know the 6 messages above');
  assert.equal(knowable({ kind: 'remembers' }, 6, answering), 6);
});

test('[W27] a summary is offered only where less than all would be told', () => {
  const reseeded = { kind: 'reseeded', messages: 18, of: 24, tokens: 1 } as const;
  assert.equal(canSummarise(reseeded), true);
  assert.equal(canSummarise({ ...reseeded, messages: 24 }), false);
  assert.equal(canSummarise({ kind: 'fresh' }), false);
  assert.equal(canSummarise({ kind: 'remembers' }), false);
});

const base: Message = { id: 'a', session: 's', parent: null, role: 'assistant', created: 0, blocks: [] };

test('[W14] a message that has no end and does not run is interrupted', () => {
  const end = (reason: string, detail?: string) => ({ reason, at: 0, ...(detail && { detail }) }) as MessageEnd;
  const rows: readonly (readonly [Message, boolean, string | undefined])[] = [
    [base, true, undefined],
    [base, false, 'Interrupted: the window closed before the agent finished. Everything that arrived is here.'],
    [{ ...base, role: 'user' }, false, undefined],
    [{ ...base, end: end('end_turn') }, false, undefined],
    [{ ...base, end: end('cancelled') }, false, 'Stopped by you'],
    [{ ...base, end: end('failed', 'code 1\n\u001b[31mout') }, false, 'Failed: code 1 out'],
    [{ ...base, end: end('max_tokens') }, false, 'The answer reached the longest that the agent may write'],
    [{ ...base, end: end('something_new') }, false, 'Ended: something_new'],
  ];
  for (const [message, running, expected] of rows) assert.equal(endingOf(message, running)?.words, expected);
});

test('[W15] the name of an article begins with who speaks', () => {
  assert.equal(articleName({ ...base, role: 'user' }, 'Scout', 3), 'You, message 3');
  assert.equal(articleName(base, 'Scout', 4), 'Scout, message 4');
  assert.equal(articleName({ ...base, agent: { id: 'c', name: 'Other\n' } }, 'Scout', 4), 'Other, message 4');
});

test('[W16] a tool line has its verb once', () => {
  const rows = [
    ['read', 'main.ts', 'Read', 'main.ts'],
    ['read', 'Read main.ts', 'Read', 'main.ts'],
    ['search', 'Search for “x”', 'Search', 'for “x”'],
    ['execute', 'npm test\n--all', 'Run', 'npm test --all'],
    ['other', 'Do a thing', '', 'Do a thing'],
    ['nobody_knows', 'x', '', 'x'],
  ] as const;
  for (const [tool, title, verb, rest] of rows) assert.deepEqual(toolWords(tool, title), [verb, rest]);
  assert.deepEqual(toolWords('edit', 'Write main.go'), ['Write', 'main.go']);
  assert.deepEqual(toolWords('search', 'List src'), ['List', 'src']);
});

test('[W16] what a tool gave back is shown, and what is cut says how much', () => {
  assert.deepEqual(shownOutput({ type: 'content', content: { type: 'text', text: 'a\u001b[1mb' } }), {
    kind: 'text',
    text: 'ab',
  });
  assert.deepEqual(shownOutput({ type: 'terminal', terminalId: 't' }), {
    kind: 'text',
    text: '{\n  "type": "terminal",\n  "terminalId": "t"\n}',
  });
  assert.match(shownInput('x'.repeat(20_007)), /\n… 7 more characters$/);
  assert.deepEqual(diffLines('a\nb\nc\n', 'a\nB\nc\n'), [
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'B' },
    { kind: 'same', text: 'c' },
  ]);
});

test('[W15] a span reads like one', () => {
  assert.deepEqual([200, 41_000, 125_000].map(spanOf), ['', '41 s', '2 min 5 s']);
});
