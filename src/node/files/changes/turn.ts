// The files of one turn: which changed, who says so, and which of them another turn that runs changed too. Promises: a
// change that another turn claims and this one does not is not this one's; what only the person saved is nobody's. Leaves
// what was before to `beginning.ts`, and contents to `changeList.ts`.

import type { Clock } from '../../../core/ports.ts';
import type { WatchedTurn } from '../../../core/changes.ts';
import type { FileChange } from '../../../model/changes.ts';
import { Beginning, type Before } from './beginning.ts';
import { isSameFile, type FileEntry, type FolderEntry, type Known, type Onlooker, type Stock } from './stock.ts';
import { areSame, type Figures } from './steadyRead.ts';

/** A file that this turn changed. */
export interface Changed {
  readonly path: string;
  readonly before: Before;
  readonly after: Known;
  readonly seen: FileChange['seen'];
}

/** The times that the disk showed a file to be another than before. */
interface Steps {
  count: number;
  /** Once no other turn ran. */
  wasAlone: boolean;
  readonly others: Set<Turn>;
  /** Around the last of them. */
  previous: Known;
  now: FileEntry | null;
}

/** A save of the person is told this soon after it. */
const saveMs = 2000;

export class Turn implements Onlooker {
  hasEnded = false;
  readonly beginning: Beginning;
  private readonly listener: WatchedTurn;
  private readonly stock: Stock;
  private readonly clock: Clock;
  private readonly running: ReadonlySet<Turn>;
  private readonly onStep: () => void;
  private readonly claims = new Map<string, 'written' | 'told'>();
  private readonly steps = new Map<string, Steps>();
  private readonly clashes = new Set<string>();

  constructor(
    listener: WatchedTurn,
    stock: Stock,
    clock: Clock,
    running: ReadonlySet<Turn>,
    pending: ReadonlySet<string>,
    onStep: () => void,
  ) {
    this.listener = listener;
    this.stock = stock;
    this.clock = clock;
    this.running = running;
    this.onStep = onStep;
    this.beginning = new Beginning(stock.tick(), clock.now(), pending);
  }

  /** All that somebody named. */
  get named(): readonly string[] {
    return [...this.claims.keys()];
  }

  claim(path: string, how: 'written' | 'told'): void {
    if (how === 'written' || !this.claims.has(path)) this.claims.set(path, how);
    if (this.steps.has(path)) this.onStep();
  }

  hasNamed(path: string): boolean {
    return this.claims.has(path);
  }

  hasWritten(path: string): boolean {
    return this.claims.get(path) === 'written';
  }

  /** The first write of this turn to the file was just looked at. */
  wroteFirst(path: string, before: Exclude<Before, 'unknown'>): void {
    const steps = this.steps.get(path);
    if (steps && steps.count > 1) return;
    const now = this.stock.fileAt(path);
    if (!steps && isSameFile(before, now)) return;
    this.beginning.correct(path, before);
    if (!steps) this.step(path, { kind: 'unknown' }, now);
  }

  /** What the person saved, or put back, was just looked at. */
  savedByPerson(path: string): void {
    const steps = this.steps.get(path);
    if (!steps) return;
    const now = this.stock.fileAt(path);
    if (now && steps.now) {
      // Else the person saved what was there already.
      if (!areSame(steps.now, now) || now.mtime < this.clock.now() - saveMs) return;
    } else if (now !== steps.now) return;
    const before = this.beginning.before(path);
    const wasTouched = steps.count > 1 && (before === 'unknown' || !isSameFile(steps.previous, before ?? null));
    if (wasTouched) return;
    this.steps.delete(path);
    this.beginning.settle(path);
    this.onStep();
  }

  isAsItWas(path: string, figures: Figures): boolean {
    return this.beginning.isAsItWas(path, figures);
  }

  fileSeen(path: string, old: Known, now: FileEntry | null, above: Figures | null): void {
    this.beginning.fileSeen(path, old, now, above);
    if (this.beginning.before(path) !== undefined && !isSameFile(old, now)) this.step(path, old, now);
  }

  folderSeen(path: string, old: FolderEntry | null, now: Figures, isTop: boolean): void {
    this.beginning.folderSeen(path, old, now, isTop);
  }

  folderAppeared(path: string, old: Known, above: Figures): void {
    this.beginning.folderAppeared(path, old, above);
  }

  folderGone(path: string, old: FolderEntry, unreadBelow: readonly string[], above: Figures | null): void {
    this.beginning.folderGone(path, old, unreadBelow, above);
  }

  /** Those of now, by path. */
  changed(): readonly Changed[] {
    const changed: Changed[] = [];
    for (const [path, steps] of this.steps) {
      const before = this.beginning.before(path);
      const after = this.stock.known(path);
      if (before === undefined || !this.isMine(path, steps)) continue;
      if (before !== 'unknown' && after.kind !== 'unknown' && isSameState(before, after)) continue;
      changed.push({ path, before, after, seen: this.claims.get(path) ?? 'disk' });
    }
    return changed.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Tells both sides of what both changed, each once. */
  tellClashes(): void {
    for (const [path, steps] of this.steps) {
      const others = this.touching(path, steps);
      const isUnclaimed = ![this, ...others].some(one => one.claims.has(path));
      for (const other of others) {
        if (!isUnclaimed && !(this.claims.has(path) && other.claims.has(path))) continue;
        this.clash(path);
        other.clash(path);
      }
    }
  }

  private clash(path: string): void {
    if (this.hasEnded || this.clashes.has(path)) return;
    this.clashes.add(path);
    this.listener.onClash(path);
  }

  private isMine(path: string, steps: Steps): boolean {
    if (this.claims.has(path) || steps.wasAlone) return true;
    return !this.touching(path, steps).some(one => one.claims.has(path));
  }

  /** The other turns for which the file changed while they ran. */
  private touching(path: string, steps: Steps): readonly Turn[] {
    return [...steps.others].filter(one => one.steps.has(path));
  }

  private step(path: string, previous: Known, now: FileEntry | null): void {
    const steps = this.steps.get(path) ?? { count: 0, wasAlone: false, others: new Set(), previous, now };
    this.steps.set(path, steps);
    steps.count++;
    steps.previous = previous;
    steps.now = now;
    const others = [...this.running].filter(one => one !== this);
    if (others.length === 0) steps.wasAlone = true;
    for (const other of others) steps.others.add(other);
    this.onStep();
  }
}

function isSameState(before: FileEntry | null, after: Exclude<Known, { readonly kind: 'unknown' }>): boolean {
  return isSameFile(before, after.kind === 'file' ? after.entry : null);
}
