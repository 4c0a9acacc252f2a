// Markdown to vnodes: what must show, and what must never come to be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedLink } from '../../../src/model/links.ts';
import { definitionsIn, lexPiece } from '../../../src/webview/markdown/lex.ts';
import { cutPieces } from '../../../src/webview/markdown/pieces.ts';
import { mendTail } from '../../../src/webview/markdown/mend.ts';
import { renderTokens } from '../../../src/webview/markdown/render.ts';
import { assertLinear, processorTime } from '../support/growth.ts';
import { written } from './vnodes.ts';

function check(markdown: string, expected: string) {
  assert.equal(written(renderTokens(lexPiece(markdown, '', false), () => undefined)), expected, markdown);
}

test('[W2] raw HTML shows as text', () => {
  check('a <b>x</b>', '<p>a <b>x</b></p>');
  check('<script>alert(1)</script>', '<p class="rawHtml"><script>alert(1)</script></p>');
  check('<img src=x onerror=alert(1)>', '<p class="rawHtml"><img src=x onerror=alert(1)></p>');
  check('<svg onload="x">\n</svg>', '<p class="rawHtml"><svg onload="x">\n</svg></p>');
  check('a<br>b', '<p>a<br></br>b</p>');
  // Not the text of an element, the element: no vnode has one of these as its type.
  const types = new Set<unknown>();
  const walk = (node: unknown) => {
    if (Array.isArray(node)) for (const each of node) walk(each);
    else if (typeof node === 'object' && node !== null && 'type' in node && 'props' in node) {
      types.add(node.type);
      walk((node.props as { readonly children?: unknown }).children);
    }
  };
  walk(renderTokens(lexPiece('<b>x</b> <img src=x>\n\n<iframe src=x></iframe>', '', false), () => undefined));
  assert.deepEqual([...types], ['p']);
});

test('[W3] an image never loads', () => {
  const placeholder = (words: string, host: string) =>
    `<p><span class="image"><span>${words}</span>${host && `<span class="dim">${host}</span>`}</span></p>`;
  check('![a plan](https://evil.example/x.png?q=1)', placeholder('a plan', 'evil.example'));
  check('![](http://evil.example:8080/x)', placeholder('Image', 'evil.example:8080'));
  check('![a][r]\n\n[r]: https://evil.example/r.png', placeholder('a', 'evil.example'));
  check('![a](data:image/svg+xml;base64,AAAA)', placeholder('a', 'data'));
  check('![a](local.png)', placeholder('a', ''));
});

test('[W4] only https, http and mailto become links', () => {
  const link = (url: string, words: string) => `<p><a href="${url}">${words}</a></p>`;
  const dead = (words: string) => `<p><span class="deadLink">${words}</span></p>`;
  check('[a](https://x.example/p?q=1)', link('https://x.example/p?q=1', 'a'));
  check('https://x.example/a', link('https://x.example/a', 'https://x.example/a'));
  check('[a](mailto:a@x.example)', link('mailto:a@x.example', 'a'));
  check('[a](https://x.example/?a=1&amp;b=2)', link('https://x.example/?a=1&b=2', 'a'));
  check('[a](javascript:alert(1))', dead('a'));
  check('[a](JaVaScRiPt:alert(1))', dead('a'));
  check('[a](java&#x73;cript:alert(1))', dead('a'));
  check('[a](<java&#10;script:alert(1)>)', dead('a'));
  check('[a](command:workbench.action.quit)', dead('a'));
  check('[a](vscode://x/y)', dead('a'));
  check('[a](data:text/html,x)', dead('a'));
  check('[a](file:///etc/passwd)', dead('a'));
  check('[a](#part)', dead('a'));
  check('[a](https://bank.example@evil.example/)', dead('a'));
  // A URL parser reads another address than the person does: it drops a tab, and takes a backslash for a slash.
  for (const address of ['https:\t//x.example/', 'https://x.example/\na', 'https:\\\\x.example\\a'])
    assert.equal(allowedLink(address), undefined, JSON.stringify(address));
});

test('[W7] all that CommonMark and GFM have is shown', () => {
  check('# a\n\n###### b', '<h3 class="heading level1">a</h3><h6 class="heading level6">b</h6>');
  check('*a* **b** ~~c~~ `d` \\*', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code> *</p>');
  check('a  \nb', '<p>a<br></br>b</p>');
  check('> a', '<blockquote><p>a</p></blockquote>');
  check('3. a\n4. b', '<ol start=3 class="tight"><li>a</li><li>b</li></ol>');
  check('- a\n  - b', '<ul class="tight"><li>a<ul class="tight"><li>b</li></ul></li></ul>');
  check(
    '- [x] a\n- [ ] b',
    '<ul class="tight"><li class="task"><span class="checkbox" aria-label="Done"></span>a</li>' +
      '<li class="task"><span class="checkbox" aria-label="To do"></span>b</li></ul>',
  );
  check(
    '|a|b|\n|:-|-:|\n|1|2|',
    '<div class="tableFrame" aria-label="Table"><table><thead><tr><th class="align-left">a</th><th class="align-right">b</th></tr></thead>' +
      '<tbody><tr><td class="align-left">1</td><td class="align-right">2</td></tr></tbody></table></div>',
  );
  check('```ts x\na\n```', '<CodeBlock code="a" language="ts"></CodeBlock>');
  check('    a', '<CodeBlock code="a" language=""></CodeBlock>');
  check('a\n\n---\n\nb', '<p>a</p><hr></hr><p>b</p>');
  check('&copy; &#8212; &nosuch; &constructor; a&b', '<p>© — &nosuch; &constructor; a&b</p>');
  check('[a][r] [b][gone]\n\n[r]: https://x.example/', '<p><a href="https://x.example/">a</a> [b][gone]</p>');
});

test('[W97] names of files are there to be opened where they are words of their own, and no letter is lost', () => {
  const files = ['src/a.ts', 'src/a.ts:12', 'b.md'];
  const drawn = (text: string) => written(renderTokens(lexPiece(text, '', false, files), () => undefined));
  const rows: readonly (readonly [text: string, page: string])[] = [
    ['see src/a.ts:12, b.md.', 'see {src/a.ts:12}, {b.md}.'],
    ['`src/a.ts` `cat b.md` **b.md**', '{src/a.ts} <code>cat b.md</code> <strong>{b.md}</strong>'],
    ['src/a.tsx src/a.ts:120 xb.md a/b.md b.md.bak', 'src/a.tsx src/a.ts:120 xb.md a/b.md b.md.bak'],
    ['<b>b.md</b> &amp; src/a.ts', '<b>{b.md}</b> & {src/a.ts}'],
    ['[b.md](https://x.example/)', '<a href="https://x.example/">b.md</a>'],
  ];
  const isName = /<FileName><\/FileName>/g;
  for (const [text, page] of rows) {
    const names = Array.from(page.matchAll(/\{(.*?)\}/g), ([, name]) => name);
    let at = 0;
    assert.equal(
      drawn(text).replace(isName, () => `{${names[at++]}}`),
      `<p>${page}</p>`,
      text,
    );
    const tokens = JSON.stringify(lexPiece(text, '', false, files));
    assert.deepEqual(
      Array.from(tokens.matchAll(/"type":"place","raw":"([^"]+)"/g), ([, name]) => name),
      names,
    );
  }
  assert.match(JSON.stringify(lexPiece('`b.md`', '', false, files)), /"words":"b.md","isCode":true/);
});

test('[W5] a character reference brings no control character back', () => {
  check('a&#27;[31mb&#x202e;c&#0;d', '<p>ab⟦U+202E⟧c\ufffdd</p>');
  check('a&#27;[31mb&amp;&#x202e;', '<p>ab&⟦U+202E⟧</p>');
  check('[a](https://x.example/&#x202e;b)', '<p><a href="https://x.example/%E2%9F%A6U+202E%E2%9F%A7b">a</a></p>');
});

test('[W8] a text that grows keeps its finished pieces', () => {
  const texts = [
    '# A\n\npara one\nstill one\n\n- a\n\n- b\n\nafter\n\n```js\nlet a;\n\nlet b;\n```\nnext\n\n1. x\n\n   y\n\n2. z\n',
    'a\n\n````md\n```\ninner\n```\n````\n\n> q\n\n> r\n\n<div>\n```\n</div>\n\nend',
    'a\r\n\r\nb\n~~~\nopen',
  ];
  for (const text of texts) {
    let before = cutPieces('');
    for (let length = 1; length <= text.length; length++) {
      const now = cutPieces(text.slice(0, length), before);
      assert.deepEqual(now, cutPieces(text.slice(0, length)), 'in steps as at once');
      assert.equal(now.map(piece => piece.raw).join(''), text.slice(0, length), 'nothing is lost');
      for (const [at, piece] of before.slice(0, -2).entries()) assert.equal(now[at], piece, 'the same piece');
      before = now;
    }
  }
});

test('[W8] pieces are cut where nothing goes on', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['a\n\nb', ['a\n\n', 'b']],
    ['a\n\n  b', ['a\n\n  b']],
    ['- a\n\n- b\n\nc', ['- a\n\n- b\n\n', 'c']],
    ['- a\n\n  ```\n  x\n\n  y\n  ```\n- b', ['- a\n\n  ```\n  x\n\n  y\n  ```\n- b']],
    ['a\n```\nx\n\ny\n```\nb', ['a\n', '```\nx\n\ny\n```\n', 'b']],
    ['```\nopen\n\nstill', ['```\nopen\n\nstill']],
    ['a\n===\n\nb', ['a\n===\n\n', 'b']],
  ];
  for (const [text, expected] of rows)
    assert.deepEqual(
      cutPieces(text).map(piece => piece.raw),
      expected,
      text,
    );
});

test('[W9] a megabyte of hostile text is cut and lexed in bounded time', () => {
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');
  const draw = (raw: string) => void renderTokens(lexPiece(raw, '', false), () => undefined);
  const seeds = [
    '*',
    '*a',
    '*a ',
    '_a ',
    '[',
    '[a](',
    '![',
    '`',
    '` ``',
    '>',
    '> ',
    '- ',
    '<',
    '<a ',
    '&',
    '\\',
    '~',
    '|',
    'a\n',
    '\n',
    ' ',
    '\t',
  ];
  const texts: readonly ((size: number) => string)[] = [
    ...seeds.map(seed => (size: number) => seed.repeat(size / seed.length)),
    ...['> ', '  - ', '1. ', '\t* '].map(
      seed => (size: number) => lines(Math.sqrt((2 * size) / seed.length), at => `${seed.repeat(at)}a`),
    ),
    size => '[a]: <b>\n'.repeat(size / 9),
    size => lines(size / 25, at => `[a${at}]: /b${at}\n`),
    size => '[a\n]: (\n\n'.repeat(size / 10),
    size => '```\n'.repeat(size / 4),
    size => `| a ${'| b '.repeat(200)}|\n|${'-|'.repeat(201)}\n${`| c ${'| d '.repeat(200)}|\n`.repeat(size / 806)}`,
  ];
  // A paragraph as long as a piece may be.
  const paragraph = 'Some words of a plain paragraph. '.repeat(480);
  const hundred = processorTime(() => {
    for (let n = 0; n < 100; n++) draw(paragraph);
  });
  for (const text of texts) {
    const name = JSON.stringify(text(100).slice(0, 12));
    assertLinear(name, 1_000_000, size => void definitionsIn(cutPieces(text(size))));
    const pieces = cutPieces(text(1_000_000));
    assert.equal(pieces.map(piece => piece.raw).join(''), text(1_000_000), name);
    const times = pieces
      .slice(0, 60)
      .flatMap(({ kind, raw }) => (kind === 'markdown' ? [processorTime(() => draw(raw))] : []));
    const slowest = Math.max(0, ...times);
    assert.ok(slowest < hundred, `${name}: a piece takes ${slowest} µs, a hundred plain ones ${hundred} µs`);
  }
});

test('[W70] a line without an end is cut at a space, as it comes as at once', () => {
  const words = 'a line that does not end, '.repeat(1500);
  const letters = 'x'.repeat(30_000);
  const pairs = '\u{1f600}'.repeat(9000);
  for (const line of [words, letters, pairs, `- ${words}`, `\`\`\`${letters}`, `${'| '.repeat(9000)}`]) {
    const text = `before\n\n${line}\nafter *it*\n\nend`;
    const name = JSON.stringify(line.slice(0, 12));
    let before = cutPieces('');
    for (let length = 0; length < text.length + 997; length += 997) {
      before = cutPieces(text.slice(0, length), before);
      assert.deepEqual(before, cutPieces(text.slice(0, length)), `${name} in steps as at once`);
    }
    assert.equal(before.map(piece => piece.raw).join(''), text, name);
    const cut = before.filter(piece => piece.kind === 'plain');
    assert.ok(cut.length > 2 && cut.every(({ raw }) => raw.length <= 8000), `${name} is cut`);
    // What follows is formatted again, and no letter is cut in two.
    assert.equal(before.at(-1)?.kind, 'markdown', name);
    assert.ok(
      before.every(({ raw }) => raw.isWellFormed()),
      name,
    );
    assert.deepEqual(
      cut.map(({ inLine }) => inLine ?? false),
      cut.map((_, at) => at > 0),
      name,
    );
  }
});

test('[W8] the unfinished end is mended', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['a **b', 'a **b**'],
    ['**b', '**b**'],
    ['[a](https://x', 'a'],
    ['words\n\n**b', 'words\n\n**b**'],
    ['words\n- **b', 'words\n- **b**'],
    ['a **b c* d', 'a **b c* d**'],
    ['a *b **c', 'a *b **c***'],
    ['a `b', 'a `b`'],
    ['a `**b', 'a `**b`'],
    ['a **', 'a '],
    ['a **b ', 'a **b** '],
    ['a ~~b', 'a ~~b~~'],
    ['snake_case_', 'snake_case_'],
    ['2 * 3', '2 * 3'],
    ['* a', '* a'],
    ['a \\*b', 'a \\*b'],
    ['see [the docs](https://x', 'see the docs'],
    ['see [the docs](https://x)', 'see [the docs](https://x)'],
    ['[one](https://x) [two](https://x', '[one](https://x) two'],
    ['see [the docs](https://x/?a[b', 'see the docs'],
    ['an ![image](https://x', 'an '],
    ['an ![image]', 'an '],
    ['[![image](https://x', '['],
    ['[link [inner](https://x', '[link inner'],
    ['words\n-', 'words\n'],
    ['words\n  ==  ', 'words\n'],
    [' \n-', ' \n-'],
    ['**a\n\nb', '**a\n\nb'],
  ];
  for (const [text, expected] of rows) assert.equal(mendTail(text), expected, text);
});

test('[W9] the end of a hostile text is mended in time in step with its length', () => {
  for (const seed of ['a', ' ', 'a ', '*a', '_a ', '[', '![', '[a](', '[a', '`', '~~', '\\', '= ', '-\n', 'a\n', ' \n'])
    assertLinear(JSON.stringify(seed), 200_000, size => {
      const tail = seed.repeat(size / seed.length);
      for (const end of ['', 'b', '\n=']) mendTail(`${tail}${end}`);
    });
});
