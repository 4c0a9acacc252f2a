// What a conversation asks of the world, as data. A job is answered once, by the input `done` with its id and the outcome
// that its kind has here; an act is answered by nothing. `effects.ts` carries both out.

import type { Elicitation, ElicitationAnswer, Permission } from '../../model/agentState.ts';
import type { Attached } from '../../model/attachment.ts';
import type { FileChange } from '../../model/changes.ts';
import type { Message, MessageId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Branches } from '../../model/transcript.ts';
import type { AgentProgram, AgentSession, AuthMethod } from '../agents.ts';
import type { AgentAnswer, PromptPart } from '../agentTurn.ts';
import type { HistoryError } from '../history/historyError.ts';
import type { StoredFields } from '../history/history.ts';
import type { HistoryChange } from '../history/historyChange.ts';
import type { AllowRule } from './allowRules.ts';
import type { AttachedBlock } from './attaching.ts';
import type { Asked as DecisionAsked } from './decisions.ts';
import type { Binding } from './binding.ts';
import type { Seed } from './seeding.ts';
import type { ResolvedSession, SessionRequest } from './resumeAgentSession.ts';

/** The same append would be refused again, or may succeed later. */
export type SaveOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly error: HistoryError }
  | { readonly kind: 'retry'; readonly error: HistoryError };

export type Tried<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly cause: unknown };

export interface BranchPath {
  readonly path: readonly Message[];
  readonly branches: Branches;
  /** The last message of the path, where another window is writing it. */
  readonly writing: MessageId | null;
}

/** An option of an agent as a person set it. */
export interface ChosenOption {
  readonly agent: string;
  readonly option: string;
  readonly value: string | boolean;
}

export interface FoundPath {
  readonly path: readonly Message[];
  readonly branches: Branches;
}

/** What other windows did to the session. */
export type Look =
  | { readonly kind: 'erased' }
  /** It can't be read now. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'found';
      readonly fields: StoredFields;
      /** To the session's head; null where that is no news of what is shown. */
      readonly path: FoundPath | null;
      /** Of the messages that are shown, those that other windows changed. */
      readonly changed: readonly Message[];
      /** The message at the end of what is shown, where another window is writing it now. */
      readonly writing: MessageId | null;
      /** Of the path that is shown, where others go on beside it. */
      readonly beside: Branches | null;
      /** The message that ends the path here is in the trash or erased. */
      readonly isHeadDeleted: boolean;
    };

/** By kind: what is asked, and what comes back. */
export interface Jobs {
  append: { ask: { readonly facts: readonly Fact[] }; outcome: SaveOutcome };
  /** Whether history has this message; null where that can't be told. */
  hasMessage: { ask: { readonly message: MessageId }; outcome: boolean | null };
  /** The windows that live; null where that can't be told. */
  readAlive: { ask: object; outcome: ReadonlySet<string> | null };
  readBindings: { ask: object; outcome: readonly Binding[] | null };
  asksFirst: { ask: { readonly program: AgentProgram }; outcome: boolean };
  isAsking: { ask: { readonly program: AgentProgram }; outcome: boolean };
  readPath: {
    ask: {
      readonly head: MessageId | null;
      /** Where the head is gone, the path is the one to the session's own head. */
      readonly isLoading?: true;
    };
    outcome: Tried<BranchPath>;
  };
  /** Where the branch through this message ends that was written to last; null where there is none. */
  findLeaf: { ask: { readonly message: MessageId }; outcome: Tried<MessageId | null> };
  resolveSession: { ask: { readonly request: SessionRequest }; outcome: Tried<ResolvedSession> };
  /** Whether what was found ahead is still there; else it is looked for again. */
  confirmSession: {
    ask: { readonly request: SessionRequest; readonly found: ResolvedSession };
    outcome: Tried<ResolvedSession>;
  };
  loadAttachments: {
    ask: { readonly program: AgentProgram; readonly attached: readonly Attached[] };
    outcome: Tried<readonly AttachedBlock[] | { readonly words: string }>;
  };
  /** What can't be set comes back in words. */
  restoreOptions: {
    ask: { readonly session: AgentSession; readonly chosen: readonly ChosenOption[] };
    outcome: readonly string[];
  };
  setOption: {
    ask: { readonly session: AgentSession; readonly option: string; readonly value: string | boolean };
    outcome: Tried<null>;
  };
  readSignInMethods: { ask: { readonly program: AgentProgram }; outcome: Tried<readonly AuthMethod[]> };
  signIn: { ask: { readonly program: AgentProgram; readonly method: string }; outcome: Tried<null> };
  /** Updates and questions come as inputs of this turn meanwhile; the answer comes after all of them. */
  prompt: {
    ask: {
      readonly turn: TurnId;
      readonly session: AgentSession;
      readonly seed: Seed | null;
      readonly path: readonly Message[];
      /** Null for a prompt that is no person's: nothing is asked, and no files are watched. */
      readonly text: string | null;
      readonly parts: readonly PromptPart[];
    };
    outcome: AgentAnswer;
  };
  /** A last look at the files of the turn, after what it had begun to write. */
  endFiles: { ask: { readonly turn: TurnId }; outcome: readonly FileChange[] };
  /** Why a person has to look at the question, whatever their rules. */
  judgePaths: {
    ask: { readonly permission: Permission; readonly paths: readonly string[]; readonly cwd: string | null };
    outcome: string | null;
  };
  moveToTrash: { ask: { readonly on: boolean }; outcome: Tried<null> };
  rename: { ask: { readonly title: string | null }; outcome: Tried<string | null> };
  /** Decided files come as inputs meanwhile; what wasn't done comes back in words. */
  decide: {
    ask: DecisionAsked;
    outcome: Tried<string | null>;
  };
  look: {
    ask: {
      readonly change: HistoryChange;
      readonly shown: readonly Message[];
      readonly branches: Branches;
      /** The path may have changed. */
      readonly isPath: boolean;
      /** The message at its end is being written by another window. */
      readonly isElsewhere: boolean;
      readonly isBusy: boolean;
      readonly isUnsaved: boolean;
    };
    outcome: Look;
  };
  /** Null where it can't be had. */
  findAgent: { ask: { readonly agent: string }; outcome: AgentProgram | null };
}

export type JobKind = keyof Jobs;
export type JobId = number;
export type TurnId = number;
export type CallId = number;
export type QuestionId = number;

export type Job = { [Kind in JobKind]: { readonly kind: Kind; readonly id: JobId } & Jobs[Kind]['ask'] }[JobKind];

export type JobDone = {
  [Kind in JobKind]: {
    readonly type: 'done';
    readonly kind: Kind;
    readonly id: JobId;
    readonly outcome: Jobs[Kind]['outcome'];
  };
}[JobKind];

export type TimerName =
  | 'save'
  | 'checkpoint'
  | 'cancel'
  | 'hang'
  | 'look'
  | 'otherWriter'
  | 'lookUp'
  | 'doubt'
  | 'close'
  | 'ignoredStop';

export type Act =
  /** Its outcome isn't waited for any more; it comes all the same. */
  | { readonly kind: 'abort'; readonly job: JobId; readonly reason?: unknown }
  | { readonly kind: 'reply'; readonly call: CallId; readonly value: unknown }
  | { readonly kind: 'fail'; readonly call: CallId; readonly cause: unknown }
  | { readonly kind: 'answerPermission'; readonly question: QuestionId; readonly choice: string | null }
  | { readonly kind: 'answerElicitation'; readonly question: QuestionId; readonly answer: ElicitationAnswer }
  /** What this session says of itself comes as an input from now on; of the one before nothing does. */
  | { readonly kind: 'listen'; readonly session: AgentSession | null }
  | { readonly kind: 'closeSession'; readonly session: AgentSession }
  | { readonly kind: 'endTerminals'; readonly session: AgentSession }
  /** The agent ignored a cancel: it ends, with all that it runs. */
  | { readonly kind: 'restartAgent'; readonly program: AgentProgram }
  | { readonly kind: 'toldFiles'; readonly turn: TurnId; readonly paths: readonly string[] }
  | { readonly kind: 'prepareFiles' }
  | { readonly kind: 'addRule'; readonly rule: AllowRule }
  | { readonly kind: 'startTimer'; readonly timer: TimerName; readonly after: number }
  | { readonly kind: 'stopTimer'; readonly timer: TimerName };

export type Effect = Job | Act;

export interface OpenElicitation {
  readonly question: QuestionId;
  readonly elicitation: Elicitation;
}
