// Notices what other processes append to the journal: by watching the folder where the system can, and by looking at
// the segments of live writers every second where it cannot. It only says which segments are worth a look, each once
// per turn of the event loop; reading them is the store's.

import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { parseSegmentName } from './segmentReader.ts';

const lookEvery = 1000;

export interface TailPorts {
  readonly journal: string;
  /** This process: its own segments are never news. */
  readonly writer: string;
  readonly alive: () => ReadonlySet<string>;
  readonly onNews: (segments: readonly string[]) => void;
}

export class Tail {
  private readonly sizes = new Map<string, number>();
  private readonly news = new Set<string>();
  private listed = -1;
  private names: readonly string[] = [];
  private watcher: FSWatcher | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly ports: TailPorts;

  constructor(ports: TailPorts) {
    this.ports = ports;
  }

  /** `known` are the segments that have been read already: only what is added to them is news. */
  start(known: Iterable<string>): void {
    for (const name of known) this.sizes.set(name, -1);
    try {
      this.watcher = watch(this.ports.journal, (_, name) => {
        if (name !== null) this.add(name);
      });
      // A folder that goes away ends the watch; the look every second goes on, and finds it when it is back.
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      // No watch on this file system, or no more of them for this person: the look every second remains.
    }
    this.timer = setInterval(() => this.look(), lookEvery);
  }

  stop(): void {
    this.watcher?.close();
    if (this.timer) clearInterval(this.timer);
  }

  private look(): void {
    const { journal, alive } = this.ports;
    try {
      const { mtimeMs } = statSync(journal);
      if (mtimeMs !== this.listed) {
        this.names = readdirSync(journal);
        // New files are news whoever wrote them: their writer may be dead by now.
        for (const name of this.names) if (!this.sizes.has(name)) this.add(name);
        this.listed = mtimeMs;
      }
      const writers = alive();
      for (const name of this.names) {
        const writer = parseSegmentName(name)?.writer;
        if (writer === undefined || !writers.has(writer)) continue;
        const { size } = statSync(join(journal, name));
        if (size !== this.sizes.get(name)) this.add(name);
        this.sizes.set(name, size);
      }
    } catch {
      // The folder is away, or a segment went while it was looked at: the next look is in a second.
    }
  }

  private add(name: string): void {
    const parsed = parseSegmentName(name);
    if (!parsed || parsed.writer === this.ports.writer) return;
    if (!this.sizes.has(name)) this.sizes.set(name, -1);
    if (this.news.size === 0) {
      setImmediate(() => {
        const segments = [...this.news];
        this.news.clear();
        this.ports.onNews(segments);
      });
    }
    this.news.add(name);
  }
}
