// About how many tokens a text is: an estimate for budgets and for the words "about T tokens", never for money. Four
// characters of ASCII are about one, two of most other scripts, and each of a script without spaces is one.

export function tokensOf(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // From the CJK radicals on, Hangul and the surrogates of what is beyond among them.
    quarters += code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
}
