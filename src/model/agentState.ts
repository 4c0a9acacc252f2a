// What a panel shows of the agent besides its words: what it can be set to, its commands, and what it asks for. Plain
// data, the same in the host and in the webview.

import type { Attached } from './attachment.ts';
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
  /** What our own "always" would allow from then on, where there is one for this question: what follows on "Always". */
  readonly rule?: string;
  /** Why a person is asked each time, whatever their rules: what follows on "because". */
  readonly why?: string;
  /** All of it was opened in an editor, which is needed where it is too long for a panel. */
  readonly opened?: true;
}

/** The choice of a permission that is ours: to allow it now, and by a rule from now on. */
export const alwaysByRule = 'throughline:always';

export interface PermissionChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
}

/** A prompt that waits for a person, because less would reach the agent than was shown, or nobody answers. */
export type Held =
  | { readonly kind: 'less'; readonly found: Continuity }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'failed'; readonly words: string }
  /** The agent must know who the person is first. `trying`: the method that is under way; `words`: why the last failed. */
  | {
      readonly kind: 'signIn';
      readonly methods: readonly SignInMethod[];
      readonly trying: string | null;
      readonly words: string | null;
    };

export interface SignInMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `terminal`: at the agent's own command line, in a terminal of the editor. */
  readonly kind: 'agent' | 'terminal';
}

/** Send with what is known as a transcript, ask the agent again, do not send, or sign in by a method. */
export type HeldChoice = 'transcript' | 'retry' | 'cancel' | { readonly signIn: string };

/** A question of the agent that is no permission: a form, or an address to open. */
export interface Elicitation {
  /** Unique in this window; an answer names it, and is taken once. */
  readonly id: string;
  readonly message: string;
  readonly asks:
    | { readonly kind: 'form'; readonly fields: readonly FormField[] }
    | { readonly kind: 'url'; readonly url: string; readonly host: string };
}

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly input:
    | {
        readonly kind: 'text';
        readonly format: 'email' | 'uri' | 'date' | 'date-time' | null;
        readonly least: number | null;
        readonly most: number | null;
        readonly initial: string;
      }
    | {
        readonly kind: 'number';
        readonly whole: boolean;
        readonly least: number | null;
        readonly most: number | null;
        readonly initial: number | null;
      }
    | { readonly kind: 'yesNo'; readonly initial: boolean }
    | { readonly kind: 'one'; readonly choices: readonly FormChoice[]; readonly initial: string | null }
    | {
        readonly kind: 'many';
        readonly choices: readonly FormChoice[];
        readonly least: number | null;
        readonly most: number | null;
        readonly initial: readonly string[];
      };
}

export interface FormChoice {
  readonly value: string;
  readonly title: string;
}

export type FormValue = string | number | boolean | readonly string[];

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: { readonly [field: string]: FormValue } }
  | { readonly action: 'decline' | 'cancel' };

/** Written while a turn ran, and not sent yet. */
export interface Queued {
  readonly id: string;
  readonly text: string;
  /** Never empty. */
  readonly attached?: readonly Attached[];
  /** Why it came back, where it was to be sent. */
  readonly trouble?: string;
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
