// Which pages of a conversation there are, and which of them are always drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesPerPage as perPage } from '../../../src/model/portions.ts';
import { cutIntoPages, firstAtOnce, spareOf } from '../../../src/webview/transcript/paging.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

test('[W71] pages together are the conversation, and one that did not change is the same as before', () => {
  const messages = numbers(perPage * 3 + 5);
  const none = { first: 0, pages: [] };
  const before = cutIntoPages(messages, 0, none);
  assert.deepEqual(before.pages.flat(), messages);
  assert.deepEqual(
    before.pages.map(page => page.length),
    [perPage, perPage, perPage, 5],
  );
  const rows: readonly (readonly [string, readonly { at: number }[], readonly number[]])[] = [
    ['nothing changed', [...messages], [0, 1, 2, 3]],
    ['one more', [...messages, { at: -1 }], [0, 1, 2]],
    ['the last one grew', [...messages.slice(0, -1), { at: -1 }], [0, 1, 2]],
    ['one in the middle changed', messages.with(perPage + 1, { at: -1 }), [0, 2, 3]],
    ['a shorter path', messages.slice(0, perPage * 2), [0, 1]],
    ['half a page', messages.slice(0, perPage + 1), [0]],
    ['nothing', [], []],
  ];
  for (const [name, now, same] of rows) {
    const { pages } = cutIntoPages(now, 0, before);
    assert.deepEqual(pages.flat(), now, name);
    assert.deepEqual(
      pages.flatMap((page, at) => (page === before.pages[at] ? [at] : [])),
      same,
      name,
    );
  }
  // What comes before is there later; the pages that were there stay.
  const end = cutIntoPages(messages.slice(perPage * 2), perPage * 2, none);
  const whole = cutIntoPages(messages, 0, end);
  assert.equal(end.first, 2);
  assert.deepEqual(whole.pages.flat(), messages);
  assert.equal(whole.pages[2], end.pages[0]);
  assert.equal(cutIntoPages(messages.slice(perPage), perPage, whole).pages[0], whole.pages[1]);
});

test('[W71] of what is far from all that is drawn nothing is kept', () => {
  const rows: readonly (readonly [count: number, earlier: number, drawn: readonly number[], spare: number | null])[] = [
    [10_000, 9960, [], null],
    [10_000, 9700, [], null],
    [10_000, 0, [], 9760],
    [10_000, 0, [400], 7800],
    [10_000, 0, [3, 400], null],
    [10_000, 0, [40], 600],
    [700, 0, [], 460],
  ];
  for (const [count, earlier, drawn, spare] of rows)
    assert.equal(spareOf(count, earlier, new Set(drawn)), spare, `${count} ${earlier} ${drawn.join()}`);
});

test('[W71] the newest messages are always drawn', () => {
  for (const count of [0, 1, 20, 30, 31, 50, 600, 10_000]) {
    const first = firstAtOnce(count) * perPage;
    assert.ok(first <= Math.max(0, count - 30), `${count} from ${first}`);
    assert.ok(count - first <= 30 + perPage, `${count} from ${first}, and not many more`);
  }
});
