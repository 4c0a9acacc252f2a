// What an answer took, as far as its agent said: one row for each thing that is known, in the words of the person's own
// language for numbers, money and time. Pure, so that a table can prove it. Promises: what was not said, or makes no
// sense, has no row.

import type { Message } from '../../model/message.ts';
import type { Spent } from '../../model/spent.ts';
import { cleanLine } from './cleanText.ts';

export type TookRow = readonly [what: string, much: string];

/** Empty where the agent told nothing: how long it took stands there anyway. */
export function tookRows({ created, end }: Pick<Message, 'created' | 'end'>, locale?: string): readonly TookRow[] {
  const { inputTokens, outputTokens, cachedTokens, thoughtTokens, cost } = end?.usage ?? {};
  const told = [
    tokens('Tokens in', inputTokens, locale),
    tokens('Read from cache', cachedTokens, locale),
    tokens('Tokens out', outputTokens, locale),
    tokens('For thinking', thoughtTokens, locale),
    cost && isAmount(cost.amount) ? [['Cost', moneyWords(cost.amount, cost.currency, locale)] as const] : [],
  ].flat();
  return told.length === 0 || !end ? [] : [...told, ['Time', durationWords(end.at - created, locale)]];
}

/** What the whole branch took, in one row for each thing that is known. */
export function spentRows(spent: Spent | undefined, locale?: string): readonly TookRow[] {
  const { inputTokens, outputTokens, costs = [] } = spent ?? {};
  return [
    ...tokens('Tokens in', inputTokens || undefined, locale),
    ...tokens('Tokens out', outputTokens || undefined, locale),
    ...costs
      .filter(({ amount }) => isAmount(amount))
      .map(({ amount, currency }) => ['Cost', moneyWords(amount, currency, locale)] as const),
  ];
}

export function moneyWords(amount: number, currency: string, locale?: string): string {
  // A turn often costs less than a cent, and nothing that costs is free.
  const isTiny = amount > 0 && amount < 0.01;
  const digits = isTiny ? { maximumSignificantDigits: 2 } : amount < 1 ? { maximumFractionDigits: 4 } : {};
  try {
    return amount.toLocaleString(locale, { style: 'currency', currency, ...digits });
  } catch {
    // An agent may count in what is no currency.
    return `${amount.toLocaleString(locale, digits)} ${cleanLine(currency)}`.trim();
  }
}

export function durationWords(milliseconds: number, locale?: string): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  const unit = (value: number, name: string, digits = 0) =>
    value.toLocaleString(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
  if (seconds < 10) return unit(seconds, 'second', 1);
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  return parts.flatMap(([value, name]) => (value > 0 ? [unit(value, name)] : [])).join(' ');
}

function tokens(what: string, count: number | undefined, locale?: string): readonly TookRow[] {
  return isAmount(count) ? [[what, count.toLocaleString(locale, { maximumFractionDigits: 0 })]] : [];
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
