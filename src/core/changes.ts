// What the rules need from whoever watches files: which ones a turn changed, with what was there before, and to put one
// back. Promises of whoever implements it: beginning a turn never makes it wait; what was not seen before it was changed
// is said to be unknown, never guessed; a file is put back only where it still is what the turn left.

import type { FileChange, FileState } from '../model/changes.ts';
import type { FileWrite } from './files.ts';

export interface FileWatch {
  /** A turn may begin soon: what is there is looked at, so that it is known before it changes. */
  prepare(unkept?: boolean): void;
  begin(turn: WatchedTurn): TurnFiles;
  /** Makes the file what it was, or again what it became, where it still is the other. */
  putBack(path: string, is: FileState, becomes: FileState, signal: AbortSignal): Promise<PutBack>;
}

export interface WatchedTurn {
  /** The changes so far, each time that they are others; not more often than a person can read. */
  readonly onChange: (changes: readonly FileChange[]) => void;
  /** Another turn that runs now changed this file too. */
  readonly onClash: (path: string) => void;
  /** What files hold while it runs is not put on the disk. */
  readonly unkept?: boolean;
}

/** The same files, of which nothing is put on the disk for the turns that are begun here. */
export function unkeptFiles(files: FileWatch): FileWatch {
  return {
    prepare: () => files.prepare(true),
    begin: turn => files.begin({ ...turn, unkept: true }),
    putBack: (path, is, becomes, signal) => files.putBack(path, is, becomes, signal),
  };
}

export interface TurnFiles {
  wrote(write: FileWrite): void;
  /** The agent says that it changes these, or is about to. */
  told(paths: readonly string[]): void;
  /** Looks at the disk a last time. Within a second, whatever there is to look at. */
  end(): Promise<readonly FileChange[]>;
}

/** `other`: it is not what it should be, so that nothing was done; `failed`: the system did not let it. */
export type PutBack =
  | { readonly done: true }
  | { readonly done: false; readonly why: 'other' | 'unknown' | 'failed'; readonly words: string };
