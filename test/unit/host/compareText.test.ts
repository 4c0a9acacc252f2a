// Two branches as two texts, without VS Code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TreeNode } from '../../../src/core/history/history.ts';
import { comparedText, comparedWith } from '../../../src/host/sessions/compareText.ts';
import type { Message } from '../../../src/model/message.ts';

const node = (id: string, parent: string | null, created: number): TreeNode => ({
  id,
  parent,
  role: 'user',
  created,
  label: null,
  preview: id,
  trashed: false,
  name: null,
  note: null,
});
const said = (id: string): Message => ({
  id,
  session: 's',
  parent: null,
  role: 'user',
  created: 1,
  blocks: [{ kind: 'text', mime: 'text/markdown', text: `words of ${id}` }],
  end: { reason: 'end_turn', at: 1 },
});

const tree = [node('a', null, 1), node('b', 'a', 2), node('c', 'b', 3), node('d', 'b', 4), node('e', 'd', 5)];
const rows: readonly (readonly [string, string, { same: number; ids: readonly string[] } | null])[] = [
  ['c', 'e', { same: 2, ids: ['c'] }],
  ['e', 'c', { same: 2, ids: ['d', 'e'] }],
  // It grew since it was chosen.
  ['d', 'c', { same: 2, ids: ['d', 'e'] }],
  ['gone', 'c', null],
  ['c', 'gone', null],
];

test('[H97] each side goes on from where they part, to the end that its branch has now', () => {
  for (const [leaf, other, compared] of rows) assert.deepEqual(comparedWith(tree, leaf, other), compared);
  const apart = [node('a', null, 1), node('b', null, 2)];
  assert.deepEqual(comparedWith(apart, 'b', 'a'), { same: 0, ids: ['b'] });
});

test('[H97] the first line says how many messages are the same', () => {
  const first = (same: number) => comparedText({ same, ids: [] }, [said('x')]).split('\n')[0];
  assert.equal(first(0), '_The branches have no message in common._');
  assert.equal(first(1), '_The first message is the same. From there:_');
  assert.equal(first(4), '_The first 4 messages are the same. From there:_');
  assert.match(comparedText({ same: 1, ids: ['x'] }, [said('x')]), /\n\n## You\n\nwords of x\n$/);
  assert.match(comparedText({ same: 1, ids: [] }, []), /_Nothing more was said\._\n$/);
});
