// What an agent is to the rules: a program that may have to be started, the sessions that it has, and what it may ask of
// a person while it answers. Promises of whoever implements it: updates come in the agent's order and all of them before
// the answer; what an agent says that nobody knows comes whole; a failure is an AgentError with a code, never a hang
// that no signal ends. How an agent is reached is not known here.

import type {
  AboutAgent,
  AgentRef,
  BlobRef,
  Json,
  Location,
  Message,
  PlanEntry,
  StopReason,
  ToolStatus,
  Usage,
} from '../model/message.ts';
import type { AgentCommand, AgentOption, Permission } from '../model/agentState.ts';

export interface AgentProgram {
  readonly ref: AgentRef;
  readonly about: AboutAgent | null;
  /** It is given the whole path with every prompt, and keeps no memory of its own. */
  readonly takesPath: boolean;
  /** The running one, started where it does not run. Throws AgentError. */
  start(signal: AbortSignal): Promise<RunningAgent>;
  /** With all its sessions. */
  stop(): Promise<void>;
}

export interface RunningAgent {
  readonly abilities: AgentAbilities;
  /** Called once, when the program is gone, whoever ended it. */
  onDidEnd(listener: (death: AgentDeath) => void): () => void;
  /** One that this process has open. */
  session(id: string): AgentSession | undefined;
  newSession(place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  /** Without a replay. */
  resumeSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  /** With a replay, which is over when this resolves; what was replayed as the person's words comes with it. */
  loadSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<LoadedSession>;
  forkSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  authenticate(method: string, signal: AbortSignal): Promise<void>;
}

export interface LoadedSession {
  readonly session: AgentSession;
  /**
   * One for each message of the person's, with what the agent put around the words. Where an agent gives its messages
   * no ids, those that follow one another are one.
   */
  readonly replayedPrompts: readonly string[];
}

export interface AgentAbilities {
  readonly load: boolean;
  readonly resume: boolean;
  readonly fork: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly images: boolean;
  readonly audio: boolean;
  readonly embedded: boolean;
  readonly authMethods: readonly AuthMethod[];
}

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `terminal`: the person signs in at the agent's own command line. */
  readonly kind: 'agent' | 'terminal';
}

/** Where an agent session works and with what. */
export interface AgentPlace {
  readonly cwd: string | null;
  readonly alsoIn: readonly string[];
}

export interface AgentSession {
  readonly id: string;
  readonly options: readonly AgentOption[];
  readonly commands: readonly AgentCommand[];
  /** Something that belongs to no turn: its options, its commands, its title, how full its context is. */
  onDidChange(listener: (change: AgentSessionChange) => void): () => void;
  setOption(option: string, value: string | boolean, signal: AbortSignal): Promise<void>;
  /** Failure, refusal and cancel are answers, not exceptions. */
  prompt(prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal): Promise<AgentAnswer>;
  close(): Promise<void>;
}

export type AgentSessionChange =
  | { readonly type: 'options'; readonly options: readonly AgentOption[] }
  | { readonly type: 'commands'; readonly commands: readonly AgentCommand[] }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'context'; readonly used: number; readonly size: number }
  /** Said while no turn ran: a compaction, a notice, or words that came too late for their turn. */
  | { readonly type: 'aside'; readonly update: AgentUpdate };

export interface AgentPrompt {
  readonly parts: readonly PromptPart[];
  /** All that was said before, from the root, for an agent that takes it. */
  readonly path: readonly Message[];
}

export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mime: string; readonly data: Uint8Array }
  | { readonly type: 'resource'; readonly uri: string; readonly mime: string; readonly text: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string };

/** What a turn takes from its agent while it runs. */
export interface TurnDesk {
  readonly onUpdate: (update: AgentUpdate) => void;
  /** The person's choice; null where nobody chose before the signal. */
  readonly ask: (permission: Permission, signal: AbortSignal) => Promise<string | null>;
}

export type AgentUpdate =
  | { readonly type: 'text' | 'thought'; readonly text: string; readonly messageId?: string }
  | {
      readonly type: 'media';
      readonly kind: 'image' | 'audio';
      readonly mime: string;
      readonly data: Uint8Array | BlobRef;
    }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mime: string;
      readonly name?: string;
      readonly text?: string;
      readonly data?: Uint8Array | BlobRef;
    }
  | { readonly type: 'toolCall'; readonly callId: string; readonly changes: ToolCallChanges }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'notice'; readonly severity: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly type: 'compacted'; readonly summary: string | null }
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
  readonly usage?: Usage;
  /** The agent itself said that this is the end, so that it knows what we know of the turn. */
  readonly agreed: boolean;
  /** It must be signed in first. */
  readonly needsSignIn?: boolean;
}

export interface AgentDeath {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last that it wrote to its standard error. */
  readonly lastWords: string;
  /** Nobody asked it to stop. */
  readonly unexpected: boolean;
}

export type AgentErrorCode =
  | 'not-found'
  | 'not-supported'
  | 'invalid'
  | 'sign-in'
  | 'cannot-start'
  | 'ended'
  | 'cancelled'
  | 'other';

export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, words: string, cause?: unknown) {
    super(words, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * The agent's error that was thrown. Not by its class: what throws it may be a bundle of its own, with a class of the same
 * name.
 */
export function agentErrorIn(cause: unknown): AgentError | null {
  return cause instanceof Error && cause.name === 'AgentError' ? (cause as AgentError) : null;
}
