// One look through everything at a time, as the picker asks for it. Promises: what was found before it was stopped stays
// until it is cleared; one that is started while another ends waits for that; nothing is told of one that was stopped.

import type { History, ScanProgress, SearchHit } from '../../core/history/history.ts';
import type { SearchFilter } from '../../core/history/searchFilter.ts';

export class FullScan {
  state: 'no' | 'runs' | 'done' | 'stopped' = 'no';
  hits: readonly SearchHit[] = [];
  bytesRead = 0;
  bytes = 0;
  private running: AbortController | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private readonly scan: History['scan'];

  constructor(scan: History['scan']) {
    this.scan = scan;
  }

  /** Resolves when it is over or was stopped. */
  async start(text: string, filter: SearchFilter, changed: () => void): Promise<void> {
    this.stop();
    this.clear();
    const abort = new AbortController();
    this.running = abort;
    this.state = 'runs';
    const take = ({ hits, bytesRead, bytes }: ScanProgress, all: boolean) => {
      if (this.running !== abort) return;
      this.hits = all ? hits : [...this.hits, ...hits];
      this.bytesRead = bytesRead;
      this.bytes = bytes;
    };
    const scanning = this.last.then(async () => {
      if (abort.signal.aborted) return;
      const progress = (one: ScanProgress) => {
        take(one, false);
        if (this.running === abort) changed();
      };
      take(await this.scan(text, progress, abort.signal, filter), true);
    });
    this.last = scanning.catch(() => {});
    try {
      await scanning;
    } finally {
      if (this.running === abort) {
        this.running = null;
        this.state = abort.signal.aborted ? 'stopped' : 'done';
        changed();
      }
    }
  }

  /** What was found stays. */
  stop(): void {
    this.running?.abort();
  }

  clear(): void {
    this.running = null;
    this.state = 'no';
    this.hits = [];
    this.bytesRead = 0;
    this.bytes = 0;
  }
}
