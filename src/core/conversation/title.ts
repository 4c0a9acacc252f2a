// Titles: from the first prompt (its first line with words in it, without markdown's marks), and from agents, whose titles
// may be of any length. Both are cut at a word, and never inside a character.

const longest = 60;

/** Of one that a person or an agent gives. */
export const longestTitle = 200;

export function titleOf(prompt: string): string {
  const line = prompt.split('\n').find(text => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const words = line
    .replace(/^[\s#>*\-+]+/, '')
    .replace(/[`*_]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (words.length === 0) return 'New session';
  return cutAtWord(words, longest);
}

/** One line, without halves of characters; empty where there are no words. */
export function agentTitle(title: string): string {
  // More than this is not looked at: a title may be megabytes long.
  const line = title
    .slice(0, longestTitle * 10)
    .replace(/\p{Surrogate}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return cutAtWord(line, longestTitle);
}

function cutAtWord(line: string, most: number): string {
  if (line.length <= most) return line;
  const space = line.slice(0, most + 1).lastIndexOf(' ');
  return `${line.slice(0, space > most / 2 ? space : endOfCharacter(line, most))}…`;
}

/** The end of the last character, as a person counts them, that ends within so many UTF-16 units. */
function endOfCharacter(line: string, most: number): number {
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(line.slice(0, most * 2))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  // One character that is longer than the whole title is split between code points.
  return end > 0 ? end : line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '').length;
}
