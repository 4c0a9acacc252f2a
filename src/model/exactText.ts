// Text that a person decides about. Nothing is taken away, because it would be done all the same: a character that cannot
// be seen stands there by its number, and empty lines or long gaps cannot push the rest out of sight.

/** What has no shape of its own, or changes that of others: controls, directions, marks that are not seen, half letters. */
const shapeless = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Or an emoji, which is made of several characters, and two of those have no shape. */
const shapelessOrEmoji = new RegExp(
  `\\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\\ufe0f?(?:\\u200d(?=\\p{Extended_Pictographic}))?|${shapeless.source}`,
  'gu',
);
const emptyLines = /\n(?:[ \t]*\n){3,}/g;
/** More than any indentation. */
const gaps = /[\p{Zs}\t]{100,}/gu;

export function exactText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  const seen = shapeless.test(lines) ? lines.replace(shapelessOrEmoji, seenOne) : lines;
  return seen
    .replace(emptyLines, run => `\n⟦${run.split('\n').length - 2} empty lines⟧\n`)
    .replace(gaps, run => `⟦${run.length} spaces⟧`);
}

export function exactLine(text: string): string {
  return exactText(text.trim()).replaceAll('\n', ' ⏎ ');
}

/** A character that cannot be seen, by its number. */
export function numbered(character: string): string {
  return `⟦U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}⟧`;
}

function seenOne(one: string): string {
  return one === '\n' || one === '\t' || !shapeless.test(String.fromCodePoint(one.codePointAt(0) ?? 0))
    ? one
    : numbered(one);
}
