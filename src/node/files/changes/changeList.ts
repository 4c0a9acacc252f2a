// The changes of one turn as the rest of the product sees them, with contents and lines. Promises: a change that did not
// change again is the same object; what would need too much memory or time is given without content, by its hash alone,
// and the person is told; nothing that is a secret has content.

import type { FileChange, FileState } from '../../../model/changes.ts';
import { inLanes } from './lanes.ts';
import { lineCount } from './lineCount.ts';
import type { FileEntry } from './stock.ts';
import type { Changed } from './turn.ts';

export interface ChangeListOptions {
  /** Null where it is not kept and the disk has another by now. */
  readonly contentOf: (path: string, sha256: string) => Promise<Uint8Array | null>;
  readonly isSecret: (path: string) => boolean;
  readonly onWarning: (words: string) => void;
}

export const mostListed = 2000;
const mostContent = 64 * 1024 * 1024;
const lanes = 4;

interface Made {
  readonly key: string;
  readonly change: FileChange;
  readonly bytes: number;
}

export class ChangeList {
  private readonly options: ChangeListOptions;
  private made = new Map<string, Made>();
  private readonly warned = new Set<string>();

  constructor(options: ChangeListOptions) {
    this.options = options;
  }

  /** Once it is over, what is left is given without content. */
  async make(changed: readonly Changed[], isOver: () => boolean): Promise<readonly FileChange[]> {
    const listed = changed.slice(0, mostListed);
    const keys = new Map(listed.map(one => [one.path, keyOf(one)]));
    this.made = new Map([...this.made].filter(([path, { key }]) => keys.get(path) === key));
    let bytes = [...this.made.values()].reduce((sum, one) => sum + one.bytes, 0);
    await inLanes(
      listed.filter(({ path }) => !this.made.has(path)),
      lanes,
      async one => {
        if (isOver() || bytes > mostContent) return;
        const made = await this.withContent(one);
        bytes += made.bytes;
        this.made.set(one.path, made);
      },
    );
    return this.asMade(changed);
  }

  /** With the contents that are at hand. */
  asMade(changed: readonly Changed[]): readonly FileChange[] {
    const listed = changed.slice(0, mostListed);
    const rest = changed.length - listed.length;
    if (rest > 0) this.warn('more', `This turn changed ${changed.length} files; the last ${rest} are not listed.`);
    return listed.map(one => {
      const made = this.made.get(one.path);
      if (made?.key === keyOf(one)) return made.change;
      this.warn('bare', 'This turn changed so much that some of it can be shown but not undone.');
      const change = withoutContent(one);
      this.made.set(one.path, { key: keyOf(one), change, bytes: 0 });
      return change;
    });
  }

  private async withContent(one: Changed): Promise<Made> {
    const { path, seen } = one;
    const before = stateOf(one.before, await this.content(path, one.before));
    const after = stateOf(afterOf(one), await this.content(path, afterOf(one)));
    const lines = linesOf(before, after);
    const bytes = [before, after].reduce((sum, state) => sum + (contentIn(state)?.length ?? 0), 0);
    return { key: keyOf(one), change: { path, before, after, ...(lines ? { lines } : {}), seen }, bytes };
  }

  private async content(path: string, state: FileEntry | 'unknown' | null): Promise<Uint8Array | null> {
    if (state === null || state === 'unknown' || state.sha256 === null || this.options.isSecret(path)) return null;
    return this.options.contentOf(path, state.sha256);
  }

  private warn(about: string, words: string): void {
    if (this.warned.has(about)) return;
    this.warned.add(about);
    this.options.onWarning(words);
  }
}

function withoutContent(one: Changed): FileChange {
  return { path: one.path, before: stateOf(one.before, null), after: stateOf(afterOf(one), null), seen: one.seen };
}

function afterOf({ after }: Changed): FileEntry | 'unknown' | null {
  if (after.kind === 'unknown') return 'unknown';
  return after.kind === 'file' ? after.entry : null;
}

function keyOf(one: Changed): string {
  const side = (state: FileEntry | 'unknown' | null) =>
    state === null || state === 'unknown' ? String(state) : (state.sha256 ?? `${state.size} ${state.mtime}`);
  return [side(one.before), side(afterOf(one)), one.seen].join(' ');
}

function stateOf(state: FileEntry | 'unknown' | null, content: Uint8Array | null): FileState {
  if (state === null) return { kind: 'absent' };
  if (state === 'unknown' || state.sha256 === null) return { kind: 'unknown' };
  return { kind: 'file', is: { sha256: state.sha256, size: state.size }, ...(content ? { content } : {}) };
}

function linesOf(before: FileState, after: FileState): FileChange['lines'] | null {
  const isKnown = (state: FileState) => state.kind === 'absent' || contentIn(state) !== null;
  return isKnown(before) && isKnown(after) ? lineCount(contentIn(before), contentIn(after)) : null;
}

function contentIn(state: FileState): Uint8Array | null {
  return state.kind === 'file' && state.content instanceof Uint8Array ? state.content : null;
}
