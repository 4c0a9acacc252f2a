// Notices what other processes append to the journal: by watching the folder where the system can, and by looking at
// the segments of live writers every second where it cannot. It only says which segments are worth a look, each once
// per turn of the event loop; reading them is the store's.

import { statSync, watch, type FSWatcher } from 'node:fs';
import { parseSegmentName, segmentOf, segmentsIn, withFile } from './journal/segmentName.ts';

const lookEvery = 1000;
/** The coarsest time of a file that is met, as on FAT. */
const coarsest = 2000;

export interface TailPorts {
  readonly journal: string;
  /** The folder of the tombstones, which may not be there yet. */
  readonly erased: string;
  /** This process: what it writes to its own segments is never news. */
  readonly writer: string;
  readonly alive: () => ReadonlySet<string>;
  readonly onNews: (segments: readonly string[]) => void;
}

export class Tail {
  /** How each segment looked when it was looked at last. */
  private readonly looks = new Map<string, string>();
  private readonly news = new Set<string>();
  private telling = false;
  private isStopped = false;
  private listed = -1;
  private graves = -1;
  private names: readonly string[] = [];
  private watcher: FSWatcher | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly ports: TailPorts;

  constructor(ports: TailPorts) {
    this.ports = ports;
  }

  /** `known` are the segments that have been read already: only what is added to them is news. */
  start(known: Iterable<string>): void {
    for (const name of known) this.looks.set(name, '');
    try {
      this.watcher = watch(this.ports.journal, (event, name) => {
        // Its own segments change with each of its records; that one came or went is news.
        if (name !== null) this.add(name, event === 'rename');
      });
      // A folder that goes away ends the watch; the look every second goes on, and finds it when it is back.
      this.watcher.on('error', () => this.watcher?.close());
    } catch {
      // No watch on this file system, or no more of them for this person: the look every second remains.
    }
    this.timer = setInterval(() => this.look(), lookEvery);
    // What came between the reading of the folder and the watch.
    this.look();
  }

  /** `onNews` isn't called any more, also for news that was noticed before. */
  stop(): void {
    this.isStopped = true;
    this.watcher?.close();
    if (this.timer) clearInterval(this.timer);
  }

  private look(): void {
    const { journal, erased, alive } = this.ports;
    const graves = changeTimeOf(erased);
    if (graves !== this.graves) this.tell();
    this.graves = graves;
    try {
      const { mtimeMs } = statSync(journal);
      if (mtimeMs !== this.listed) {
        this.names = segmentsIn(journal);
        // New files are news whoever wrote them: their writer may be dead by now. So are those that went.
        const names = new Set(this.names);
        for (const name of this.names) if (!this.looks.has(name)) this.add(name, true);
        for (const name of this.looks.keys()) {
          if (names.has(name)) continue;
          this.add(name, true);
          this.looks.delete(name);
        }
        this.listed = mtimeMs;
      }
      const writers = alive();
      for (const name of this.names) {
        const writer = parseSegmentName(name)?.writer;
        if (writer === undefined || !writers.has(writer)) continue;
        const look = withFile(journal, name, lookOf);
        if (look === null || look !== this.looks.get(name)) this.add(name, false);
        this.looks.set(name, look ?? '');
      }
    } catch {
      // The folder is away or can't be read, or a segment went while it was looked at: the next look is in a second.
    }
  }

  private add(fileName: string, own: boolean): void {
    const name = segmentOf(fileName);
    if (name === undefined || (!own && parseSegmentName(name)?.writer === this.ports.writer)) return;
    if (!this.looks.has(name)) this.looks.set(name, '');
    this.tell();
    this.news.add(name);
  }

  private tell(): void {
    if (this.telling) return;
    this.telling = true;
    setImmediate(() => {
      if (this.isStopped) return;
      const segments = [...this.news];
      this.news.clear();
      this.telling = false;
      this.ports.onNews(segments);
    });
  }
}

/** -1 for a folder that isn't there or can't be read. */
function changeTimeOf(folder: string): number {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return -1;
  }
}

/**
 * A record that is written into the room of its segment changes the time only, which some systems keep in seconds: null
 * where it was changed so lately that the next change may look the same.
 */
function lookOf(file: string): string | null {
  const { size, mtimeMs } = statSync(file);
  return Math.abs(Date.now() - mtimeMs) < coarsest ? null : `${size} ${mtimeMs}`;
}
