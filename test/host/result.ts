// What the runner inside an extension host tells of a case when it ended, a line of JSON each, and `host.test.ts` reads.

export interface Result {
  readonly name: string;
  readonly milliseconds: number;
  readonly error?: string;
  /** What the case said by the way. */
  readonly words: readonly string[];
}
