// What a panel shows of the agent besides its words: what it can be set to, its commands, and what it asks for. Plain
// data, the same in the host and in the webview.

import type { Json, Location } from './message.ts';

/** A setting of the agent's session: its mode, its model, or one of its own. */
export interface AgentOption {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `mode` and `model` have their own pickers; the rest is the agent's. */
  readonly category: string;
  readonly value: string | boolean;
  /** Absent for one that is only on or off. */
  readonly choices?: readonly OptionChoice[];
}

export interface OptionChoice {
  readonly value: string;
  readonly name: string;
  readonly description: string;
  readonly group?: string;
}

export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string | null;
}

/** A question that stops the agent until it is answered. */
export interface Permission {
  /** Unique in this window; an answer names it, and is taken once. */
  readonly id: string;
  readonly callId: string;
  readonly title: string;
  readonly tool: string;
  readonly locations: readonly Location[];
  readonly input?: Json;
  readonly output: readonly Json[];
  readonly choices: readonly PermissionChoice[];
}

export interface PermissionChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
}

/** A prompt that waits for a person, because less would reach the agent than was shown, or nobody answers. */
export type Held =
  | { readonly kind: 'less'; readonly found: Continuity }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'failed'; readonly words: string };

/** Send with what is known as a transcript, ask the agent again, or do not send. */
export type HeldChoice = 'transcript' | 'retry' | 'cancel';

/** Written while a turn ran, and not sent yet. */
export interface Queued {
  readonly id: string;
  readonly text: string;
}

/** How full the agent's context is, in tokens. */
export interface ContextUse {
  readonly used: number;
  readonly size: number;
}

/** What the agent will know when the next prompt is sent. */
export type Continuity =
  /** `compacted`: the agent has shortened what it remembers. */
  | { readonly kind: 'remembers'; readonly compacted?: boolean }
  | {
      readonly kind: 'reseeded';
      readonly messages: number;
      readonly of: number;
      readonly tokens: number;
      /** What follows on "because". */
      readonly why?: string;
    }
  /** Only the agent knows; it is being asked, or will be when the person begins to write. */
  | { readonly kind: 'checking'; readonly asked: boolean }
  | { readonly kind: 'fresh' };
