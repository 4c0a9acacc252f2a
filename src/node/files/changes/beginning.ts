// What the files were when one turn began, told apart from what they became, although looking takes time. Promises: what
// it gives was seen; what may have been changed before anybody looked is unknown. A file or folder whose times are clearly
// before the beginning is what it was; the others count as they were seen earlier, where every event since was heard.

import { dirname } from 'node:path';
import { isSameFile, type FileEntry, type FolderEntry, type Known } from './stock.ts';
import { areSame, type Figures } from './steadyRead.ts';

/** Null: there was none. */
export type Before = FileEntry | 'unknown' | null;

/** The clock of a disk goes in steps of this size at most. */
export const unsureMs = 20;

type Mark = 'sure' | 'absent' | 'unsure';

export class Beginning {
  private readonly beganAt: number;
  private readonly sureBefore: number;
  private readonly pending: ReadonlySet<string>;
  /** Only of files that did not stay what they were. */
  private readonly befores = new Map<string, Before>();
  /** Files that are what they were when somebody first looked, which may not be what they began as. */
  private readonly doubted = new Set<string>();
  /** Whether names that a folder does not hold were absent: all are (`absent`), some may have been (`unsure`). */
  private readonly marks = new Map<string, Mark>();
  private readonly tops = new Set<string>();

  /** `beganAt` is a tick of the stock; `pending` were changed before, as an event said, and not looked at since. */
  constructor(beganAt: number, now: number, pending: ReadonlySet<string>) {
    this.beganAt = beganAt;
    this.sureBefore = now - unsureMs;
    this.pending = pending;
  }

  /** The contents that are needed to show what was. */
  get hashes(): readonly string[] {
    return [...this.befores.values()].flatMap(before => (before && before !== 'unknown' ? (before.sha256 ?? []) : []));
  }

  /** Undefined where it did not change since. */
  before(path: string): Before | undefined {
    return this.befores.get(path);
  }

  /** Whoever wrote it knows better. */
  correct(path: string, before: Before): void {
    this.befores.set(path, before);
  }

  /** It began as it is now. */
  settle(path: string): void {
    this.befores.delete(path);
    this.doubted.delete(path);
  }

  /** Old times do not tell it of a file that came with its folder, or came back. */
  isAsItWas(path: string, figures: Figures): boolean {
    return this.isBefore(figures) && this.markAt(dirname(path)) !== 'absent' && !this.befores.has(path);
  }

  fileSeen(path: string, old: Known, now: FileEntry | null, above: Figures | null): void {
    if (this.befores.has(path)) return;
    const before = this.judge(path, old, now, above);
    if (before !== undefined) this.befores.set(path, before);
  }

  folderSeen(path: string, old: FolderEntry | null, now: Figures, isTop: boolean): void {
    if (isTop) this.tops.add(path);
    if (old && old.seenAt >= this.beganAt) return;
    const above = this.markAt(dirname(path));
    if (above === 'absent' || this.marks.has(path)) return;
    const isAsBefore = old !== null && (isHeard(old) || (areSame(old.figures, now) && !old.isYoung));
    // One that was moved here has a new time, and so has one that merely holds another file now.
    const isHere = isTop || old !== null || above === 'sure' || this.tops.has(dirname(path));
    this.marks.set(path, isAsBefore || (isHere && this.isBefore(now)) ? 'sure' : 'unsure');
  }

  folderAppeared(path: string, old: Known, above: Figures): void {
    if (old.kind === 'unknown' || this.marks.has(path)) return;
    if (old.seenAt < this.beganAt) {
      if (this.isBefore(above)) return;
      this.marks.set(path, old.isWatched && !this.isPending(path) ? 'absent' : 'unsure');
    } else if (old.kind === 'file') this.marks.set(path, this.befores.get(path) === 'unknown' ? 'unsure' : 'absent');
    else this.marks.set(path, this.markAt(dirname(path)) === 'unsure' ? 'unsure' : 'absent');
  }

  folderGone(path: string, old: FolderEntry, unreadBelow: readonly string[], above: Figures | null): void {
    if (old.seenAt < this.beganAt && above && this.isBefore(above)) return;
    const isSure = old.seenAt < this.beganAt ? isHeard(old) : this.markAt(path) !== 'unsure';
    this.marks.set(path, isSure ? 'absent' : 'unsure');
    for (const one of unreadBelow) this.marks.set(one, 'unsure');
  }

  /** Undefined where it is what it was. */
  private judge(path: string, old: Known, now: FileEntry | null, above: Figures | null): Before | undefined {
    const mark = this.markAt(dirname(path));
    if (old.kind === 'unknown') {
      if (!now) return undefined;
      if (mark === 'absent') return null;
      if (!this.isBefore(now)) return 'unknown';
      if (mark === 'unsure' && !this.tops.has(dirname(path))) this.doubted.add(path);
      return undefined;
    }
    if (old.seenAt >= this.beganAt) {
      if (isSameFile(old, now)) return undefined;
      if (old.kind === 'file') return this.doubted.has(path) ? 'unknown' : old.entry;
      return mark === 'unsure' ? 'unknown' : null;
    }
    if (old.kind === 'absent' && mark === 'absent') return null;
    const times = now ?? above;
    if (times && this.isBefore(times)) return undefined;
    const wasHeard = old.isWatched && !this.isPending(path);
    if (isSameFile(old, now)) {
      // It may have been something else in between, and when the turn began.
      if (old.kind === 'file' && now && !areSame(old.entry, now) && !wasHeard) this.doubted.add(path);
      return undefined;
    }
    if (!wasHeard) return 'unknown';
    return old.kind === 'file' ? old.entry : null;
  }

  /** An event of a folder may be all that tells of what is in it. */
  private isPending(path: string): boolean {
    if (this.pending.size === 0) return false;
    for (let at = path; at !== dirname(at); at = dirname(at)) if (this.pending.has(at)) return true;
    return false;
  }

  private isBefore({ mtime, ctime }: Figures): boolean {
    return mtime < this.sureBefore && ctime < this.sureBefore;
  }

  /** The nearest above it, itself included; where there is none, nobody had a reason to doubt. */
  private markAt(path: string): Mark {
    for (let at = path; ; at = dirname(at)) {
      const mark = this.marks.get(at);
      if (mark) return mark;
      if (at === dirname(at)) return 'sure';
    }
  }
}

function isHeard({ watchedSince, seenAt }: FolderEntry): boolean {
  return watchedSince !== null && watchedSince <= seenAt;
}
