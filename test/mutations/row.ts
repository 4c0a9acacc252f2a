// One row of the mutation table: a defence, the smallest edit that takes it out of the code, and the tests that must fail
// then. `../../test/README.md` says how the table is run.

export interface Row {
  /** The defence in words, as a statement that is true while it stands. */
  readonly defence: string;
  /** The attacks of test/SAFETY.md that it holds off; none where it keeps a promise of the product. */
  readonly attacks: readonly number[];
  readonly file: string;
  /** Source text that occurs exactly once in the file. */
  readonly text: string;
  /** What stands there instead. The file must still parse, and load. */
  readonly replacement: string;
  /** Test files, one of which must fail. */
  readonly tests: readonly string[];
  /** Words from the names of the tests to run, where a file's other tests would only take time. */
  readonly only?: string;
  /** How else than by a test that fails the missing defence may show: the tests never end, or their process dies. */
  readonly shows?: 'hang' | 'crash';
  /** The time limit of one run, where two minutes are too little, or too much for a hang. */
  readonly seconds?: number;
}

/** A row that no longer describes the code: whoever moved the code has to move the row. */
export class BrokenRow extends Error {
  override readonly name = 'BrokenRow';
}

/** The file's source without the defence. */
export function mutate(row: Row, source: string): string {
  const parts = source.split(row.text);
  const found = row.text === '' ? 0 : parts.length - 1;
  if (found !== 1) {
    const where = found === 0 ? 'isn’t there' : `is there ${found} times`;
    throw new BrokenRow(`Row “${row.defence}”: its text ${where} in ${row.file}. Move the row with the code.`);
  }
  if (row.text === row.replacement) throw new BrokenRow(`Row “${row.defence}”: its replacement changes nothing.`);
  return parts.join(row.replacement);
}
