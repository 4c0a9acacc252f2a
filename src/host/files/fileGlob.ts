// What VS Code is asked for when files are looked for by a few typed letters. Pure. Promises: every file of which the
// fuzzy filter would say yes by one word can be found by it, whatever the case; nothing that was typed acts as a pattern.

/** Files whose name or one of whose folders has the letters of the longest word, in their order. */
export function globFor(words: readonly string[]): string {
  const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? '';
  const parts = longest.split('/').filter(part => part !== '');
  const last = parts.at(-1);
  if (last === undefined) return '**/*';
  const folders = parts.slice(0, -1).map(part => `${inOrder(part)}/`);
  const way = folders.length === 0 ? '' : `${folders.join('**/')}**/`;
  return `**/${way}{${inOrder(last)},${inOrder(last)}/**}`;
}

/** Of settings such as `search.exclude`: what is switched on, as one pattern; undefined where nothing is. */
export function excludeFrom(...settings: readonly unknown[]): string | undefined {
  const patterns = settings.flatMap(setting =>
    typeof setting === 'object' && setting !== null
      ? Object.entries(setting).flatMap(([pattern, on]) => (on === true ? [pattern] : []))
      : [],
  );
  return patterns.length === 0 ? undefined : `{${[...new Set(patterns)].join(',')}}`;
}

function inOrder(word: string): string {
  return `*${Array.from(word, letter => `${anyCase(letter)}*`).join('')}`;
}

function anyCase(letter: string): string {
  const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
  // A question mark is any one character: of what would be a pattern, the fuzzy filter looks again.
  if (/[*?[\]{},!\\^-]/.test(letter) || low.length !== 1 || high.length !== 1) return '?';
  return low === high ? letter : `[${low}${high}]`;
}
