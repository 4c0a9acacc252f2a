// What counts as another look of the panel, and what is only another font.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, read, written, type Line } from '../../e2e/layout.ts';

const golden = `h1 "Leak"	first	4	20
button "New session"	beside	84	11
p "The goroutines"	below	4	4
button "Allow once"
button "Reject"
ul "Commands"	above	3	3
textarea "Message"	below	4	4
`;

function change(from: string | RegExp, to: string): readonly string[] {
  return differences(read(golden), read(golden.replace(from, to)));
}

test('[W85] lines are read as they were written', () => {
  assert.equal(written(read(golden)), golden);
  assert.deepEqual(differences(read(golden), read(golden)), []);
});

const rows: readonly (readonly [what: string, from: string | RegExp, to: string, found: readonly string[]])[] = [
  ['a wider font', '84	11', '70	14', []],
  ['what is not there any more', /button "Reject"\n/, '', ['missing: button "Reject"']],
  ['what is new', 'p "The', 'p "More"	below	4	4\np "The', ['new: p "More"']],
  [
    'what has lost its place above the box',
    'ul "Commands"	above',
    'ul "Commands"	below',
    ['ul "Commands" stands below and not above'],
  ],
  ['the other edge', '84	11', '11	84', ['button "New session" is at 11 and 84 and not at 84 and 11']],
  [
    'what fills no row any more',
    'below	4	4\nbutton',
    'below	40	40\nbutton',
    ['p "The goroutines" is at 40 and 40 and not at 4 and 4'],
  ],
];
for (const [what, from, to, found] of rows) {
  test(`[W85] ${what}: ${found.length === 0 ? 'the same' : 'a difference'}`, () =>
    assert.deepEqual(change(from, to), found));
}

test('[W85] two that have changed places are both told', () => {
  const lines: readonly Line[] = read(golden);
  const [first, second, ...rest] = lines;
  assert.ok(first && second);
  assert.notDeepEqual(differences(lines, [second, first, ...rest]), []);
});
