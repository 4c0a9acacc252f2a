// Closes what is still open at the end of a text that streams, so that half of a bold word does not show its
// asterisks for a moment. Promises: only the last paragraph is looked at, once, from left to right; a mark that may
// still become something is held back, a word never is.

/** The text as it would look if it ended well here. */
export function mendTail(text: string): string {
  const start = Math.max(text.lastIndexOf('\n\n') + 2, text.lastIndexOf('\n- ') + 1, 0);
  let tail = text.slice(start);
  // A line of dashes would make a heading of the words above it, and one more character may make it a list.
  tail = tail.replace(/(\S[^\n]*\n) {0,3}(?:-{1,2}|=+) *$/, '$1');
  // An image or the address of a link that is half there: the words of the link stand alone until it is whole.
  tail = tail.replace(/!\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, '').replace(/\[([^\]\n]*)\]\([^)\n]*$/, '$1');

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
  const space = /\s*$/.exec(tail)?.[0] ?? '';
  const closing = code + open.toReversed().join('');
  if (closing === '') return text.slice(0, start) + tail;
  return text.slice(0, start) + tail.slice(0, tail.length - space.length) + closing + space;
}

/** As CommonMark has it: words follow, and an underscore does not open inside a word; a bullet is no emphasis. */
function opens(text: string, at: number, end: number, run: string): boolean {
  if (run.length > 3) return false;
  if (end < text.length && /\s/.test(text.charAt(end))) return false;
  return !(run.startsWith('_') && at > 0 && /\w/.test(text.charAt(at - 1)));
}
