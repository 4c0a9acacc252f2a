// Text from outside in VS Code's own user interface: no link, icon, line break or hidden character comes through.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLine, documentName, exactLine, limits } from '../../../src/host/notify/outsideText.ts';

/** The patterns of VS Code 1.139 for links in notifications and input prompts, and for icons anywhere. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

const command = 'command:workbench.action.terminal.sendSequence?{"text":"id\\u000a"}';
const links = [
  `Cleanup notes [Undo](${command})`,
  `[Undo](${command} "title")`,
  `[Undo](${command} 'title')`,
  '[a](https://evil.example)',
  '[a](HTTP://evil.example)',
  '[a](file:///etc/passwd)',
  '[a](COMMAND:x)',
  `[[[a](${command})](${command})`,
  `[a]\n(${command})`,
  // What is removed between the brackets must not bring them together.
  ...['\u0000', '\u200b', '\u2060', '\u00ad', '\ufeff', '\u{e0041}', '\u001b[31m', '\u202e', '\ud800'].map(
    hidden => `[Undo]${hidden}(${command})`,
  ),
  `[Un\u001b]8;;x\u0007do](${command})`,
];

const both = [cleanLine, exactLine] as const;

test('[H124] text from outside leaves no link and no icon that VS Code would make', () => {
  const texts = [...links, ...links.map(one => `“${one}” and ${one}`)];
  const icons = ['$(trash)', '\\$(trash)', '$(loading~spin)', '$\u200b(trash)', '$\u001b[0m(trash)', '$($(a))'];
  for (const clean of both) {
    for (const text of texts) assert.deepEqual([...clean(text).matchAll(link)], [], JSON.stringify(text));
    for (const text of icons) assert.deepEqual([...clean(text).matchAll(icon)], [], JSON.stringify(text));
  }
});

test('[H124] what is cleaned twice is as clean as before', () => {
  for (const text of [...links, '[a](b) $(c)']) assert.equal(cleanLine(cleanLine(text)), cleanLine(text));
  assert.equal(cleanLine('[a](b) $(c)').replaceAll('\u2060', ''), '[a](b) $(c)');
});

test('[H124] text from outside is one line without a hidden character', () => {
  const hidden =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u00ad\u3164\u2800]/u;
  const tags = /[\u{e0000}-\u{e0fff}]/u;
  for (const clean of both) {
    // All of the first plane, and the one of tags and variation selectors.
    for (let code = 0; code <= 0xe0fff; code = code === 0xffff ? 0xe0000 : code + 1) {
      const shown = clean(`a${String.fromCodePoint(code)}b`);
      assert.ok(!hidden.test(shown) && !tags.test(shown), code.toString(16));
    }
    assert.doesNotMatch(clean('a\r\nb\nc\rd\u2028e\u2029f\u0085g\vh\fi'), hidden);
  }
});

test('[H124] letters and pictures of every language stay as they are', () => {
  const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  const emoji = [england, '👩‍👩‍👧‍👦', '👍🏽', '❤️', '#️⃣', '🇩🇪'];
  for (const clean of both) {
    for (const text of [...emoji, 'שלום', 'مرحبا', 'می\u200cخواهم', 'क्\u200dष', '日本語', 'e\u0301'])
      assert.equal(clean(text), text);
  }
});

test('[H124] a long text loses its middle, so that our words at its ends stay', () => {
  for (const clean of both) {
    for (const filling of [
      'x'.repeat(5_000_000),
      '👍'.repeat(100_000),
      '\u200b'.repeat(5_000_000),
      '[]('.repeat(99_999),
    ]) {
      const shown = clean(`Moved “${filling}” to the trash.`, limits.line);
      assert.ok(shown.startsWith('Moved “') && shown.endsWith('” to the trash.'), shown);
      assert.ok(shown.length <= 1.5 * limits.line && shown.isWellFormed(), shown);
    }
  }
  // Of what is longer still, only the ends are looked through.
  const gap = ' '.repeat(100_000);
  for (const clean of both) {
    const shown = clean(`before${gap}middle${gap}after`);
    assert.ok(/^before.*….*after$/.test(shown) && !shown.includes('middle'), shown);
  }
  // VS Code cuts its notifications itself, at their end.
  assert.ok(cleanLine('$('.repeat(5000)).length < 1000);
});

test('[H124] cleanLine takes away what is hidden, and puts a space for a line break', () => {
  assert.equal(cleanLine('  a\u202e\u200bb\n\n \tc\u3000\u00a0 \u2800d '), 'ab c d');
  assert.equal(cleanLine('a \u200b \u2060 b'), 'a b');
  assert.equal(
    cleanLine('\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007'),
    'red link',
  );
});

test('[H124] exactLine shows what is hidden by its number, and takes nothing away', () => {
  assert.equal(exactLine('a\u202eb\u200b\u001b[31m\nc'), 'a⟦U+202E⟧b⟦U+200B⟧⟦U+001B⟧[31m ⏎ c');
  for (const space of [' ', '\t', '\u00a0', '\u2003', '\u3000'])
    assert.equal(exactLine(`rm${space.repeat(300)}-rf`), 'rm ⟦300 spaces⟧ -rf');
  assert.equal(exactLine('x\u{e0041}\ud800'), 'x⟦U+E0041⟧⟦U+D800⟧');
});

test('[H124] a document with a name from outside is in no folder and makes no icon', () => {
  assert.equal(documentName('../a\\b: $(trash)\n', 'Tool'), '.. a b $\u2060(trash)');
  assert.equal(documentName(' \u202e/ ', 'Tool'), 'Tool');
  assert.ok(documentName('x'.repeat(1000), 'Tool').length <= limits.name);
});
