// What is known of the files of the workspace: per folder the names in it, per file its figures and hash, and when that
// was looked at. Promises: holds no content; says "absent" only of what a listing showed to be absent; tells every turn
// that runs of each difference before it takes it over. Leaves looking to `look.ts`.

import { basename, dirname, join, sep } from 'node:path';
import type { IgnoreFile } from '../ignore.ts';
import type { Figures } from './steadyRead.ts';

export interface FileEntry extends Figures {
  /** Null: not read, as it is large or did not stand still. */
  readonly sha256: string | null;
  /** It was so young when it was read that it may change without other figures. */
  readonly isYoung: boolean;
  readonly seenAt: number;
}

export interface FolderEntry {
  readonly figures: Figures;
  readonly isYoung: boolean;
  readonly seenAt: number;
  /** Since when every event in it is heard. */
  watchedSince: number | null;
  /** Nothing in it counts unless it is named: it is excluded. */
  readonly isPassed: boolean;
  readonly ignoreFiles: readonly IgnoreFile[];
  readonly files: Map<string, FileEntry>;
  readonly folders: Set<string>;
  /** Links, pipes and what is excluded. */
  readonly others: Set<string>;
  /** Files that were listed and not looked at yet, with what was known of them before. */
  readonly unread: Map<string, Known>;
}

/** `seenAt` counts looks and beginnings of turns in their order. */
export type Known =
  | { readonly kind: 'file'; readonly entry: FileEntry; readonly seenAt: number; readonly isWatched: boolean }
  | { readonly kind: 'absent'; readonly seenAt: number; readonly isWatched: boolean }
  | { readonly kind: 'unknown' };

/** Told before the stock takes over what is new. */
export interface Onlooker {
  /** A file with these figures is what it was when the onlooker began. */
  isAsItWas(path: string, figures: Figures): boolean;
  /** `old` is what was known of it, `isTop` that no folder of the workspace is above it. */
  folderSeen(path: string, old: FolderEntry | null, now: Figures, isTop: boolean): void;
  folderAppeared(path: string, old: Known, above: Figures): void;
  folderGone(path: string, old: FolderEntry, unreadBelow: readonly string[], above: Figures | null): void;
  /** `above` is the folder of which the listing shows that it is gone. */
  fileSeen(path: string, old: Known, now: FileEntry | null, above: Figures | null): void;
}

export class Stock {
  readonly folders = new Map<string, FolderEntry>();
  readonly onlookers = new Set<Onlooker>();
  fileCount = 0;
  /** What is excluded is other than when the folders were listed. */
  hasNewRules = false;
  private readonly onGone: (folder: string) => void;
  private ticks = 0;

  constructor(onGone: (folder: string) => void) {
    this.onGone = onGone;
  }

  /** The number of what happens next. */
  tick(): number {
    return ++this.ticks;
  }

  fileAt(path: string): FileEntry | null {
    return this.folders.get(dirname(path))?.files.get(basename(path)) ?? null;
  }

  /** Of a file: a folder is none. */
  known(path: string): Known {
    const above = dirname(path);
    const name = basename(path);
    const folder = this.folders.get(above);
    if (!folder) {
      if (above === path) return { kind: 'unknown' };
      if (this.folders.get(dirname(above))?.folders.has(basename(above))) return { kind: 'unknown' };
      const folderItself = this.known(above);
      // What is a file or nothing has nothing in it.
      return folderItself.kind === 'unknown' ? folderItself : { ...folderItself, kind: 'absent' };
    }
    const isWatched = (since: number) => folder.watchedSince !== null && folder.watchedSince <= since;
    const unread = folder.unread.get(name);
    if (unread) return unread;
    const entry = folder.files.get(name);
    if (entry) return { kind: 'file', entry, seenAt: entry.seenAt, isWatched: isWatched(entry.seenAt) };
    if (folder.others.has(name)) return { kind: 'unknown' };
    return { kind: 'absent', seenAt: folder.seenAt, isWatched: isWatched(folder.seenAt) };
  }

  /** The file is this now, or absent. */
  setFile(path: string, now: FileEntry | null, above: Figures | null = null): void {
    const folder = this.folders.get(dirname(path));
    const name = basename(path);
    const old = this.known(path);
    for (const one of this.onlookers) one.fileSeen(path, old, now, above);
    if (!folder) return;
    if (name === '.gitignore' && old.kind !== 'unknown' && !isSameFile(old, now)) this.hasNewRules = true;
    this.fileCount += (now ? 1 : 0) - (folder.files.has(name) ? 1 : 0);
    folder.unread.delete(name);
    if (now) {
      folder.files.set(name, now);
      folder.others.delete(name);
    } else folder.files.delete(name);
  }

  /** The same as before, looked at again. */
  stillIs(folder: FolderEntry, name: string, entry: FileEntry, seenAt: number): void {
    folder.unread.delete(name);
    folder.files.set(name, { ...entry, seenAt });
  }

  /** A listing of it: all that its entry did not have is told, and then it is taken over. */
  setFolder(path: string, now: Omit<FolderEntry, 'files' | 'unread'>, fileNames: ReadonlySet<string>, isTop: boolean) {
    const old = this.folders.get(path) ?? null;
    for (const one of this.onlookers) one.folderSeen(path, old, now.figures, isTop);
    const unread = new Map<string, Known>();
    const files = new Map<string, FileEntry>();
    for (const name of fileNames) {
      const entry = old?.files.get(name);
      if (entry) files.set(name, entry);
      else unread.set(name, this.known(join(path, name)));
    }
    const appeared = [...now.folders].filter(name => !old?.folders.has(name));
    const appearedFrom = appeared.map(name => this.known(join(path, name)));
    const gone = [...(old?.files.keys() ?? []), ...(old?.unread.keys() ?? [])].filter(name => !fileNames.has(name));
    for (const name of gone) this.setFile(join(path, name), null, now.figures);
    for (const name of [...(old?.folders ?? []), ...(old?.others ?? [])])
      if (!now.folders.has(name) && !now.others.has(name)) this.forgetFolder(join(path, name), now.figures);
    if (old)
      for (const [at, name] of appeared.entries())
        for (const one of this.onlookers)
          one.folderAppeared(join(path, name), appearedFrom[at] ?? { kind: 'unknown' }, now.figures);
    this.folders.set(path, { ...now, files, unread });
  }

  /** It is no more, with all that is below it, or another one has its name; `above` tells since when at the latest. */
  forgetFolder(path: string, above: Figures | null): void {
    const folder = this.folders.get(path);
    if (!folder) return;
    const below = [...folder.folders, ...folder.others].map(name => join(path, name));
    const unreadBelow = [...folder.folders].map(name => join(path, name)).filter(one => !this.folders.has(one));
    for (const one of below) this.forgetFolder(one, above);
    for (const name of [...folder.files.keys(), ...folder.unread.keys()]) this.setFile(join(path, name), null, above);
    for (const one of this.onlookers) one.folderGone(path, folder, unreadBelow, above);
    this.folders.delete(path);
    this.onGone(path);
  }

  /** What happens in it and below is not heard from now on; without a path, nowhere. */
  deafen(path: string | null): void {
    for (const [at, folder] of this.folders)
      if (path === null || at === path || at.startsWith(path + sep)) folder.watchedSince = null;
  }

  clear(): void {
    this.folders.clear();
    this.fileCount = 0;
    this.hasNewRules = false;
  }
}

export function isSameFile(one: Known | FileEntry | null, other: FileEntry | null): boolean {
  const entry = one && 'kind' in one ? (one.kind === 'file' ? one.entry : null) : one;
  if (!entry || !other) return entry === other;
  if (entry.sha256 !== null && other.sha256 !== null) return entry.sha256 === other.sha256;
  return (
    entry.size === other.size && entry.mtime === other.mtime && entry.ctime === other.ctime && entry.ino === other.ino
  );
}
