// What an agent does that has a model behind it which follows the orders of a prompt (test/agents/models/script.ts): the words
// of a person for the rows of the contracts, the same whoever runs the loop and whoever serves the model.

import { longText } from '../../agents/models/script.ts';
import type { Contender, Said } from './contender.ts';

/** The words in JSON, every letter as its number: what is answered stands nowhere in the prompt. */
export function escaped(words: string): string {
  const letter = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${words.replaceAll(/[^ .]/gu, one => (/[a-z]/i.test(one) ? letter(one) : JSON.stringify(one).slice(1, -1)))}"`;
}

function order(kind: string, words: string): string {
  return `${kind}: ${escaped(words)}`;
}

function saying(words: string): Said {
  return { prompt: order('say', words), text: () => Promise.resolve(words) };
}

export const byOrders = {
  answer: n => saying(Array.from({ length: 40 }, (_, at) => `${n}: piece ${at} of it.\n`).join('')),
  tour: () => [order('run', 'echo one'), order('say', 'One and two.')].join('\n'),
  slow: order('hang', 'half'),
  note: (words, { prompt }) => `${words}\n${prompt}`,
  can: {
    say: words => order('say', words),
    long: characters => ({ prompt: `long: ${characters}`, text: () => Promise.resolve(longText(characters)) }),
    write: (path, content) => `write: ${JSON.stringify({ path, content })}\n${order('say', 'So it is.')}`,
  },
} satisfies Partial<Contender>;
