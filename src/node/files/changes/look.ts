// Looks at one folder of the workspace and at files in it, and tells the stock. Promises: follows no link; reads only what
// has other figures than before, in small steps; what may not be read, or cannot for a moment, stays as it was known; one
// folder is looked at by one look at a time, and a look that is called off leaves what it did not see unread. A name that
// is no UTF-8 cannot be said, and is passed over.

import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../core/ports.ts';
import { systemCodeOf } from '../../atomicWrite.ts';
import { Moved, pinFolder, type PinnedFolder } from '../pinned.ts';
import { unsureMs } from './beginning.ts';
import type { Heard, Hearing } from './hearing.ts';
import type { IgnoreFile } from '../ignore.ts';
import { largestKept, type Kept } from './kept.ts';
import { inLanes } from './lanes.ts';
import { isPassed, rulesAbove, withOwnRules } from './passed.ts';
import type { FolderEntry, Stock } from './stock.ts';
import { areSame, figuresOf, steadyRead, type Figures } from './steadyRead.ts';

export interface LookOptions {
  readonly stock: Stock;
  readonly kept: Kept;
  readonly clock: Clock;
  readonly mostFiles: number;
  /** What is the extension's own, and never looked at. */
  readonly isOwn: (path: string) => boolean;
  /** A turn named it: it counts although it is excluded, or larger than what a walk reads. */
  readonly isNamed: (path: string) => boolean;
  /** Its content is never kept. */
  readonly isSecret: (path: string) => boolean;
  readonly hearing: Pick<Hearing, 'hear' | 'stillHears' | 'leave'>;
  readonly onTooMany: () => void;
}

/** Which files of a folder: all, or these, and those that are new in it where `isNewToo`. */
export interface Want {
  readonly names: ReadonlySet<string> | 'all';
  readonly isNewToo: boolean;
  /** False: what nobody saw before and what is older than every turn that runs is not read. */
  readonly readsOld: boolean;
  readonly isOver: () => boolean;
}

const largestWalked = 1024 * 1024;
const lanes = 4;

export class Look {
  private readonly options: LookOptions;
  private readonly busy = new Map<string, Promise<unknown>>();
  private readonly tops = new Map<string, readonly IgnoreFile[]>();

  constructor(options: LookOptions) {
    this.options = options;
  }

  /** The folders in it that are to be looked at as well: all, or the new ones. */
  folder(path: string, isTop: boolean, want: Want): Promise<readonly string[]> {
    const looked = (this.busy.get(path) ?? Promise.resolve()).then(() => this.lookAt(path, isTop, want));
    const settled = looked.catch(() => {
      // Whoever asked is told.
    });
    this.busy.set(path, settled);
    void settled.then(() => {
      if (this.busy.get(path) === settled) this.busy.delete(path);
    });
    return looked;
  }

  private async lookAt(path: string, isTop: boolean, want: Want): Promise<readonly string[]> {
    const { stock, hearing } = this.options;
    if (want.isOver()) return [];
    // What happens from here on is heard, and what happened before is seen.
    const heard = hearing.hear(path);
    const seenAt = stock.tick();
    let pin: PinnedFolder;
    try {
      pin = await pinFolder(path, false);
    } catch (cause) {
      const isGone = cause instanceof Moved || ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCodeOf(cause));
      if (isGone) await this.forgetGone(path, isTop, seenAt);
      // Whatever else it is, its files are not known to be others.
      return [];
    }
    try {
      return await this.inside(pin, path, isTop, want, seenAt, heard);
    } catch (cause) {
      if (cause instanceof Moved || systemCodeOf(cause) !== '') return [];
      throw cause;
    } finally {
      await pin.close();
    }
  }

  private async inside(
    pin: PinnedFolder,
    path: string,
    isTop: boolean,
    want: Want,
    seenAt: number,
    heard: Heard | null,
  ): Promise<readonly string[]> {
    const { stock, clock, hearing } = this.options;
    let since = heard;
    const now = clock.now();
    const figures = figuresOf(await stat(pin.at));
    let old = stock.folders.get(path) ?? null;
    if (old && old.figures.ino !== figures.ino) {
      // Another folder has the name. What was below the first is gone.
      stock.forgetFolder(path, figures);
      old = null;
      since = hearing.hear(path);
    }
    // To be asked last: it may have ended while we looked.
    const watchedSince = () => {
      if (since === null || !hearing.stillHears(path, since)) return null;
      return since.isNew ? seenAt : (stock.folders.get(path)?.watchedSince ?? seenAt);
    };
    const about = { figures, isYoung: isYoung(figures, now), seenAt };
    let folder: FolderEntry;
    if (old && !old.isYoung && areSame(old.figures, figures)) {
      folder = { ...old, ...about, watchedSince: watchedSince() };
      for (const one of stock.onlookers) one.folderSeen(path, old, figures, isTop);
      stock.folders.set(path, folder);
    } else folder = await this.list(pin, path, isTop, about, watchedSince);
    const fresh = [...folder.folders].filter(name => want.names === 'all' || !old?.folders.has(name));
    this.takeUpNamed(path, folder, want);
    const names = want.names === 'all' ? new Set([...folder.files.keys(), ...folder.unread.keys()]) : want.names;
    const looked = want.isNewToo ? new Set([...names, ...folder.unread.keys()]) : names;
    await inLanes([...looked], lanes, async name => {
      if (!want.isOver() && (folder.files.has(name) || folder.unread.has(name)))
        await this.file(pin, path, folder, name, want, seenAt);
    });
    return fresh.map(name => join(path, name));
  }

  private async list(
    pin: PinnedFolder,
    path: string,
    isTop: boolean,
    about: Pick<FolderEntry, 'figures' | 'isYoung' | 'seenAt'>,
    watchedSince: () => number | null,
  ): Promise<FolderEntry> {
    const { stock, isOwn, mostFiles, onTooMany } = this.options;
    const old = stock.folders.get(path);
    const above = isTop ? await this.rulesAboveTop(path) : this.rulesFrom(dirname(path));
    const passed = !isTop && (this.isInPassed(dirname(path)) || isPassed(above, path, true));
    const ignoreFiles = await withOwnRules(above, path, pin.at);
    const files = new Set<string>();
    const folders = new Set<string>();
    const others = new Set<string>();
    let room = mostFiles - stock.fileCount + (old?.files.size ?? 0);
    for await (const entry of await opendir(pin.at, { bufferSize: 256 })) {
      const { name } = entry;
      const full = join(path, name);
      const isFolder = entry.isDirectory();
      const isKnown = isFolder ? old?.folders.has(name) : old?.files.has(name);
      // While a turn runs, a new rule does not hide what was looked at before.
      const isChosen = isKnown === true || (!isFolder && this.isNamed(full));
      const counts = isChosen || !(passed || isPassed(ignoreFiles, full, isFolder));
      if (!counts || isOwn(full) || !(isFolder || entry.isFile())) others.add(name);
      else if (isFolder) folders.add(name);
      else if (isChosen || room-- > 0) files.add(name);
      else {
        others.add(name);
        onTooMany();
      }
    }
    await pin.check();
    const found = { isPassed: passed, ignoreFiles, folders, others };
    stock.setFolder(path, { ...about, ...found, watchedSince: watchedSince() }, files, isTop);
    const folder = stock.folders.get(path);
    if (!folder) throw new Error('The folder was just set.');
    return folder;
  }

  /** Files that were passed over until somebody named them. */
  private takeUpNamed(path: string, folder: FolderEntry, { names }: Want): void {
    if (names === 'all') return;
    for (const name of names) {
      const full = join(path, name);
      if (folder.others.has(name) && this.isNamed(full)) folder.unread.set(name, this.options.stock.known(full));
    }
  }

  private isNamed(path: string): boolean {
    return this.options.isNamed(path) && !this.options.isOwn(path);
  }

  private async file(
    pin: PinnedFolder,
    path: string,
    folder: FolderEntry,
    name: string,
    want: Want,
    seenAt: number,
  ): Promise<void> {
    const { stock, kept, clock, isSecret } = this.options;
    const full = join(path, name);
    const now = clock.now();
    const about = await orCode(lstat(join(pin.at, name)));
    if (typeof about === 'string') {
      if (about === 'ENOENT') stock.setFile(full, null);
      return;
    }
    if (!about.isFile()) {
      stock.setFile(full, null);
      folder.others.add(name);
      return;
    }
    const figures = figuresOf(about);
    const entry = folder.files.get(name);
    const isSame = entry !== undefined && areSame(entry, figures) && !entry.isYoung;
    const isLarge = figures.size > largestWalked;
    const isNews = entry !== undefined ? !isSame : !this.isAsItWas(full, figures);
    const isWanted = this.isNamed(full) || isNews || (!isLarge && want.readsOld);
    const isDone = entry?.sha256 != null && (isLarge || kept.isSettled(entry.sha256) || isSecret(full));
    if (isSame && (isDone || !isWanted)) {
      stock.stillIs(folder, name, entry, seenAt);
      return;
    }
    const unread = { ...figures, sha256: null, isYoung: isYoung(figures, now), seenAt };
    const read = isWanted ? await orCode(steadyRead(pin, name, largestKept)) : 'not wanted';
    if (read === null || read === 'ENOENT' || read === 'ELOOP') stock.setFile(full, null);
    else if (read === 'EACCES' || read === 'EPERM') {
      // Who may read it changed, and not what it holds.
      const isMode = entry?.ino === figures.ino && entry.mtime === figures.mtime && entry.size === figures.size;
      if (!isMode) stock.setFile(full, unread);
    } else if (read === 'not wanted') stock.setFile(full, unread);
    else if (typeof read !== 'string') {
      if (read.sha256 !== null && read.bytes && !isSecret(full)) await kept.put(read.sha256, read.bytes);
      stock.setFile(full, { ...read.figures, sha256: read.sha256, isYoung: isYoung(read.figures, now), seenAt });
    }
  }

  /** No turn has to know its content: it did not change since. */
  private isAsItWas(path: string, figures: Figures): boolean {
    return [...this.options.stock.onlookers].every(one => one.isAsItWas(path, figures));
  }

  private async forgetGone(path: string, isTop: boolean, seenAt: number): Promise<void> {
    const { stock } = this.options;
    const old = stock.folders.get(path);
    if (isTop && old) {
      // Nothing tells when it went.
      const figures = { ...old.figures, mtime: Infinity, ctime: Infinity };
      const empty = { folders: new Set<string>(), others: new Set<string>(), watchedSince: null };
      stock.setFolder(path, { ...old, ...empty, figures, seenAt, isYoung: true }, new Set(), true);
      this.options.hearing.leave(path);
      return;
    }
    stock.forgetFolder(path, await this.figuresAbove(path));
    stock.folders.get(dirname(path))?.folders.delete(basename(path));
  }

  /** Of the nearest folder above one that is gone: it changed when that went, or later. Null where it is another one. */
  private async figuresAbove(path: string): Promise<Figures | null> {
    const parent = dirname(path);
    const known = this.options.stock.folders.get(parent);
    if (!known) return null;
    const found = await orCode(lstat(parent));
    if (typeof found === 'string') return found === 'ENOENT' ? this.figuresAbove(parent) : null;
    const figures = figuresOf(found);
    return found.isDirectory() && figures.ino === known.figures.ino ? figures : null;
  }

  private isInPassed(path: string): boolean {
    return this.options.stock.folders.get(path)?.isPassed ?? false;
  }

  private rulesFrom(path: string): readonly IgnoreFile[] {
    return this.options.stock.folders.get(path)?.ignoreFiles ?? [];
  }

  private async rulesAboveTop(path: string): Promise<readonly IgnoreFile[]> {
    const known = this.tops.get(path) ?? (await rulesAbove(path));
    this.tops.set(path, known);
    return known;
  }
}

/** What was changed a moment ago may change again without another time. */
function isYoung({ mtime, ctime }: Figures, now: number): boolean {
  return Math.max(mtime, ctime) > now - unsureMs;
}

/** What the system said instead, by its code; everything else is thrown. */
async function orCode<Result>(work: Promise<Result>): Promise<Result | string> {
  return work.catch((cause: unknown) => {
    const code = systemCodeOf(cause);
    if (code === '') throw cause;
    return code;
  });
}
