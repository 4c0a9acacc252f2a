// What a word is, what is asked for, and what is marked: pure, in tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCaseless, lowered } from '../../../src/core/history/caseless.ts';
import { snippetOf } from '../../../src/core/history/snippet.ts';
import { findInTitle, findTerms, termsOf } from '../../../src/core/history/wordQuery.ts';
import { matchOf } from '../../../src/node/history/search/proseTables.ts';
import { longestWord, wordsOf } from '../../../src/core/history/words.ts';
import { randomFrom } from '../support/random.ts';

const decomposedKana = 'か\u3099';
const halfWidthKana = 'ｶﾞ';
const zeroWidthNonJoiner = '\u200c';

test('[J25] words are folded, and each is where it stands in the text', () => {
  const rows: readonly (readonly [text: string, words: string])[] = [
    ['', ''],
    ['Hello, World!', 'hello@0+5 world@7+5'],
    ['café Naïve', 'cafe@0+4 naive@5+5'],
    ['cafe\u0301s', 'cafes@0+6'],
    ['Straße STRASSE', 'strasse@0+6 strasse@7+7'],
    ['İstanbul ısı', 'istanbul@0+8 isi@9+3'],
    ['Łódź søster œuvre', 'lodz@0+4 soster@5+6 oeuvre@12+5'],
    ['ﬁn Ａ ２', 'fin@0+2 a@3+1 2@5+1'],
    ['Ёлка ОДЕССА', 'елка@0+4 одесса@5+6'],
    ['ΟΔΟΣ οδός', 'οδοσ@0+4 οδοσ@5+4'],
    ['العَرَبِيَّة العربيـــة', 'العربية@0+12 العربية@13+10'],
    [`می${zeroWidthNonJoiner}خواهم`, 'میخواهم@0+8'],
    ['हिन्दी', 'हिन्दी@0+6'],
    ['消息。历史', '消@0+1 息@1+1 历@3+1 史@4+1'],
    ['GPU加速', 'gpu@0+3 加@3+1 速@4+1'],
    [`が${decomposedKana}${halfWidthKana}か`, 'が@0+1 が@1+2 ガ@3+2 か@5+1'],
    ['서버가', '서@0+1 버@1+1 가@2+1'],
    ['한'.normalize('NFD'), '한@0+3'],
    ['ที่นี่', 'ที่@0+3 นี่@3+3'],
    ['a😀b', 'a@0+1 😀@1+2 b@3+1'],
    ['👩‍💻👍🏽✔️', '👩@0+3 💻@3+2 👍@5+4 ✔@9+2'],
    ['snake_case kebab-case a.b', 'snake@0+5 case@6+4 kebab@11+5 case@17+4 a@22+1 b@24+1'],
    ['getUserName', 'getusername@0+11 ~get@0+3 ~user@3+4 ~name@7+4'],
    ['XMLParser2Go', 'xmlparser2go@0+12 ~xml@0+3 ~parser2@3+7 ~go@10+2'],
    ['NASA Title', 'nasa@0+4 title@5+5'],
    ['\ud800x\udc00', 'x@1+1'],
    ['\u0301 \u3099', '\u3099@2+1'],
  ];
  for (const [text, expected] of rows) {
    const words = wordsOf(text).map(word => `${word.isPart ? '~' : ''}${word.text}@${word.at}+${word.length}`);
    assert.equal(words.join(' '), expected, text);
  }
});

test('[J25] a word of any length is one word, cut', () => {
  const [word, ...others] = wordsOf(`${'x'.repeat(1000)} `);
  assert.deepEqual(others, []);
  assert.equal(word?.length, 1000);
  assert.equal(word?.text.length, longestWord);
  const [wide] = wordsOf(`a${'𐐨'.repeat(100)}`);
  assert.ok(wide?.text.isWellFormed());
});

test('[J25] words are made of what the tokenizer of the tables keeps together, whatever the text', () => {
  const random = randomFrom(25);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 40 }, () =>
      String.fromCodePoint(Math.floor(random() ** 4 * (round % 2 ? 0x10ffff : 0x3000))),
    ).join('');
    let end = 0;
    for (const word of wordsOf(text)) {
      assert.match(word.text, /^(?:[0-9a-z]|[^\p{ASCII}])+$/u, JSON.stringify(text));
      assert.ok(word.text.isWellFormed() && word.at + word.length <= text.length);
      if (word.isPart) continue;
      assert.ok(word.at >= end, JSON.stringify(text));
      end = word.at + word.length;
    }
    // Folding what is folded changes nothing.
    for (const { text: one } of wordsOf(text))
      assert.equal(
        wordsOf(one)
          .map(word => word.text)
          .join(''),
        one,
      );
  }
});

test('[J25] any text is a query', () => {
  const rows: readonly (readonly [query: string, match: string | null])[] = [
    ['', null],
    ['  \t\n', null],
    ['"', null],
    ['*', null],
    ['()-:^"" \\', null],
    ['read', '"read*"'],
    ['read ', '"read"'],
    ['read write', '"write*" "read"'],
    ['read*  x ', '"read*" "x"'],
    ['C++', '"c"'],
    ['AND OR NOT', '"and" "not*" "or"'],
    ['NEAR/2', '"near" "2*"'],
    ['body:x', '"body" "x*"'],
    ['-not (me)', '"not" "me"'],
    ['"what came"', '"what came"'],
    ['“what came”', '"what came"'],
    ['"what ca', '"what ca*"'],
    ['say "what came" ', '"what came" "say"'],
    ['加速', '"加 速*"'],
    ['GPU加速 ', '"gpu 加 速"'],
    ['getUserName', '"getusername*"'],
    ['same same ', '"same"'],
  ];
  for (const [query, match] of rows) assert.equal(matchOf(termsOf(query)), match, query);
  const long = matchOf(
    termsOf('word1 "a b c d" '.repeat(700) + Array.from({ length: 900 }, (_, at) => `w${at}`).join(' ')),
  );
  assert.ok(long !== null && long.length < 2000);
});

test('[J25] terms are found where they stand', () => {
  const rows: readonly (readonly [text: string, query: string, found: readonly string[]])[] = [
    ['Read it, read all', 'read', ['Read', 'read']],
    ['reading', 'read', ['reading']],
    ['reading', 'read ', []],
    ['what it came', '"what came"', []],
    ['What  came', '"what came"', ['What  came']],
    ['getUserName', 'user', ['User']],
    ['getUser nameOf', '"user name"', []],
    ['数据库备份', '据库', ['据库']],
    ['Straße', 'strasse', ['Straße']],
  ];
  for (const [text, query, found] of rows) {
    const spans = findTerms(text, termsOf(query)).flat();
    assert.deepEqual(
      spans.map(({ at, length }) => text.slice(at, at + length)),
      found,
      `${query} in ${text}`,
    );
  }
  assert.deepEqual(findInTitle('Die Straßen', termsOf('rasse')).flat(), [{ at: 4, length: 7 }]);
});

test('[J25] a snippet is what stands around the hit, and its marks are the hits', () => {
  const long = `${'before '.repeat(60)}the  needle\n\tand\u00a0another needle ${'after '.repeat(60)}`;
  const rows: readonly (readonly [text: string, hit: string])[] = [
    [long, 'needle'],
    ['needle', 'needle'],
    [`${'x'.repeat(500)} needle`, 'needle'],
    [`needle${'y'.repeat(500)}`, 'needle'],
    [`${'😀'.repeat(300)}needle${'😀'.repeat(300)}`, 'needle'],
    [`  \n needle \n `, 'needle'],
    ['n'.repeat(2000), 'n'.repeat(2000)],
  ];
  for (const [text, hit] of rows) {
    const spans = [...text.matchAll(new RegExp(hit, 'g'))].map(({ index }) => ({ at: index, length: hit.length }));
    const { snippet, marks } = snippetOf(text, spans[0]?.at ?? 0, spans);
    assert.ok(marks.length > 0 && snippet.length <= 220 && snippet.isWellFormed(), snippet);
    for (const { at, length } of marks) {
      assert.ok(length > 0 && at + length <= snippet.length);
      assert.ok(hit.startsWith(snippet.slice(at, at + length)));
    }
    const plain = snippet.replace(/^…|…$/gu, '').trim();
    assert.ok(text.replace(/\s+/g, ' ').includes(plain), plain);
    assert.doesNotMatch(snippet, /\s\s|[\n\t]/);
  }
  const { snippet, marks } = snippetOf(long, long.indexOf('needle'), [{ at: long.indexOf('needle'), length: 6 }]);
  assert.match(snippet, /^…before .* the needle and another needle after .*…$/);
  assert.equal(marks.length, 1);
});

test('[J26] text is found whatever its case, where it stands', () => {
  const rows: readonly (readonly [text: string, needle: string, found: readonly string[]])[] = [
    ['One ONE one', 'oNe', ['One', 'ONE', 'one']],
    ['İİ größe', 'GRÖSSE', []],
    ['İİ größe', 'GRÖßE', ['größe']],
    ['ΟΔΟΣ οδος.', 'οδοσ', ['ΟΔΟΣ', 'οδος']],
    ['😀İ "quoted"', '"QUOTED"', ['"quoted"']],
    ['aaa', 'aa', ['aa']],
    ['x', '', []],
  ];
  for (const [text, needle, found] of rows) {
    const spans = findCaseless(text, lowered(needle));
    assert.deepEqual(
      spans.map(({ at, length }) => text.slice(at, at + length)),
      found,
      `${needle} in ${text}`,
    );
  }
});
