// Markdown as the specifications have it: every example of CommonMark, whole and in every prefix, and what GFM adds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { h, type ComponentChild } from 'preact';
import { CodeBlock } from '../../../src/webview/markdown/codeBlock.ts';
import { definitionsIn, languageOf, lexPiece } from '../../../src/webview/markdown/lex.ts';
import { cutPieces, type Piece } from '../../../src/webview/markdown/pieces.ts';
import { renderTokens } from '../../../src/webview/markdown/render.ts';
import { examples, flat, treeOfHtml, treeOfVnodes, unescaped, type Example } from './commonmark.ts';

/** Where the page differs on purpose, what it has in place of what the specification wants, and why. */
const others: ReadonlyMap<number, readonly [page: string, why: string]> = new Map([
  [602, ['<p><<a to="https://foo.bar/baz">https://foo.bar/baz</a> bim></p>', 'GFM: a bare address is a link']],
  [608, ['<p>< <a to="https://foo.bar/">https://foo.bar</a> ></p>', 'GFM: a bare address is a link']],
  [611, ['<p><a to="https://example.com/">https://example.com</a></p>', 'GFM: a bare address is a link']],
  [612, ['<p><a to="mailto:foo@bar.example.com">foo@bar.example.com</a></p>', 'GFM: a bare address of mail is a link']],
]);

const all = examples();

test('[W90] every example of CommonMark without raw HTML is drawn as the tree that the specification expects', () => {
  assert.equal(all.length, 652);
  const plain = all.filter(example => !hasRawHtml(example));
  assert.ok(plain.length > 570, `${plain.length} examples without raw HTML`);
  for (const example of plain) {
    const [page] = others.get(example.number) ?? [];
    const wanted = flat(treeOfHtml(example.html));
    if (page !== undefined) assert.notEqual(page, wanted, `${example.number} is an exception no more`);
    assert.equal(flat(treeOfVnodes(drawn(example.markdown))), page ?? wanted, about(example));
  }
});

test('[W90] raw HTML of the examples of CommonMark stands there letter by letter, and nothing else is changed by it', () => {
  const raw = all.filter(hasRawHtml);
  assert.ok(raw.length > 60, `${raw.length} examples with raw HTML`);
  for (const example of raw) {
    // Where a paragraph of it begins is ours to say; the letters and the elements that markdown makes are not.
    const bare = (page: string) => page.replace(/<\/?p>|\s/g, '');
    assert.equal(bare(flat(treeOfVnodes(drawn(example.markdown)))), bare(unescaped(example.html)), about(example));
    for (const type of typesIn(drawn(example.markdown))) {
      if (typeof type === 'string') assert.ok(ours.has(type), `${about(example)}: there is an element <${type}>`);
    }
  }
});

test('[W91] every example of CommonMark, letter after letter, is drawn at every step and ends as if it had come at once', () => {
  for (const example of all) {
    let pieces: readonly Piece[] = [];
    for (let length = 0; length <= example.markdown.length; length++) {
      pieces = cutPieces(example.markdown.slice(0, length), pieces);
      drawnPieces(pieces, true);
    }
    const [streamed, whole] = [drawnPieces(pieces, false), drawn(example.markdown)];
    assert.deepEqual(treeOfVnodes(streamed), treeOfVnodes(whole), about(example));
  }
});

const table = (head: string, ...rows: readonly string[]) =>
  `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
const row = (...cells: readonly string[]) => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
const head = (...cells: readonly string[]) => `<tr>${cells.map(cell => `<th>${cell}</th>`).join('')}</tr>`;
const item = (state: string, inside: string) => `<ul><li><input ${state}></input>${inside}</li></ul>`;
const link = (to: string, words = to) => `<p><a to="${to}">${words}</a></p>`;

const gfm: readonly (readonly [markdown: string, page: string])[] = [
  ['| a | b |\n| - | - |\n| c | d |', table(head('a', 'b'), row('c', 'd'))],
  ['a | b\n:-: | -\nc', table(head('a', 'b'), row('c', ''))],
  ['| a | b |\n| - | - |\n| c | d | e |', table(head('a', 'b'), row('c', 'd'))],
  ['| a |\n| - |\n| `b \\| c` **d** \\| |', table(head('a'), row('<code>b | c</code> <strong>d</strong> |'))],
  ['| a |\n| - |\n| b |\n> c', `${table(head('a'), row('b'))}<blockquote><p>c</p></blockquote>`],
  ['| a |\n| - |\n| b |\n\nc', `${table(head('a'), row('b'))}<p>c</p>`],
  ['| a | b |\n| - |\n| c |', '<p>| a | b | | - | | c |</p>'],
  ['| a |\n| - |', table(head('a'))],
  ['- [ ] a', item('To do', 'a')],
  ['- [x] a', item('Done', 'a')],
  ['- [X] a', item('Done', 'a')],
  ['- [x]a', '<ul><li>[x]a</li></ul>'],
  ['- [ ] a\n  - [x] b', item('To do', `a${item('Done', 'b')}`)],
  ['~~a~~ ~b~', '<p><del>a</del> <del>b</del></p>'],
  ['~~a\n\nb~~', '<p>~~a</p><p>b~~</p>'],
  ['~~~a~~~', '<pre><code language="a~~~"></code></pre>'],
  ['a ~~~b~~~', '<p>a ~~~b~~~</p>'],
  ['www.x.example', link('http://www.x.example/', 'www.x.example')],
  ['https://x.example/a?b=c&d', link('https://x.example/a?b=c&d')],
  ['https://x.example/a.', `${link('https://x.example/a').slice(0, -4)}.</p>`],
  ['(https://x.example/(a))', `<p>(${link('https://x.example/(a)').slice(3, -4)})</p>`],
  ['https://x.example/a&lt;', `${link('https://x.example/a').slice(0, -4)}<</p>`],
  ['ftp://x.example/a', link('ftp://x.example/a')],
  ['a@x.example', link('mailto:a@x.example', 'a@x.example')],
  ['a@x-', '<p>a@x-</p>'],
];

test('[W90] tables, tasks, struck words and bare addresses are drawn as GFM has them', () => {
  for (const [markdown, page] of gfm) assert.equal(flat(treeOfVnodes(drawn(markdown))), page, markdown);
});

test('[W90] a definition counts for the whole text, the first of a name, and where it stands is no word of it', () => {
  const rows: readonly (readonly [markdown: string, page: string])[] = [
    [
      '[a]\n\nwords\n\n[a]: https://x.example/1\n\n[A]: https://x.example/2',
      `${link('https://x.example/1', 'a')}<p>words</p>`,
    ],
    ['[a]\n\n```\n[a]: https://x.example/\n```', '<p>[a]</p><pre><code>[a]: https://x.example/</code></pre>'],
    ['[__proto__]\n\n[__proto__]: https://x.example/', link('https://x.example/', '<strong>proto</strong>')],
    ['[constructor] [toString]', '<p>[constructor] [toString]</p>'],
    [
      '- b\n\n  [a]: https://x.example/\n\nc\n\n[a]',
      `<ul><li><p>b</p></li></ul><p>c</p>${link('https://x.example/', 'a')}`,
    ],
  ];
  for (const [markdown, page] of rows) assert.equal(flat(treeOfVnodes(drawn(markdown))), page, markdown);
});

const ours = new Set('p h3 h4 h5 h6 blockquote ul ol li hr br em strong del code a span svg path div'.split(' '));

function drawn(text: string): readonly ComponentChild[] {
  return drawnPieces(cutPieces(text), false);
}

/** As markdown.tsx draws them: definitions are looked for when the text is whole. */
function drawnPieces(pieces: readonly Piece[], running: boolean): readonly ComponentChild[] {
  const definitions = running ? '' : definitionsIn(pieces);
  return pieces.map(({ kind, raw, code = '', language = '' }, at) => {
    if (kind === 'code') return h(CodeBlock, { code, language: languageOf(language) });
    if (kind === 'plain') return h('p', null, raw);
    return renderTokens(lexPiece(raw, definitions, running && at === pieces.length - 1), () => undefined);
  });
}

function hasRawHtml({ markdown }: Example): boolean {
  const pieces = cutPieces(markdown);
  return pieces.some(
    ({ kind, raw }) =>
      kind === 'markdown' && JSON.stringify(lexPiece(raw, definitionsIn(pieces), false)).includes('"type":"html"'),
  );
}

function typesIn(child: unknown): readonly unknown[] {
  if (Array.isArray(child)) return child.flatMap(typesIn);
  if (typeof child !== 'object' || child === null || !('props' in child) || !('type' in child)) return [];
  return [child.type, ...typesIn((child.props as { readonly children?: unknown }).children)];
}

function about({ number, section, markdown }: Example): string {
  return `example ${number}, ${section}: ${JSON.stringify(markdown)}`;
}
