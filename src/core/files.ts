// What an agent's reading and writing of files needs from the rest of the house, as ports: the editors that have a file
// open, the person who is asked, and whoever keeps what was changed. A path here is always the real one, without a link
// in it, and a text is without a byte order mark. Leaves to node/files which files there are and which may be touched.

import type { Permission } from '../model/agentState.ts';
import type { AgentUpdate } from './agentTurn.ts';

export type FileUse = 'read' | 'write';

export interface OpenEditors {
  /** The text of the open editor of this file, unsaved text included, whichever path it was opened by; else null. */
  openText(path: string): Promise<string | null>;
  /** Makes this the text of the open editor and saves it. False where none has the file open; nothing was done then. */
  writeOpen(path: string, content: string): Promise<boolean>;
}

/**
 * Why no rule of a person's may answer for these paths, as it follows on "because": one is sensitive for this use, or not a
 * file of the workspace. Null where there is nothing to say. A path that isn't absolute counts from `cwd`.
 */
export type JudgePaths = (paths: readonly string[], use: FileUse, cwd: string | null) => Promise<string | null>;

/** Something that is done only when a person says so, once, and as it stands here. */
export interface FileQuestion {
  readonly kind: FileUse;
  readonly path: string;
  /** What follows on "because". */
  readonly why: string;
  /** All that would be written. */
  readonly content?: string;
}

/** A write that happened. */
export interface FileWrite {
  readonly path: string;
  /** Null: there was no file. */
  readonly before: string | null;
  readonly after: string;
}

/** The turn of an agent in which a file is asked about or written. */
export interface FileTurn {
  /** False once the turn was stopped, or the agent answered the prompt. */
  readonly canAsk: boolean;
  /** The id of the person's choice; null where nobody chose. */
  ask(permission: Permission, signal: AbortSignal): Promise<string | null>;
  /** As if the agent had said it. */
  say(update: AgentUpdate): void;
  /**
   * What has begun is completed as a part of the turn and told to it, also where the turn is stopped meanwhile. Throws a
   * refusal, and begins nothing, where the turn was stopped or is over.
   */
  write(write: () => Promise<FileWrite>): Promise<void>;
}

export interface FilePorts {
  readonly editors: OpenEditors;
  /** False, and nothing else, for a question that nobody answered before the signal. */
  readonly ask: (turn: FileTurn, question: FileQuestion, withdrawn: AbortSignal) => Promise<boolean>;
}
