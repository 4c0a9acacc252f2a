// Hears of changes in folders while somebody listens. On Linux each folder is watched by itself: the recursive watch of
// Node.js walks the whole tree there before it returns, heavy folders and every single file included. Elsewhere the system
// watches a whole tree. Promises: a system that gives no more watches costs only that fewer changes are heard.

import { watch as systemWatch, type FSWatcher } from 'node:fs';
import { basename, join } from 'node:path';

export type Watch = (
  folder: string,
  options: { readonly persistent: false; readonly recursive: boolean },
  onEvent: (kind: string, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

export interface HearingOptions {
  readonly watch?: Watch;
  /** `path` is a file or a folder that may be another now, or a folder of which nothing more is known. */
  readonly onEvent: (path: string) => void;
  /** What happens in it, or anywhere below, may not be heard any more. */
  readonly onDeaf: (folder: string) => void;
}

export interface Heard {
  readonly times: number;
  /** Nobody heard before. */
  readonly isNew: boolean;
}

const isRecursive = process.platform !== 'linux';
/** The system's own limit is shared with all other programs of the person. */
const mostWatches = 4096;

export class Hearing {
  private readonly options: HearingOptions;
  private readonly watches = new Map<string, Pick<FSWatcher, 'close' | 'on'>>();
  private tops: readonly string[] = [];
  private isOn = false;
  private isFull = false;
  /** How often listening ended. */
  private times = 0;

  constructor(options: HearingOptions) {
    this.options = options;
  }

  get isListening(): boolean {
    return this.isOn;
  }

  listen(tops: readonly string[]): void {
    this.isOn = true;
    this.tops = tops;
    if (isRecursive) for (const top of tops) this.open(top);
  }

  /** Where everything that happens in this folder from now on is heard. */
  hear(folder: string): Heard | null {
    const isNew = !this.watches.has(folder);
    if (this.isOn && !isRecursive) this.open(folder);
    const heard = { times: this.times, isNew: isNew && !isRecursive };
    return this.stillHears(folder, heard) ? heard : null;
  }

  stillHears(folder: string, { times }: Heard): boolean {
    if (!this.isOn || times !== this.times) return false;
    if (!isRecursive) return this.watches.has(folder);
    return this.tops.some(top => this.watches.has(top) && (folder === top || folder.startsWith(join(top, '/'))));
  }

  /** Nothing has this name any more. */
  leave(folder: string): void {
    this.watches.get(folder)?.close();
    this.watches.delete(folder);
  }

  /** The caller sees to it that nothing counts as heard. */
  stop(): void {
    this.isOn = false;
    this.times++;
    this.isFull = false;
    for (const watch of this.watches.values()) watch.close();
    this.watches.clear();
  }

  private open(folder: string): void {
    if (this.watches.has(folder) || this.isFull) return;
    const { watch = systemWatch as Watch, onEvent, onDeaf } = this.options;
    try {
      const opened = watch(folder, { persistent: false, recursive: isRecursive }, (kind, name) => {
        // Of itself it tells so too, for the last time: whatever has its name now is another folder.
        if (!isRecursive && kind === 'rename' && name === basename(folder)) {
          // What was heard until now stays heard, and what comes next is pending until somebody looks.
          opened.close();
          if (this.watches.get(folder) === opened) this.watches.delete(folder);
          onEvent(folder);
        }
        onEvent(name === null ? folder : join(folder, name));
      });
      opened.on('error', () => {
        if (this.watches.get(folder) !== opened) return;
        this.leave(folder);
        onDeaf(folder);
      });
      this.watches.set(folder, opened);
      this.isFull = this.watches.size >= mostWatches;
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : '';
      // There are no more to be had: asking for each folder would only cost time.
      if (code === 'ENOSPC' || code === 'EMFILE') this.isFull = true;
    }
  }
}
