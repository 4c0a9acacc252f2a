// The folders of the workspace while somebody may change them: walks over them, hears what happens in them, and looks at
// what somebody names. Promises: one walk at a time, and a new one calls the old one off; the watches are open only while
// they are needed. Leaves to the turns what a difference means.

import { basename, dirname, join, resolve } from 'node:path';
import type { Clock } from '../../../core/ports.ts';
import { pinFolder } from '../pinned.ts';
import { Hearing, type Watch } from './hearing.ts';
import { Kept, largestKept } from './kept.ts';
import { inLanes } from './lanes.ts';
import { Look, type Want } from './look.ts';
import { Places } from './places.ts';
import { Stock } from './stock.ts';
import { steadyRead } from './steadyRead.ts';
import { Swarm } from './swarm.ts';
import type { Turn } from './turn.ts';

export interface WorkspaceOptions {
  /** Absolute. Asked for each time that stock is taken. */
  readonly folders: () => readonly string[];
  /** A folder of the extension's own for what files held. */
  readonly store: string;
  /** Folders that are the extension's own. */
  readonly own: readonly string[];
  readonly clock: Clock;
  /** A sentence for a person. */
  readonly onWarning: (words: string) => void;
  readonly watch?: Watch;
  readonly mostFiles?: number;
  readonly mostKept?: number;
}

const preparedMs = 60_000;
/** After which a walk is made again when a turn may begin. */
const freshMs = 5000;
const lanes = 3;
const never = () => false;

export class Workspace {
  readonly turns = new Set<Turn>();
  readonly stock: Stock;
  readonly kept: Kept;
  readonly places: Places;
  private readonly clock: Clock;
  private readonly look: Look;
  private readonly hearing: Hearing;
  private readonly swarm: Swarm;
  private cancelRest: (() => void) | null = null;
  private walk: Promise<void> = Promise.resolve();
  private finding: Promise<void> = Promise.resolve();
  private walks = 0;
  private isWalking = false;
  private walkedAt = -Infinity;
  private preparedAt = -Infinity;
  private readonly unkeptTurns = new Set<Turn>();
  private isPreparedUnkept = false;
  private isClosed = false;
  private hasTooMany = false;

  constructor(options: WorkspaceOptions) {
    const { clock, onWarning, store, watch } = options;
    this.clock = clock;
    this.places = new Places({ folders: options.folders, own: [...options.own, store] });
    this.kept = new Kept({ store, mostBytes: options.mostKept ?? 256 * 1024 * 1024, onWarning });
    this.hearing = new Hearing({
      ...(watch ? { watch } : {}),
      onEvent: path => this.heard(path),
      onDeaf: folder => this.stock.deafen(folder),
    });
    this.swarm = new Swarm(clock, (folders, isOver) =>
      inLanes([...folders], lanes, ([folder, names]) => this.lookAtHeard(folder, names, isOver)),
    );
    this.stock = new Stock(folder => this.hearing.leave(folder));
    const mostFiles = options.mostFiles ?? 50_000;
    this.look = new Look({
      stock: this.stock,
      kept: this.kept,
      clock,
      mostFiles,
      isOwn: path => this.places.isOwn(path),
      isNamed: path => [...this.turns].some(turn => turn.hasNamed(path)),
      isSecret: path => this.places.isSecret(path),
      hearing: this.hearing,
      onTooMany: () => {
        if (!this.hasTooMany)
          onWarning(`Of this workspace, changes of ${mostFiles} files are seen, and not of the rest.`);
        this.hasTooMany = true;
      },
    });
  }

  prepare(unkept = false): void {
    if (unkept) this.isPreparedUnkept = true;
    this.keepWhere();
    this.preparedAt = this.clock.now();
    this.restLater();
    const isFresh = this.hearing.isListening && this.clock.now() - this.walkedAt < freshMs;
    if (!this.isClosed && !this.isWalking && !isFresh) this.takeStock();
  }

  /** Of one that is unkept, what files hold while it runs stays in memory. */
  join(turn: Turn, unkept: boolean): void {
    this.turns.add(turn);
    if (unkept) this.unkeptTurns.add(turn);
    this.keepWhere();
    this.stock.onlookers.add(turn);
    this.cancelRest?.();
    this.takeStock();
  }

  leave(turn: Turn): void {
    this.turns.delete(turn);
    this.unkeptTurns.delete(turn);
    this.stock.onlookers.delete(turn);
    if (this.turns.size > 0) this.takeStock();
    else this.restLater();
  }

  /** What events told of and nobody looked at yet. */
  pendingPaths(): ReadonlySet<string> {
    return this.swarm.paths();
  }

  /** First what somebody named or an event told of, then all, until it is over: then false. */
  async lastLook(named: readonly string[], isOver: () => boolean): Promise<boolean> {
    await this.finding;
    this.callOffWalk();
    await this.swarm.lookNow(isOver);
    await this.lookAtNamed(named, isOver);
    await this.walkFrom(this.places.tops, { ...everything, readsOld: false, isOver });
    return !isOver();
  }

  async lookAtNamed(paths: readonly string[], isOver = never): Promise<void> {
    await this.finding;
    await inLanes(paths, lanes, async path => {
      const top = this.places.topOf(path);
      if (top === null || this.places.isOwn(path) || path === top) return;
      const folder = dirname(path);
      // Whether it was absent, the listings of all that is above it tell.
      for (const above of between(top, folder))
        if (!this.stock.folders.has(above)) await this.look.folder(above, above === top, { ...namesOnly, isOver });
      const names = new Set([basename(path)]);
      await this.look.folder(folder, folder === top, { ...namesOnly, names, isOver });
    });
  }

  /** Null where neither the store nor the disk has it. */
  async contentOf(path: string, sha256: string): Promise<Uint8Array | null> {
    const kept = await this.kept.get(sha256);
    if (kept) return kept;
    try {
      const folder = await pinFolder(dirname(path), false);
      try {
        const read = await steadyRead(folder, basename(path), largestKept);
        return read?.sha256 === sha256 ? read.bytes : null;
      } finally {
        await folder.close();
      }
    } catch {
      // It is gone, or nobody may read it.
      return null;
    }
  }

  async settled(): Promise<void> {
    for (let walks = -1; walks !== this.walks || !this.swarm.isEmpty;) {
      walks = this.walks;
      await this.walk;
      await this.swarm.lookNow(never);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.callOffWalk();
    this.stopListening();
    this.cancelRest?.();
    await this.walk;
    await this.swarm.lookNow(() => true);
    await this.kept.close();
  }

  private takeStock(): void {
    const walk = ++this.walks;
    const isOver = () => this.isClosed || walk !== this.walks;
    this.isWalking = true;
    this.finding = this.find();
    this.walk = this.takeStockNow(isOver)
      .catch(() => {
        // What it did not come to is not known, and the next walk looks again.
      })
      .then(() => {
        if (walk === this.walks) this.isWalking = false;
      });
  }

  private callOffWalk(): void {
    this.walks++;
    this.isWalking = false;
  }

  private async takeStockNow(isOver: () => boolean): Promise<void> {
    await this.finding;
    await this.kept.check();
    await this.walkFrom(this.places.tops, { ...everything, isOver });
    if (isOver()) return;
    this.walkedAt = this.clock.now();
    await this.sweep();
  }

  private async find(): Promise<void> {
    const before = this.places.tops;
    await this.places.find(this.turns.size > 0);
    if (this.isClosed) return;
    const isOther = before.join('\n') !== this.places.tops.join('\n');
    if (this.turns.size === 0 && (isOther || this.stock.hasNewRules)) {
      this.stopListening();
      this.stock.clear();
    }
    this.hearing.listen(this.places.tops);
  }

  private async walkFrom(folders: readonly string[], want: Want): Promise<void> {
    for (let level = folders; level.length > 0 && !want.isOver();) {
      const next: string[] = [];
      await inLanes(level, lanes, async folder => {
        next.push(...(await this.look.folder(folder, this.places.tops.includes(folder), want)));
      });
      level = next;
    }
  }

  private heard(path: string): void {
    let [folder, name] = [dirname(path), basename(path)];
    while (!this.stock.folders.has(folder)) {
      if (folder === dirname(folder)) return;
      [folder, name] = [dirname(folder), basename(folder)];
    }
    const isBelowOthers = join(folder, name) !== path && this.stock.folders.get(folder)?.others.has(name);
    if (isBelowOthers || this.places.isOwn(path)) return;
    this.swarm.add(folder, name);
  }

  private async lookAtHeard(folder: string, names: ReadonlySet<string>, isOver: () => boolean): Promise<void> {
    // Another folder may have the name now.
    const known = [...names].map(name => join(folder, name)).filter(path => this.stock.folders.has(path));
    const isTop = this.places.tops.includes(folder);
    const fresh = await this.look.folder(folder, isTop, {
      ...namesOnly,
      names,
      isNewToo: true,
      readsOld: true,
      isOver,
    });
    const again = known.filter(path => this.stock.folders.get(path)?.isPassed === false);
    await this.walkFrom([...fresh, ...again], { ...everything, isOver });
  }

  private restLater(): void {
    this.cancelRest?.();
    this.cancelRest = null;
    if (this.turns.size > 0 || this.isClosed) return;
    const left = this.preparedAt + preparedMs - this.clock.now();
    if (left <= 0) this.rest();
    else this.cancelRest = this.clock.after(left, () => this.rest());
  }

  private rest(): void {
    if (this.turns.size > 0) return;
    this.isPreparedUnkept = false;
    this.keepWhere();
    // A walk would open them again.
    this.callOffWalk();
    this.stopListening();
    void this.sweep();
  }

  /** Until all is at rest, and not only to the end of the turn: what is still being looked at then belongs to it too. */
  private keepWhere(): void {
    if (this.unkeptTurns.size > 0) this.isPreparedUnkept = true;
    this.kept.inMemory = this.isPreparedUnkept;
  }

  private stopListening(): void {
    this.hearing.stop();
    this.stock.deafen(null);
    this.swarm.clear();
  }

  private async sweep(): Promise<void> {
    const needed = new Set<string>();
    for (const { files } of this.stock.folders.values())
      for (const { sha256 } of files.values()) if (sha256 !== null) needed.add(sha256);
    for (const turn of this.turns) for (const sha256 of turn.beginning.hashes) needed.add(sha256);
    await this.kept.sweep(needed);
  }
}

const everything: Want = { names: 'all', isNewToo: true, readsOld: true, isOver: never };
const namesOnly: Want = { names: new Set(), isNewToo: false, readsOld: false, isOver: never };

/** The folders from `top` down to `folder`, both included. */
function between(top: string, folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = resolve(folder); at.length >= top.length; at = dirname(at)) {
    found.unshift(at);
    if (at === top) break;
  }
  return found;
}
