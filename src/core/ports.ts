// What the rules need from the world: history, an agent, time and ids. The rooms outside implement these; one contract
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
import type { Fact } from '../model/record.ts';

export interface History {
  /**
   * One record, one transaction. Durable on disk when it resolves; the index and `onDidAppend` follow. Throws
   * HistoryError: `no-session` and `no-parent` before anything is written, the disk's own trouble after trying a new
   * segment.
   */
  readonly append: (session: SessionId, facts: readonly Fact[]) => Promise<void>;
  /** Most recently active first, the trashed ones among them; all of them without a page. */
  sessions(page?: Page): Promise<readonly SessionSummary[]>;
  /** The session with the messages from the root to its head, each whole; undefined where there is no such session. */
  open(session: SessionId): Promise<StoredSession | undefined>;
  /** Called after each append, by whichever window. */
  onDidAppend(listener: (session: SessionId) => void): () => void;
  close(): Promise<void>;
}

export interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

export interface SessionSummary {
  readonly id: SessionId;
  readonly title: string;
  readonly agent: AgentRef;
  readonly created: number;
  readonly active: number;
  readonly messages: number;
  readonly trashed: boolean;
}

export interface StoredSession extends SessionSummary {
  readonly cwd: string | null;
  readonly head: MessageId | null;
  readonly path: readonly Message[];
  /** The last message of the path, where another live window is writing it now. */
  readonly writing: MessageId | null;
}

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
