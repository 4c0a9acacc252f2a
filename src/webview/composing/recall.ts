// The prompts of this session, brought back by Up and Down. Pure but for where it stands. Promises: it never takes the
// place of words that were typed: only an empty box, or one that still shows what was brought back, changes.

import { textOf, type Message } from '../../model/message.ts';
import { asTyped } from './ourCommands.ts';

export interface Recall {
  /** Null where the key is the box's own. */
  readonly key: (key: string, text: string, said: readonly string[]) => string | null;
}

export function createRecall(): Recall {
  /** How many back; 0 is none. */
  let back = 0;
  let shown = '';
  const go = (to: number, said: readonly string[]) => {
    const words = to === 0 ? '' : said.at(-to);
    if (words === undefined) return shown;
    back = to;
    shown = words;
    return words;
  };
  return {
    key(key, text, said) {
      if (text === '') [back, shown] = [0, ''];
      else if (back === 0 || text !== shown) return null;
      if (key === 'ArrowUp') return said.length === 0 ? null : go(back + 1, said);
      return key === 'ArrowDown' && back > 0 ? go(back - 1, said) : null;
    },
  };
}

/** Each once where it was said several times in a row. */
export function saidBy(messages: readonly Message[]): readonly string[] {
  const texts = messages.filter(({ role }) => role === 'user').map(said => asTyped(textOf(said)));
  return texts.filter((text, at) => text.trim() !== '' && text !== texts[at + 1]);
}
