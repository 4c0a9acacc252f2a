// All that an agent gave a tool and had back, as a text to read: what is too long for a panel is an editor's matter. Pure.
// Promises: nothing is cut; what a terminal printed stands without its sequences; a value of an unknown shape is JSON.

import type { Json, ToolCallBlock } from '../../model/message.ts';
import { plainText } from '../../node/acp/plainText.ts';

export function toolText({ title, input, output, raw }: ToolCallBlock): string {
  const shown = output.length > 0 ? output : raw === undefined ? [] : [raw];
  const parts = [
    title,
    ...(input === undefined ? [] : [part('Input', wordsOf(input))]),
    ...shown.map(one => part('Output', outputWords(one))),
  ];
  return `${parts.join('\n\n')}\n`;
}

function part(name: string, words: string): string {
  return `── ${name} ──\n\n${words.trimEnd()}`;
}

function outputWords(value: Json): string {
  const { type, content, text, output, command, path, oldText, newText } = fieldsOf(value);
  if (type === 'terminal' && typeof output === 'string') {
    const printed = plainText(output);
    return typeof command === 'string' ? `$ ${command}\n${printed}` : printed;
  }
  if (type === 'content' && typeof fieldsOf(content)['text'] === 'string') return wordsOf(fieldsOf(content)['text']);
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'diff' && typeof path === 'string' && typeof newText === 'string') {
    const before = typeof oldText === 'string' ? `Before:\n\n${oldText}\n\n` : '';
    return `${path}\n\n${before}After:\n\n${newText}`;
  }
  return wordsOf(value);
}

function wordsOf(value: Json | undefined): string {
  return typeof value === 'string' ? plainText(value) : JSON.stringify(value, null, 2);
}

function fieldsOf(value: Json | undefined): { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })
    : {};
}
