// A title from the first prompt: its first line with words in it, without markdown's marks, cut at a word.

const longest = 60;

/** Of one that a person gives. */
export const longestTitle = 200;

export function titleOf(prompt: string): string {
  const line = prompt.split('\n').find(text => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const words = line
    .replace(/^[\s#>*\-+]+/, '')
    .replace(/[`*_]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (words.length === 0) return 'New session';
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest);
  const space = cut.lastIndexOf(' ');
  // The last half of a surrogate pair must not stay behind alone.
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
