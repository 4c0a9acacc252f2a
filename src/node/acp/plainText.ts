// What a program printed, as words that can be shown: without terminal sequences and control characters, each line as
// it stood after its last carriage return.

const sequences = new RegExp(
  [
    // Commands to the terminal with a text in them (titles, links), which end with BEL or ST.
    '\\u001b[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?',
    // Colours and cursor moves.
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '\\u001b[ -/]*[0-~]?',
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'g',
);

export function plainText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => line.slice(line.trimEnd().lastIndexOf('\r') + 1).replaceAll(sequences, ''))
    .join('\n')
    .replaceAll('\r', '')
    .trim();
}
