// What an agent is to the rules: a program that may have to be started, what it can, and the sessions that it has. A
// failure is an AgentError with a code, never a hang that no signal ends. What is said in a turn is in `agentTurn.ts`; how
// an agent is reached is not known here.

import type { AgentCommand, AgentOption, Elicitation, ElicitationAnswer } from '../model/agentState.ts';
import type { AboutAgent, AgentRef } from '../model/message.ts';
import type { AgentAnswer, AgentPrompt, AgentUpdate, TurnDesk } from './agentTurn.ts';

export interface AgentProgram {
  readonly ref: AgentRef;
  readonly about: AboutAgent | null;
  /** It is given the whole path with every prompt, and keeps no memory of its own. */
  readonly takesPath: boolean;
  /** It is given the path, and its model takes only so much of it at once. */
  readonly hasWindow?: boolean;
  /** Of a path that is too long for it, so many of the newest messages stay in any case. */
  readonly newestKept?: number;
  /** Whether the person would be asked something before it is used. Where absent, never. */
  readonly asksFirst?: () => Promise<boolean>;
  /** Whether a question is open for which it may wait. */
  readonly isAsking?: () => boolean;
  /** The running one, started where it does not run. Throws AgentError. */
  start(signal: AbortSignal): Promise<RunningAgent>;
  /** By a method of its `authMethods`; what it asks meanwhile is the person's. Throws AgentError. */
  signIn(method: string, ask: AskPerson, signal: AbortSignal): Promise<void>;
  /** With all its sessions. */
  stop(): Promise<void>;
}

export interface RunningAgent {
  readonly abilities: AgentAbilities;
  /** Its own name and version, as it says them. */
  readonly called: string | null;
  /** Called once, when the program is gone, whoever ended it. */
  onDidEnd(listener: (death: AgentDeath) => void): () => void;
  /** One that this process has open. */
  session(id: string): AgentSession | undefined;
  newSession(place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  /** Without a replay. */
  resumeSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  /** With a replay, which is over when this resolves; what was replayed as the person's words comes with it. */
  loadSession(
    id: string,
    place: AgentPlace,
    signal: AbortSignal,
    /** Told what is played back, in order. It is nobody's otherwise: what is in history already wins. */
    onReplay?: (part: ReplayedPart) => void,
  ): Promise<LoadedSession>;
  forkSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession>;
  /** What it keeps itself, whoever began it. Only where it lists. */
  listSessions(cwd: string | null, cursor: string | null, signal: AbortSignal): Promise<ListedSessions>;
  /** What the agent keeps of it. Only where it deletes; one that is not there is deleted. */
  deleteSession(id: string, signal: AbortSignal): Promise<void>;
  signOut(signal: AbortSignal): Promise<void>;
}

export type ReplayedPart =
  /** A piece of what the person said; of the same message as the one before where their ids are the same. */
  | { readonly type: 'user'; readonly text: string; readonly messageId: string | null }
  | { readonly type: 'update'; readonly update: AgentUpdate };

/** A question that the agent has outside of a turn, as while a person signs in. */
export type AskPerson = (elicitation: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;

export interface ListedSessions {
  readonly sessions: readonly ListedSession[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
}

export interface ListedSession {
  readonly id: string;
  readonly cwd: string;
  readonly title: string | null;
  /** Milliseconds since the epoch, where the agent says it. */
  readonly updated: number | null;
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
  readonly signOut: boolean;
  readonly authMethods: readonly AuthMethod[];
}

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `terminal`: the person signs in at the agent's own command line. */
  readonly kind: 'agent' | 'terminal';
  /** Only and always of the kind `terminal`. */
  readonly terminal?: TerminalSignIn;
}

/** What runs in a terminal for it, and has worked where it ends with 0. */
export interface TerminalSignIn {
  /** Null is what the agent itself is started with, its arguments included. */
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly label: string;
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
  /** Tokens that its model takes at once; null where that is not known. */
  readonly contextWindow: number | null;
  /** Something that belongs to no turn: its options, its commands, its title, how full its context is. */
  onDidChange(listener: (change: AgentSessionChange) => void): () => void;
  setOption(option: string, value: string | boolean, signal: AbortSignal): Promise<void>;
  /** Failure, refusal and cancel are answers, not exceptions. */
  prompt(prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal): Promise<AgentAnswer>;
  /** Ends the commands that it left running. It stays open, and the agent can still ask what they printed. */
  endTerminals(): void;
  /** Also ends what runs in it, at once; resolves when the agent knows, where it can be told. */
  close(): Promise<void>;
}

export type AgentSessionChange =
  | { readonly type: 'options'; readonly options: readonly AgentOption[] }
  | { readonly type: 'commands'; readonly commands: readonly AgentCommand[] }
  | { readonly type: 'title'; readonly title: string }
  /** With the program: nothing is remembered here any more. */
  | { readonly type: 'gone' }
  | { readonly type: 'context'; readonly used: number; readonly size: number }
  /** Said while no turn ran: a compaction, a notice, or words that came too late for their turn. */
  | { readonly type: 'aside'; readonly update: AgentUpdate };

export interface AgentDeath {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last that it wrote to its standard error. */
  readonly lastWords: string;
  /** Nobody asked it to stop. */
  readonly unexpected: boolean;
}
