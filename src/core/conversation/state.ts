// What a conversation is at any moment. The phase says what it is at, and which phases may follow; everything that goes on
// beside the phases (saving, questions, what is found ahead, the last look at files) has a field of its own. Only `step`
// makes a new state from an old one.

import type { Continuity, Permission, SignInMethod } from '../../model/agentState.ts';
import type { Attached } from '../../model/attachment.ts';
import type { Message, MessageEnd, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, FieldName } from '../../model/record.ts';
import type { Branches, TranscriptEvent } from '../../model/transcript.ts';
import type { AgentProgram, AgentSession } from '../agents.ts';
import type { HistoryChange } from '../history/historyChange.ts';
import type { HistoryError } from '../history/historyError.ts';
import type { AllowRule } from './allowRules.ts';
import type { AnswerState } from './answer.ts';
import type { AttachedBlock } from './attaching.ts';
import type { Binding } from './binding.ts';
import type { CallId, ChosenOption, JobId, OpenElicitation, QuestionId, TurnId } from './effect.ts';
import type { GrowingTranscript } from './growingTranscript.ts';
import type { Request } from './input.ts';
import type { ResolvedSession, SessionRequest } from './resumeAgentSession.ts';
import type { KeptQueued } from './storedQueue.ts';

/** A prompt or a summary on its way to the agent. */
export interface TurnPlan {
  readonly kind: 'prompt' | 'summary';
  /** Who waits to hear whether it was sent; null where it comes from the queue. */
  readonly call: CallId | null;
  readonly text: string;
  readonly attached: readonly Attached[];
  /** Comes back with the message that the prompt becomes. */
  readonly request: string | undefined;
  /** The id that the prompt gets, where it was kept for it. */
  readonly message: MessageId | undefined;
  /** The message that it answers; undefined is the last of the path. */
  readonly parent: MessageId | null | undefined;
  readonly fork: boolean | undefined;
  readonly queued: KeptQueued | null;
  /** It goes out by itself, because the turn before it came to a good end. */
  readonly isChained: boolean;
  /** The path that it answers, where that is another one than the one that is shown. */
  readonly other: { readonly path: readonly Message[]; readonly branches: Branches } | null;
  /** What the panel said that the agent will know. */
  readonly shown: Continuity;
  readonly resolving: SessionRequest | null;
}

/** What a plan has once its agent session is found. */
export interface ReadyTurn {
  readonly resolved: ResolvedSession;
  readonly attached: readonly AttachedBlock[];
  /** Said to the person before the agent says anything. */
  readonly notices: readonly string[];
}

export interface RunningTurn {
  readonly id: TurnId;
  readonly plan: TurnPlan;
  readonly resolved: ResolvedSession;
  readonly path: readonly Message[];
  readonly branches: Branches;
  readonly job: JobId;
  readonly answer: AnswerState;
  readonly message: MessageId;
  /** What the agent session is told; null where nothing can be bound. */
  readonly binding: Binding | null;
  readonly hasWords: boolean;
}

export interface EndedTurn extends RunningTurn {
  readonly end: MessageEnd;
  readonly needsSignIn: boolean;
}

/** What a person is asked before the prompt goes out. */
export type HeldFor =
  | { readonly kind: 'less'; readonly found: ResolvedSession }
  /** It is still being looked for. */
  | { readonly kind: 'hangs'; readonly job: JobId }
  | { readonly kind: 'failed' }
  | { readonly kind: 'signIn' };

export type Change =
  | { readonly kind: 'move'; readonly request: Request; readonly isFork: boolean }
  /** Without a request where another window changed it. */
  | { readonly kind: 'agent'; readonly request: Request | null; readonly program: AgentProgram }
  | { readonly kind: 'trash'; readonly request: Request; readonly on: boolean };

export type Preparation = 'path' | 'bindings' | 'alive' | 'session' | 'attachments' | 'options';

export type Phase =
  | { readonly name: 'idle' }
  /** History can't be read or written, and the person didn't agree to go on without it yet. */
  | { readonly name: 'unavailable' }
  /** It holds no messages, because nobody sees it, or only the last of them; `head` is the end of its path. */
  | { readonly name: 'released'; readonly head: MessageId | null }
  /** All of them are being read. */
  | { readonly name: 'loading'; readonly head: MessageId | null; readonly job: JobId }
  /** Another branch, another agent, or the trash: no turn begins before it is done. */
  | { readonly name: 'switching'; readonly change: Change; readonly job: JobId | null; readonly moved: Moved | null }
  /** The agent is being reached. */
  | {
      readonly name: 'preparing';
      readonly plan: TurnPlan;
      readonly waits: Preparation;
      readonly job: JobId;
      readonly ready: ReadyTurn | null;
    }
  /** A question to the person. */
  | { readonly name: 'held'; readonly plan: TurnPlan; readonly why: HeldFor }
  /** The prompt's record goes to history. */
  | {
      readonly name: 'saving';
      readonly plan: TurnPlan;
      readonly ready: ReadyTurn;
      readonly record: PendingRecord;
      /** It goes out although it can't be saved. */
      readonly isUnsaved: boolean;
      /** Its append failed, and whether it is written is being looked up. */
      readonly checked: { readonly job: JobId; readonly error: HistoryError; readonly tries: number } | null;
    }
  | { readonly name: 'running'; readonly turn: RunningTurn }
  | { readonly name: 'summarising'; readonly turn: RunningTurn }
  /** The agent was told to cancel. */
  | { readonly name: 'stopping'; readonly turn: RunningTurn }
  /** The end of the turn goes to history. */
  | { readonly name: 'ending'; readonly turn: EndedTurn }
  /** The window goes: what arrived is being saved. */
  | {
      readonly name: 'closing';
      /** Its record was on its way to history. */
      readonly plan: TurnPlan | null;
    }
  | { readonly name: 'closed' };

export type PhaseName = Phase['name'];

/** Every transition is checked against this, and the map's diagram is compared with it. */
export const leadsTo = {
  idle: ['switching', 'preparing', 'released', 'unavailable', 'closing'],
  unavailable: ['idle', 'switching', 'preparing', 'closing'],
  released: ['loading', 'closing'],
  loading: ['released', 'idle', 'unavailable', 'closing'],
  switching: ['idle', 'unavailable', 'closing'],
  preparing: ['held', 'saving', 'idle', 'unavailable', 'closing'],
  held: ['preparing', 'saving', 'idle', 'unavailable', 'closing'],
  saving: ['preparing', 'running', 'summarising', 'idle', 'unavailable', 'closing'],
  running: ['stopping', 'ending', 'closing'],
  summarising: ['stopping', 'ending', 'closing'],
  stopping: ['ending', 'closing'],
  ending: ['idle', 'unavailable', 'closing'],
  closing: ['closed'],
  closed: [],
} satisfies Record<PhaseName, readonly PhaseName[]>;

export interface Moved {
  readonly head: MessageId | null;
  readonly path: readonly Message[];
  readonly branches: Branches;
  readonly writing: MessageId | null;
}

/** What is shown and begun once the record of a prompt is in history. */
export interface PendingRecord {
  readonly prompt: Message | null;
  readonly answer: Message;
  readonly binding: Binding | null;
  readonly path: readonly Message[];
}

/** What follows when an entry was tried: saved, refused, or put off. */
export type EntryPurpose = 'prompt' | 'end' | 'move' | 'agent' | 'doubtful' | null;

export interface SaveEntry {
  readonly facts: readonly Fact[];
  /** All of the facts or none of them, now or never. */
  readonly isNowOrNever: boolean;
  /** Who waits for the first attempt. */
  readonly purpose: EntryPurpose;
  /** Shown once the facts were tried: durable, or with word that they are not saved. */
  readonly after: readonly TranscriptEvent[];
}

export interface Saving {
  /** In order; the first is being appended while `job` is set. */
  readonly waiting: readonly SaveEntry[];
  readonly job: JobId | null;
  /** Why the last attempt failed. */
  readonly failure: HistoryError | null;
  /** Until the next attempt after a failure. */
  readonly delay: number;
  /** What waits is to be tried now. */
  readonly isDue: boolean;
}

export interface OpenPermission {
  readonly question: QuestionId;
  readonly turn: TurnId;
  /** As it is shown; null while it is judged. */
  readonly shown: Permission | null;
  readonly asked: Permission;
  readonly rule: AllowRule | null;
  readonly job: JobId | null;
}

export interface SignIn {
  /** Null after a turn that asked for it: no prompt waits. */
  readonly resumes: TurnPlan | null;
  readonly program: AgentProgram;
  readonly refusal: unknown;
  readonly methods: readonly SignInMethod[];
  /** The methods are being read, or one is being tried. */
  readonly job: JobId | null;
  readonly trying: string | null;
}

/** A session that was looked for before anything was sent. */
export interface FoundAhead {
  readonly request: SessionRequest;
  readonly job: JobId | null;
  readonly found: ResolvedSession | null;
}

export interface AgentLink {
  readonly program: AgentProgram;
  /** Where its sessions work. */
  readonly folder: string | null;
  /** The newest first. */
  readonly bindings: readonly Binding[];
  readonly alive: ReadonlySet<string>;
  /** The agent session in use. */
  readonly session: AgentSession | null;
  /** Every one that was in use here and that wasn't closed. */
  readonly used: ReadonlySet<AgentSession>;
  readonly chosen: readonly ChosenOption[];
}

/** What other windows did, on its way to what is shown. */
export interface Following {
  /** To be looked up next. */
  readonly waiting: HistoryChange | null;
  /** What came while a turn ran here, as far as it could not be shown. */
  readonly held: HistoryChange | null;
  readonly looking: {
    readonly job: JobId;
    readonly change: HistoryChange;
    /** The end of the path when it was asked for, and whether a turn ran then. */
    readonly head: MessageId | null;
    readonly isBusy: boolean;
    /** What wasn't in history then or was set here since: what was read of it is older. */
    readonly own: ReadonlySet<FieldName>;
  } | null;
  readonly calls: readonly CallId[];
  /** Until the next attempt where something couldn't be read. */
  readonly delay: number;
}

export interface State {
  readonly session: SessionId;
  readonly transcript: GrowingTranscript;
  readonly phase: Phase;
  /** It is in history. */
  readonly isStored: boolean;
  /** A person gave it its title. */
  readonly isNamed: boolean;
  /** The last one that was made here, by the first prompt or the agent. */
  readonly madeTitle: string | null;
  readonly link: AgentLink;
  /** The messages that this window began. A list, because a set costs more to copy with every turn. */
  readonly written: readonly MessageId[];
  readonly saving: Saving;
  readonly permissions: readonly OpenPermission[];
  readonly elicitations: readonly (OpenElicitation & { readonly turn: TurnId | null })[];
  /** What the person allowed for ever at the agent; one that asks again has forgotten it. */
  readonly allowed: readonly AllowRule[];
  readonly signIn: SignIn | null;
  readonly ahead: FoundAhead | null;
  /** Jobs before anything is found ahead: who lives, and whether the person would be asked. */
  readonly preparing: {
    readonly alive: JobId | null;
    readonly asks: JobId | null;
    readonly calls: readonly CallId[];
  } | null;
  /** The person asked for a fork here. */
  readonly forkedAt: MessageId | null;
  /** What waits, by the ids that panels know. */
  readonly queueKept: ReadonlyMap<string, KeptQueued>;
  /** A window of f23b1dd left a list of prompts. */
  readonly hasListed: boolean;
  /** It left what is shown, and is no message yet. */
  readonly onItsWay: KeptQueued | null;
  /** The first of the queue goes out as soon as nothing else is under way. */
  readonly sendsNext: 'no' | 'asked' | 'chained';
  /** Asked for while something else was under way. */
  readonly postponed: readonly Request[];
  /** They hear of the end of the turn. */
  readonly stops: readonly CallId[];
  /** Answers whose files are looked at a last time, by that job. */
  readonly settling: ReadonlyMap<JobId, AnswerState>;
  /** Prompts that were cancelled and not answered, by their job. */
  readonly ignored: ReadonlyMap<JobId, { readonly turn: RunningTurn; readonly program: AgentProgram }>;
  readonly following: Following;
  /** Answers that were begun in records that may be written, though their prompts were given back; the first is looked up. */
  readonly doubtful: { readonly messages: readonly MessageId[]; readonly job: JobId | null };
  /** Another window may have gone on with an agent session that is bound here. */
  readonly hasStaleBindings: boolean;
  /** Calls that a job answers by itself. */
  readonly jobCalls: ReadonlyMap<JobId, Request>;
  /** Who waits for the window to close. */
  readonly leaving: readonly CallId[];
  readonly nextId: number;
}
