// What the contracts need of whoever runs them: `node:test` in plain Node.js, the small runner of the host tests inside an
// extension host. So a row is written once, wherever it runs.

import type { EngineFiles } from '../support/history.ts';

/** One test while it runs. */
export interface Case {
  /** When it is over, however it ended; in the order in which they were told. */
  after(run: () => void | Promise<void>): void;
  /** Words for whoever looks at the run. */
  diagnostic(words: string): void;
}

export interface Runner {
  /** A test of its own, which may take a minute. */
  readonly test: (name: string, run: (t: Case) => Promise<void>) => void;
  /** Of the history that a row goes through. */
  readonly engine: EngineFiles;
}
