// What agents may not do to the screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLine, cleanText } from '../../../src/webview/transcript/cleanText.ts';

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

test('[W5] a megabyte is cleaned at once', () => {
  for (const seed of ['\u001b]', '\u009d', '\u001b[', '\u001b[1;', '\u202e', '\u{e0061}', '\r']) {
    const text = seed.repeat(1_000_000 / seed.length);
    const started = performance.now();
    cleanText(text);
    assert.ok(performance.now() - started < 1000, JSON.stringify(seed));
  }
});
