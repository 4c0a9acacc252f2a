// What is typed into the search of the history: words, and filters between them, as `agent:scout after:7d retry`. Promises:
// any text is a query; what only looks like a filter is words; what stands in quotes is. It is pure, and the text that is
// typed is all that there is: buttons change it and nothing beside it.

import type { SearchFilter } from '../../core/history/searchFilter.ts';

export interface TypedQuery {
  readonly words: string;
  readonly filter: SearchFilter;
  /** The filter at the end that is not finished: what it could be is offered. */
  readonly typing: { readonly name: FilterName; readonly value: string; readonly at: number } | null;
}

export const filterNames = ['agent', 'label', 'after', 'before', 'has', 'with', 'without'] as const;
export type FilterName = (typeof filterNames)[number];

const day = 86_400_000;
const token = /([a-z]+):("[^"]*"?|[^\s"]*)|"[^"]*"?|[^\s"]+|\s+/giu;

export function queryOf(text: string, now: number): TypedQuery {
  let words = '';
  let filter: SearchFilter = {};
  let typing: TypedQuery['typing'] = null;
  let isFilter = false;
  for (const { 0: piece, 1: written, 2: quoted = '', index } of text.matchAll(token)) {
    const name = filterNames.find(one => one === written?.toLowerCase());
    const value = quoted.replaceAll('"', '').trim();
    // Only what begins a word: `see:agent:one` is words.
    const read =
      name !== undefined && (index === 0 || /\s/.test(text[index - 1] ?? '')) ? readOf(name, value, now) : null;
    if (piece.trim() !== '') isFilter = read !== null;
    if (read === null || name === undefined) words += piece;
    else filter = joined(filter, read);
    const isLast = index + piece.length === text.length;
    if (read !== null && name !== undefined && isLast && !/^".*"$/.test(quoted)) typing = { name, value, at: index };
  }
  // The word before a filter is still being typed, as far as the search is concerned.
  return { words: isFilter ? words.trim() : words, filter, typing };
}

/** The text with the filter in it, or without it where it was there. */
export function toggled(text: string, filter: string): string {
  const without = text.split(/\s+/).filter(one => one.toLowerCase() !== filter);
  const isThere = without.length < text.split(/\s+/).length;
  return (
    (isThere ? without : [text.trim(), filter]).filter(Boolean).join(' ') +
    (isThere && without.join('') === '' ? '' : ' ')
  );
}

export function written(name: FilterName, value: string): string {
  return `${name}:${/\s/.test(value) ? `"${value}"` : value}`;
}

/** Null where it is no filter; nothing in it where it is not finished. */
function readOf(name: FilterName, value: string, now: number): SearchFilter | null {
  switch (name) {
    case 'agent':
      return value === '' ? {} : { agent: value };
    case 'label':
      return value === '' ? {} : { labels: [value] };
    case 'has':
      return oneOf('changes', value, { changes: true });
    case 'with':
      return oneOf('trash', value, { trash: true });
    case 'without':
      return oneOf('archive', value, { noArchive: true });
    case 'after':
    case 'before': {
      const at = timeOf(value.toLowerCase(), now);
      return at === null ? null : at === 'unfinished' ? {} : { [name]: at };
    }
  }
}

function oneOf(whole: string, value: string, filter: SearchFilter): SearchFilter | null {
  const typed = value.toLowerCase();
  return typed === whole ? filter : whole.startsWith(typed) ? {} : null;
}

/** The beginning of a day in the person's own time zone. */
function timeOf(value: string, now: number): number | 'unfinished' | null {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const ago = (days: number) => new Date(today - days * day + day / 2).setHours(0, 0, 0, 0);
  if (value === 'today') return today;
  if (value === 'yesterday') return ago(1);
  const [, count, unit] = /^(\d{1,4})([dw])$/.exec(value) ?? [];
  if (count !== undefined) return ago(Number(count) * (unit === 'w' ? 7 : 1));
  const [, year, month, date] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(value) ?? [];
  if (year !== undefined) {
    const at = new Date(Number(year), Number(month) - 1, Number(date));
    return at.getMonth() === Number(month) - 1 && at.getDate() === Number(date) ? at.getTime() : null;
  }
  const isBegun = /^[\d-]{0,9}$/.test(value) || 'today'.startsWith(value) || 'yesterday'.startsWith(value);
  return isBegun ? 'unfinished' : null;
}

function joined(one: SearchFilter, other: SearchFilter): SearchFilter {
  const labels = [...(one.labels ?? []), ...(other.labels ?? [])];
  return { ...one, ...other, ...(labels.length > 0 ? { labels } : {}) };
}
