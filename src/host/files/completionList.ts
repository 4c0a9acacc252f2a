// What is offered after `@` while one list is open. A search that found everything is not repeated for further letters;
// one search runs at a time, and of those that wait only the last one is begun.

import type { SessionId } from '../../model/message.ts';
import { completionsOf, type FittingFile, type FoundFile, type Offered } from './completions.ts';

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Nothing that fits was left out. */
  readonly isWhole: boolean;
}

export interface CompletionListPorts {
  /**
   * Looks at the editor once, for one opening of the list; what it returns is asked for every letter, and knows what
   * history lists by then. The session itself is not among it.
   */
  readonly offered: (session: SessionId) => () => Promise<readonly Offered[]>;
  readonly find: (typed: string, signal: AbortSignal) => Promise<FoundFiles>;
}

export class CompletionList {
  private whole: { readonly typed: string; readonly files: readonly FoundFile[] } | null = null;
  private searching: Promise<unknown> = Promise.resolve();
  private readonly find: CompletionListPorts['find'];
  private readonly offered: () => Promise<readonly Offered[]>;

  constructor({ find, offered }: CompletionListPorts, session: SessionId) {
    this.find = find;
    this.offered = offered(session);
  }

  /** The best first. The caller aborts it when the next letter comes. */
  async complete(typed: string, signal: AbortSignal): Promise<readonly (FittingFile | Offered)[]> {
    const searching = this.filesAfter(this.searching, typed, signal);
    this.searching = searching;
    const [files, offered] = await Promise.all([searching, this.offered()]);
    return signal.aborted ? [] : completionsOf(typed, files, offered);
  }

  private async filesAfter(
    before: Promise<unknown>,
    typed: string,
    signal: AbortSignal,
  ): Promise<readonly FoundFile[]> {
    // Its own caller is told of a failure.
    await before.catch(() => {});
    if (signal.aborted) return [];
    // More letters fit fewer files.
    if (this.whole && typed.startsWith(this.whole.typed)) return this.whole.files;
    const { files, isWhole } = await this.find(typed, signal);
    if (isWhole && !signal.aborted) this.whole = { typed, files };
    return files;
  }
}
