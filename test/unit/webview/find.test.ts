// Finding in a conversation: the words that a person reads, the hits in them, and which one is looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain, type Block, type Message } from '../../../src/model/message.ts';
import {
  begun,
  folded,
  foundWords,
  grown,
  hitsIn,
  mostHits,
  nothing,
  placesIn,
  stepped,
  type Hit,
} from '../../../src/webview/find/matcher.ts';
import { shownWords, type WordTools } from '../../../src/webview/find/shownWords.ts';
import { definitionsIn, languageOf, lexPiece } from '../../../src/webview/markdown/lex.ts';
import { nextOf } from '../../../src/webview/transcript/moves.ts';
import { wordTools } from '../../../src/webview/transcript/wordTools.ts';

const tools: WordTools = { ...wordTools, lexer: () => ({ lexPiece, definitionsIn, languageOf }) };

function message(blocks: readonly Block[], role: Message['role'] = 'assistant'): Message {
  return { id: 'm', session: 's', parent: null, role, created: 0, blocks };
}

function text(words: string, mime = 'text/markdown'): Block {
  return { kind: 'text', mime, text: words };
}

/** How often each query is in the block, as `where` tells it. */
function counts(block: Block, query: string): { readonly [where: string]: number } {
  const words = shownWords(tools).of(message([block]))[0] ?? [];
  const found: { [where: string]: number } = {};
  for (const { where } of hitsIn('m', 0, words, query)) found[where] = (found[where] ?? 0) + 1;
  return found;
}

test('[W61] a text that is folded keeps its length, and case does not count', () => {
  for (const one of ['Straße', 'İstanbul', 'ǅ Ω ﬀ', 'a\tb\u00a0c\nd', '👍 Ärger', 'ΑΣ'])
    assert.equal(folded(one).length, one.length, one);
  const rows: readonly (readonly [string, string, ...number[]])[] = [
    ['Orders and ORDERS', 'orders', 0, 11],
    ['aaaa', 'aa', 0, 2],
    ['a\tb', 'a b', 0],
    ['abc', ''],
    ['İx', 'x', 1],
    ['.*', '.*', 0],
  ];
  for (const [words, query, ...places] of rows) assert.deepEqual(placesIn(folded(words), folded(query)), places, words);
});

test('[W61] what is found are the words as they are read', () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ['a **bold** word', 'bold word', 1],
    ['a **bold** word', '**', 0],
    ['`code` here', 'code here', 1],
    ['[the link](https://x.example/hidden)', 'the link', 1],
    ['[the link](https://x.example/hidden)', 'hidden', 0],
    ['one\ntwo', 'one two', 1],
    ['one\n\ntwo', 'one two', 0],
    ['# Head\ntext', 'head text', 0],
    ['- one\n- two\n  - three', 'two', 1],
    ['| a | b |\n| - | - |\n| c | d |', 'c', 1],
    ['```ts\nconst one = 1;\n```', 'const one', 1],
    ['> quoted words', 'quoted words', 1],
    ['a &amp; b', 'a & b', 1],
    ['<b>x</b>', '<b>', 1],
    ['![a plan](https://x.example/p.png)', 'a plan', 1],
    ['one<br>two', 'onetwo', 0],
    ['Straße', 'straße', 1],
  ];
  for (const [words, query, times] of rows) assert.equal(counts(text(words), query)['words'] ?? 0, times, words);
  assert.deepEqual(counts(text('a **b**', plain), '**'), { words: 2 });
});

test('[W61] what is folded is found too', () => {
  const call: Block = {
    kind: 'toolCall',
    mime: 'application/json',
    callId: 'c',
    title: 'Read orders.go',
    tool: 'read',
    status: 'completed',
    locations: [],
    input: { path: 'orders.go' },
    output: [
      { type: 'content', content: { type: 'text', text: 'package orders' } },
      { type: 'diff', path: 'a.go', oldText: 'one', newText: 'orders' },
      { type: 'terminal', terminalId: 't', command: 'go test', output: '\u001b[31morders\u001b[0m failed\n' },
    ],
  };
  assert.deepEqual(counts(call, 'orders'), { line: 1, inside: 4 });
  assert.deepEqual(counts(call, 'orders failed'), { inside: 1 });
  assert.deepEqual(counts({ kind: 'thought', mime: 'text/markdown', text: 'I *think*' }, 'i think'), { inside: 1 });
  const summary = shownWords(tools).of(message([text('said **before**'), text('and after')], 'summary'));
  assert.deepEqual(
    hitsIn('m', 0, summary[0] ?? [], 'said before').map(({ where }) => where),
    ['inside'],
  );
});

test('[W61] a text that grows is found in as it is then', () => {
  const words = shownWords(tools);
  let long = '';
  for (let at = 0; at < 30; at++) {
    long += `Paragraph ${at} with **or`;
    words.of(message([text(long)]));
    long += 'ders** in it.\n\n';
    const [parts = []] = words.of(message([text(long)]));
    assert.equal(hitsIn('m', 0, parts, 'with orders in').length, at + 1);
  }
});

const hit = (name: string, nth = 0): Hit => ({ message: name, block: 0, where: 'words', nth });

test('[W62] which hit is looked at', () => {
  const hits = [hit('a'), hit('a', 1), hit('b'), hit('c')];
  const first = begun('x', hits, () => false);
  assert.equal(foundWords(first), '1 of 4');
  assert.equal(foundWords(begun('x', hits, ({ message }) => message === 'a')), '3 of 4', 'from where the person is');
  assert.equal(foundWords(begun('x', hits, () => true)), '1 of 4', 'around the end');
  assert.equal(foundWords(stepped(first, -1)), '4 of 4');
  assert.equal(foundWords(stepped(stepped(first, -1), 1)), '1 of 4');
  const third = stepped(stepped(first, 1), 1);
  assert.equal(foundWords(grown(third, [hit('z'), ...hits])), '4 of 5', 'the same one, with one more before it');
  assert.equal(foundWords(grown(third, [hit('a')])), '1 of 1', 'it is gone');
  assert.equal(foundWords(grown(third, [])), 'No results');
  assert.equal(foundWords(grown(grown(third, []), hits)), '1 of 4');
  assert.equal(
    foundWords(
      stepped(
        begun('x', [], () => false),
        1,
      ),
    ),
    'No results',
  );
  assert.equal(foundWords(nothing), '');
  const many = Array.from({ length: mostHits }, (_, nth) => hit('a', nth));
  assert.equal(foundWords(begun('x', many, () => false)), '1 of 10000+');
});

test('[W63] the next message of the person is the next one from where they are', () => {
  const mine = [0, 2, 4];
  const rows: readonly (readonly [by: -1 | 1, from: number, to: number | undefined])[] = [
    [-1, 6, 4],
    [-1, 4, 2],
    [-1, 4.5, 4],
    [-1, 0, undefined],
    [1, 0, 2],
    [1, 1, 2],
    [1, 4, undefined],
  ];
  for (const [by, from, to] of rows) assert.equal(nextOf(mine, by, from), to, `${by} from ${from}`);
});
