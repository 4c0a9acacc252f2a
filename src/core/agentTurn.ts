// One prompt and what an agent says until it ends the turn. Promises of whoever implements an agent: updates come in
// the agent's order and all of them before the answer; what nobody knows comes whole.

import type { BlobRef, Json, Location, Message, PlanEntry, StopReason, ToolStatus, Usage } from '../model/message.ts';
import type { Elicitation, ElicitationAnswer, Permission } from '../model/agentState.ts';
import type { FileWrite } from './files.ts';

export interface AgentPrompt {
  readonly parts: readonly PromptPart[];
  /** All that was said before, from the root, for an agent that takes it. */
  readonly path: readonly Message[];
}

export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mime: string; readonly data: Uint8Array }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly name?: string;
      readonly mime: string;
      readonly text: string;
    }
  | { readonly type: 'link'; readonly uri: string; readonly name: string };

/** What a turn takes from its agent while it runs. */
export interface TurnDesk {
  readonly onUpdate: (update: AgentUpdate) => void;
  /** The person's choice; null where nobody chose before the signal. */
  readonly ask: (permission: Permission, signal: AbortSignal) => Promise<string | null>;
  /** What the person answers to a form, or to an address that they are asked to open. */
  readonly elicit: (elicitation: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /** A write through this client; told before the agent hears of it. Must not throw. */
  readonly onWrite: (write: FileWrite) => void;
  /** A write has begun; when this resolves it is over and was told, also after the end of the turn. Must not throw. */
  readonly onWriting: (over: Promise<void>) => void;
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
  /** What the tool gave back as it is, beside what is to be shown. */
  readonly raw?: Json;
  /** Content of ACP's kinds; a terminal comes as a `TerminalOutput` with what it printed. */
  readonly output?: readonly Json[];
  readonly extra?: { readonly [key: string]: Json };
}

export interface AgentAnswer {
  readonly reason: StopReason;
  readonly detail?: string;
  readonly usage?: Usage;
  /** What its model was told before everything, where the agent tells that. */
  readonly systemPrompt?: string;
  /** The agent itself said that this is the end, so that it knows what we know of the turn. */
  readonly agreed: boolean;
  /** It must be signed in first. */
  readonly needsSignIn?: boolean;
  /** Its program ended. */
  readonly isGone?: boolean;
}
