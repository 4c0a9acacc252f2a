// The words of a question that are worth looking for, in lower case: phrases in quotes whole, then words without the
// small change of English. At most six, in the order of the question, none twice.

const mostTerms = 6;

const smallWords = new Set(
  (
    'the and for are was were but not you your all any can could would should will shall may might must has have had ' +
    'does did done doing this that these those there here where when what which who whom whose why how with without ' +
    'from into onto about over under than then them they their its our out use used using get got let please show tell ' +
    'find search look give make me my is it in of on or to do be an as at by if so we he she us hello hey thanks thank help'
  ).split(' '),
);

export function termsOf(question: string): readonly string[] {
  const terms = new Set<string>();
  const rest = question.replace(/["“”]([^"“”\n]{2,80})["“”]/g, (_, phrase: string) => {
    const words = phrase.trim().toLowerCase();
    if (words !== '') terms.add(words);
    return ' ';
  });
  for (const [word] of rest.toLowerCase().matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_.\-/]*/gu)) {
    // An English plural also finds its singular, which is a part of it.
    const bare = word.replace(/[.\-/]+$/, '').replace(/^([a-z]{3,}[^s])s$/, '$1');
    // One or two letters match everywhere, but two ideographs are a word.
    const long = bare.length >= 3 || /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(bare);
    if (long && !smallWords.has(bare)) terms.add(bare);
  }
  return [...terms].slice(0, mostTerms);
}
