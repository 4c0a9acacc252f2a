// Closes what is still open at the end of a text that streams, so that half of a bold word does not show its
// asterisks for a moment. Promises: only the last paragraph is looked at, once, from left to right; a mark that may
// still become something is held back, a word never is.

/** An image or a link, as far as it is there: the words, the mark before its address, and the end of it. */
const reference = /!?\[((?:[^[\]\n!]|!(?!\[))*)(?:(\]\([^)\n]*)(\))?|\])?/g;

/** The text as it would look if it ended well here. */
export function mendTail(text: string): string {
  const blankLine = text.lastIndexOf('\n\n');
  const start = Math.max(blankLine < 0 ? 0 : blankLine + 2, text.lastIndexOf('\n- ') + 1);
  let tail = text.slice(start);
  // A line of dashes would make a heading of the words above it, and one more character may make it a list.
  const above = tail.slice(0, Math.max(0, tail.lastIndexOf('\n')));
  const hasWordsAbove = above.slice(above.lastIndexOf('\n') + 1).trim() !== '';
  if (hasWordsAbove && /^\n {0,3}(?:-{1,2}|=+) *$/.test(tail.slice(above.length))) tail = `${above}\n`;
  tail = withoutHalfReference(tail);

  const open: string[] = [];
  let code = '';
  let end = 0;
  for (const mark of tail.matchAll(/\\.|`+|\*+|_+|~~/g)) {
    const run = mark[0];
    if (run.startsWith('\\')) continue;
    end = mark.index + run.length;
    if (code !== '') {
      if (run === code) code = '';
      continue;
    }
    if (run.startsWith('`')) code = run;
    else if (open.at(-1) === run) open.pop();
    else if (opens(tail, mark.index, end, run)) open.push(run);
  }
  const hanging = end === tail.length && (code !== '' || open.length > 0);
  if (hanging) {
    // The mark has no words yet: it waits outside until they come.
    const run = code !== '' ? code : (open.pop() ?? '');
    code = '';
    tail = tail.slice(0, tail.length - run.length);
  }
  const words = tail.trimEnd();
  const closing = code + open.toReversed().join('');
  if (closing === '') return text.slice(0, start) + tail;
  return text.slice(0, start) + words + closing + tail.slice(words.length);
}

/** An image that is half there is left out; of a link without the end of its address, the words stand alone. */
function withoutHalfReference(tail: string): string {
  const last = Array.from(tail.matchAll(reference)).at(-1);
  if (!last || last.index + last[0].length < tail.length) return tail;
  const [all, words = '', address, end] = last;
  if (end !== undefined) return tail;
  if (all.startsWith('!')) return tail.slice(0, last.index);
  return address === undefined ? tail : tail.slice(0, last.index) + words;
}

/** As CommonMark has it: words follow, and an underscore does not open inside a word; a bullet is no emphasis. */
function opens(text: string, at: number, end: number, run: string): boolean {
  if (run.length > 3) return false;
  if (end < text.length && /\s/.test(text.charAt(end))) return false;
  return !(run.startsWith('_') && at > 0 && /\w/.test(text.charAt(at - 1)));
}
