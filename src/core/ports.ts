// What the rules need from the world besides history and agents: time, ids and files. The rooms outside implement these; one contract
// suite per port runs for every implementation.

import type { MessageId, SessionId } from '../model/message.ts';

export interface Clock {
  readonly now: () => number;
  /** Runs once, later; the answer takes it back. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export interface Ids {
  readonly session: () => SessionId;
  readonly message: () => MessageId;
}

/** The files of a folder, read only. */
export interface Files {
  /** The files that hold at least one of the terms, best first; text files inside the folder only. */
  search(folder: string, terms: readonly string[], signal: AbortSignal): Promise<FileSearch>;
}

export interface FileSearch {
  readonly hits: readonly FileHit[];
  readonly filesRead: number;
  /** There were more files than one search reads. */
  readonly cutShort: boolean;
}

export interface FileHit {
  readonly path: string;
  /** The path as people say it: from the folder, with forward slashes. */
  readonly name: string;
  /** How well it fits, against the best, which has 1: a term that few files have weighs more than one that all have. */
  readonly weight: number;
  /** How many lines hold a term. */
  readonly count: number;
  /** The best of them, in the order of the file. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Which files a folder has, and where a text stands in them: without what version control ignores, and without secrets. */
export interface Lookup {
  /** Going by its name, the file may hold secrets. */
  isSecret(path: string): boolean;
  /** Throws in words where the place is not in the folder. */
  list(folder: string, query: LookupPlace, signal: AbortSignal): Promise<Listing>;
  find(
    folder: string,
    query: LookupPlace & { readonly text: string; readonly isPattern: boolean; readonly matchCase: boolean },
    signal: AbortSignal,
  ): Promise<Found>;
}

export interface LookupPlace {
  /** A folder below; null for all of it. */
  readonly under: string | null;
  readonly glob: string | null;
}

/** Names are from the folder, with forward slashes; `cutShort` where there are more. */
export interface Listing {
  readonly names: readonly string[];
  readonly cutShort: boolean;
}

export interface Found {
  readonly lines: readonly { readonly name: string; readonly line: number; readonly text: string }[];
  readonly cutShort: boolean;
}
