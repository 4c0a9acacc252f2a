// What the rules need from the world besides history: an agent, time, ids and files. The rooms outside implement these; one contract
// suite per port runs for every implementation.

import type {
  AboutAgent,
  AgentRef,
  Json,
  Location,
  Message,
  MessageId,
  SessionId,
  StopReason,
  ToolStatus,
} from '../model/message.ts';

/** An agent as a turn sees it. Failure, refusal and cancel are answers, not exceptions. */
export interface Agent {
  readonly ref: AgentRef;
  readonly about: AboutAgent | null;
  /** True for an agent that is given the whole path with every prompt. */
  readonly takesPath: boolean;
  prompt(request: AgentRequest, onUpdate: (update: AgentUpdate) => void, signal: AbortSignal): Promise<AgentAnswer>;
}

export interface AgentRequest {
  readonly session: SessionId;
  readonly cwd: string | null;
  /** All that was said before, from the root. */
  readonly path: readonly Message[];
  readonly text: string;
}

export type AgentUpdate =
  | { readonly type: 'text' | 'thought'; readonly text: string; readonly messageId?: string }
  | { readonly type: 'toolCall'; readonly callId: string; readonly changes: ToolCallChanges }
  | { readonly type: 'unknown'; readonly value: Json };

/** Absent means unchanged; a list replaces the whole list. */
export interface ToolCallChanges {
  readonly title?: string;
  readonly tool?: string;
  readonly status?: ToolStatus;
  readonly locations?: readonly Location[];
  readonly input?: Json;
  readonly output?: readonly Json[];
}

export interface AgentAnswer {
  readonly reason: StopReason;
  readonly detail?: string;
}

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
