// What a tool was given and gave back, as texts to show. Promises: nothing is dropped silently, what is cut says how
// much; a value of an unknown shape is shown as JSON. It knows the content kinds of ACP, and no tool by its name.

import type { Json } from '../../model/message.ts';
import { cleanText } from '../transcript/cleanText.ts';
import { diffLines, type DiffLine } from '../changes/diffLines.ts';

/** Of a text on a card, in letters. */
export const longest = 20_000;

export type Shown =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'diff'; readonly path: string; readonly lines: readonly DiffLine[] };

/** `clean` says what becomes of what cannot be seen. */
export function shownOutput(value: Json, clean = cleanText): Shown {
  const fields = fieldsOf(value);
  if (typeof value === 'string') return { kind: 'text', text: cut(value, clean) };
  if (fields['type'] === 'content') {
    const content = fieldsOf(fields['content']);
    if (content['type'] === 'text' && typeof content['text'] === 'string')
      return { kind: 'text', text: cut(content['text'], clean) };
  }
  if (fields['type'] === 'text' && typeof fields['text'] === 'string')
    return { kind: 'text', text: cut(fields['text'], clean) };
  const { path, oldText, newText } = fields;
  if (fields['type'] === 'diff' && typeof path === 'string' && typeof newText === 'string') {
    const old = typeof oldText === 'string' ? oldText : '';
    if (old.length + newText.length <= 10 * longest) {
      return { kind: 'diff', path: clean(path), lines: diffLines(clean(old), clean(newText)) };
    }
  }
  return { kind: 'text', text: shownInput(value, clean) };
}

export function shownInput(value: Json, clean = cleanText): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value, null, 2), clean);
}

/** What a person decides about is never cut short of what a page can hold. */
function cut(text: string, clean: typeof cleanText): string {
  const most = clean === cleanText ? longest : 50 * longest;
  if (text.length <= most) return clean(text);
  return `${clean(text.slice(0, most))}\n… ${text.length - most} more characters`;
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}
