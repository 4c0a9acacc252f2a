// What a person chose to go with a prompt, as words and as the block that it becomes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesOf,
  largestText,
  problemOf,
  selectionOf,
  sessionOf,
  terminalOf,
  tooMuch,
} from '../../../src/host/adding/chosenText.ts';
import { attachmentOf, isWholeFile } from '../../../src/model/attachment.ts';

const problem = {
  path: 'orders/a b.go',
  name: 'a b.go',
  line: 9,
  severity: 'Error',
  message: 'not\ngood',
  source: 'go',
  code: '',
  around: { from: 8, lines: ['x', 'y', 'z'] },
} as const;

test('[H71] the name of what was chosen says what it is, and its address which kind', () => {
  const lines = (from: number, to: number) => selectionOf('file:///w/main.go', 'main.go', { from, to }, 'text');
  const rows = [
    [lines(12, 20), 'main.go:12-20', 'selection'],
    [lines(3, 3), 'main.go:3', 'selection'],
    [selectionOf('untitled:Untitled-1', 'Untitled-1', { from: 1, to: 2 }, 'x'), 'Untitled-1:1-2', 'selection'],
    [problemOf(problem), 'Problem in a b.go:9', 'problem'],
    [terminalOf('bash', 'x'), 'Terminal', 'terminal'],
    [changesOf(['orders/main.go'], 'x'), 'Changes in main.go', 'changes'],
    [changesOf(['a.go', 'b.go'], 'x'), 'Changes in 2 files', 'changes'],
    [sessionOf('abcdefghjkmn', 'Retry/it?'), 'Retry/it?', 'session'],
  ] as const;
  for (const [block, name, kind] of rows) {
    const shown = attachmentOf({ id: 'i', block });
    assert.deepEqual([shown.name, shown.kind], [name, kind]);
    assert.equal(isWholeFile(block.uri), false, block.uri);
    assert.ok(URL.canParse(block.uri), block.uri);
  }
  assert.equal(lines(12, 20).uri, 'file:///w/main.go#L12-20');
  assert.equal(isWholeFile('file:///w/a%23b.go'), true);
});

test('[H71] a problem is told with its place, its author and the lines around it', () => {
  assert.equal(problemOf(problem).text, 'Error in orders/a b.go, line 9 (go):\nnot\ngood\n\n 8  x\n 9  y\n10  z');
  assert.equal(
    problemOf({ ...problem, source: '', around: { from: 1, lines: [] } }).text,
    'Error in orders/a b.go, line 9:\nnot\ngood',
  );
});

test('[H71] more than 256 KB is said to be too much', () => {
  assert.equal(tooMuch('x', 'a'.repeat(largestText)), null);
  assert.match(tooMuch('x', 'é'.repeat(largestText)) ?? '', /“x” was not added: it is 512 KB, and at most 256 KB/);
});
