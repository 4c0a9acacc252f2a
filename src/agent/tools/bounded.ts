// What a model is given of a long text: as much as is of use, and a word on what was left out. Pure.

/** Characters, about eight thousand tokens. */
export const mostCharacters = 32_000;

export function keepBeginning(text: string, how: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}\n[${text.length - kept.length} more characters are left out here. ${how}]`;
}

/** Of what a command printed the beginning and the end count, and the end more. */
export function keepEnds(text: string, how: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const first = text.slice(0, Math.floor(most / 4)).replace(/[\uD800-\uDBFF]$/, '');
  const last = text.slice(-Math.floor((most * 3) / 4)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${first}\n[${text.length - first.length - last.length} characters are left out here. ${how}]\n${last}`;
}
