// What an answer took, in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Usage } from '../../../src/model/message.ts';
import { durationWords, moneyWords, spentRows, tookRows } from '../../../src/webview/transcript/tookWords.ts';

/** Spaces that do not break look like the others. */
const plain = (words: string) => words.replace(/[\u00a0\u202f]/g, ' ');

test('[W96] there is a row for everything that the agent told, and none for what it did not or what makes no sense', () => {
  const rows: readonly (readonly [usage: Usage | undefined, told: readonly string[]])[] = [
    [
      {
        inputTokens: 12_345,
        outputTokens: 678,
        cachedTokens: 10_000,
        thoughtTokens: 0,
        cost: { amount: 0.0123, currency: 'USD' },
      },
      [
        'Tokens in 12,345',
        'Read from cache 10,000',
        'Tokens out 678',
        'For thinking 0',
        'Cost $0.0123',
        'Time 1 min 3 sec',
      ],
    ],
    [{ cost: { amount: 2.5, currency: 'EUR' } }, ['Cost €2.50', 'Time 1 min 3 sec']],
    [{ outputTokens: 5, inputTokens: Number.NaN, cachedTokens: -1 }, ['Tokens out 5', 'Time 1 min 3 sec']],
    [{ cost: { amount: Number.POSITIVE_INFINITY, currency: 'USD' } }, []],
    [{}, []],
    [undefined, []],
  ];
  for (const [usage, told] of rows) {
    const end = { reason: 'end_turn', at: 63_000, ...(usage && { usage }) } as const;
    assert.deepEqual(
      tookRows({ created: 0, end }, 'en-US').map(row => plain(row.join(' '))),
      told,
    );
  }
  assert.deepEqual(tookRows({ created: 0 }), [], 'while it runs nothing is known');
});

test('[W96] money and time are written as the person’s language has them', () => {
  const money: readonly (readonly [amount: number, currency: string, locale: string, words: string])[] = [
    [0.5, 'USD', 'en-US', '$0.50'],
    [0.000_04, 'USD', 'en-US', '$0.00004'],
    [0.001_26, 'USD', 'en-US', '$0.0013'],
    [0.012_34, 'USD', 'en-US', '$0.0123'],
    [0, 'USD', 'en-US', '$0.00'],
    [1234.567, 'EUR', 'de-DE', '1.234,57 €'],
    [12, 'JPY', 'en-US', '¥12'],
    [3.5, 'credits', 'en-US', '3.5 credits'],
    [3, 'no\u001b[1mt', 'en-US', '3 not'],
    [3, '', 'en-US', '3'],
  ];
  for (const [amount, currency, locale, words] of money)
    assert.equal(plain(moneyWords(amount, currency, locale)), words);
  const times: readonly (readonly [milliseconds: number, words: string])[] = [
    [-5, '0 sec'],
    [140, '0.1 sec'],
    [9_940, '9.9 sec'],
    [59_600, '1 min'],
    [63_000, '1 min 3 sec'],
    [3_600_000, '1 hr'],
    [7_384_000, '2 hr 3 min 4 sec'],
  ];
  for (const [milliseconds, words] of times) assert.equal(plain(durationWords(milliseconds, 'en-US')), words);
  assert.equal(plain(durationWords(63_000, 'de')), '1 Min. 3 Sek.');
});

test('[W96] the whole branch has a row for everything that was told of its answers', () => {
  const rows = (spent: Parameters<typeof spentRows>[0]) => spentRows(spent, 'en-US').map(row => plain(row.join(' ')));
  assert.deepEqual(rows(undefined), []);
  assert.deepEqual(rows({ inputTokens: 0, outputTokens: 12_000, costs: [] }), ['Tokens out 12,000']);
  const costs = [
    { amount: 0.5, currency: 'USD' },
    { amount: Number.NaN, currency: 'EUR' },
    { amount: 3, currency: 'EUR' },
  ];
  assert.deepEqual(rows({ inputTokens: 50, outputTokens: 5, costs }), [
    'Tokens in 50',
    'Tokens out 5',
    'Cost $0.50',
    'Cost €3.00',
  ]);
});
