// Where in the composer something can be completed: a command at the beginning, a file after `@`. Pure, so that a table
// can prove it.

export interface Completing {
  readonly kind: 'command' | 'file';
  /** Its place in the text, with the mark. */
  readonly from: number;
  readonly to: number;
  /** Up to the caret, without the mark. */
  readonly typed: string;
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

const longestTyped = 200;

/** Null where nothing can be. */
export function completingAt(text: string, caret: number): Completing | null {
  const before = text.slice(0, caret);
  const to = caret + (/^\S*/.exec(text.slice(caret))?.[0].length ?? 0);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: 'command', from: 0, to, typed: command };
  // In a word it is an address of mail.
  const file = /(?:^|[\s([{"'`])@(\S*)$/.exec(before)?.[1];
  if (file === undefined || file.length > longestTyped) return null;
  return { kind: 'file', from: caret - file.length - 1, to, typed: file };
}

/** With these words in its place, and the caret where one goes on to write. */
export function withTaken(text: string, { from, to }: Completing, words: string): Edited {
  const rest = text.slice(to);
  const space = words === '' || /^\s/.test(rest) ? '' : ' ';
  const skipped = words !== '' && space === '' ? 1 : 0;
  return { text: text.slice(0, from) + words + space + rest, caret: from + words.length + space.length + skipped };
}
