// What a tool was given and gave back, as texts to show on a card. Promises: nothing is dropped silently, what is cut says how
// much; a value of an unknown shape is shown as JSON. It knows the content kinds of ACP, and no tool by its name.

import type { Json } from '../../model/message.ts';
import { cleanText } from '../transcript/cleanText.ts';
import { diffLines, type DiffLine } from '../changes/diffLines.ts';

/** Of a text on a card, in letters. */
export const longest = 20_000;

export type Shown =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'diff'; readonly path: string; readonly lines: readonly DiffLine[] };

export function shownOutput(value: Json): Shown {
  const fields = fieldsOf(value);
  if (typeof value === 'string') return { kind: 'text', text: cut(value) };
  if (fields['type'] === 'content') {
    const content = fieldsOf(fields['content']);
    if (content['type'] === 'text' && typeof content['text'] === 'string')
      return { kind: 'text', text: cut(content['text']) };
  }
  if (fields['type'] === 'text' && typeof fields['text'] === 'string')
    return { kind: 'text', text: cut(fields['text']) };
  const { path, oldText, newText } = fields;
  if (fields['type'] === 'diff' && typeof path === 'string' && typeof newText === 'string') {
    const old = typeof oldText === 'string' ? oldText : '';
    if (old.length + newText.length <= 10 * longest) {
      return { kind: 'diff', path: cleanText(path), lines: diffLines(cleanText(old), cleanText(newText)) };
    }
  }
  return { kind: 'text', text: shownInput(value) };
}

export function shownInput(value: Json): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

function cut(text: string): string {
  if (text.length <= longest) return cleanText(text);
  return `${cleanText(text.slice(0, longest))}\n… ${text.length - longest} more characters`;
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}
