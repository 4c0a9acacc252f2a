// A command line as a person types it, taken apart without a shell. Pure. Promises: quotes and backslashes keep words
// together as they do in a terminal, and nothing is expanded.

/** Null where a quote is not closed, or there is nothing. */
export function commandWords(typed: string): { readonly command: string; readonly args: readonly string[] } | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < typed.length; at++) {
    const character = typed.charAt(at);
    const next = typed.charAt(at + 1);
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (character === '\\' && quote === '"' && (next === '"' || next === '\\')) word += typed.charAt(++at);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && /[\s"'\\]/.test(next)) {
      word = (word ?? '') + typed.charAt(++at);
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  const [command, ...args] = words;
  return command ? { command, args } : null;
}

/** As it would be typed. */
export function typedAs(command: string, args: readonly string[]): string {
  return [command, ...args]
    .map(word => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`))
    .join(' ');
}
