// The names in the journal's folder, listed again only where the folder's own time says that it may have changed: a prompt
// asks for them, and thousands of files take longer to list than to append to one.

import { statSync } from 'node:fs';
import { segmentsIn } from './segmentName.ts';

/** The coarsest time of a file that file systems have, in milliseconds. */
const coarsestTime = 2000;

export class JournalListing {
  private readonly journal: string;
  private readonly now: () => number;
  private names: readonly string[] = [];
  /** The folder's time when it was listed; null where what changes after that may get the same time. */
  private listedAt: number | null = null;

  constructor(journal: string, now: () => number) {
    this.journal = journal;
    this.now = now;
  }

  /** Throws what the file system throws. */
  ofSession(session: string): readonly string[] {
    const { mtimeMs } = statSync(this.journal);
    if (mtimeMs !== this.listedAt) {
      this.names = segmentsIn(this.journal);
      this.listedAt = this.now() - mtimeMs > coarsestTime ? mtimeMs : null;
    }
    return this.names.filter(name => name.startsWith(`${session}~`));
  }
}
