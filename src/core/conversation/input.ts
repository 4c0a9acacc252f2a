// Everything that can happen to a conversation, as data: what a person or the host asks, what its agent says, what came of
// the effects, timers, and what other windows did. `step` takes one at a time.

import type { Elicitation, ElicitationAnswer, HeldChoice, Permission } from '../../model/agentState.ts';
import type { Decided, FileChange } from '../../model/changes.ts';
import type { MessageId } from '../../model/message.ts';
import type { HistoryChange } from '../history/historyChange.ts';
import type { AgentProgram, AgentSession, AgentSessionChange } from '../agents.ts';
import type { AgentUpdate } from '../agentTurn.ts';
import type { Deciding } from './decisions.ts';
import type { CallId, JobDone, QuestionId, TimerName, TurnId } from './effect.ts';
import type { SendOptions } from './terms.ts';

/** Each is answered once, by `reply` or `fail` with its call. */
export type Request = { readonly call: CallId } & (
  | { readonly type: 'send'; readonly text: string; readonly options: SendOptions }
  | { readonly type: 'summarise' }
  | { readonly type: 'sendNow'; readonly id: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'goTo'; readonly message: MessageId }
  | { readonly type: 'forkFrom'; readonly message: MessageId }
  | { readonly type: 'setHead'; readonly head: MessageId | null }
  | { readonly type: 'setAgent'; readonly program: AgentProgram }
  | { readonly type: 'setTrashed'; readonly on: boolean }
  | { readonly type: 'rename'; readonly title: string | null }
  | { readonly type: 'setOption'; readonly option: string; readonly value: string | boolean }
  | { readonly type: 'decide'; readonly message: MessageId; readonly file: number | null; readonly deciding: Deciding }
  | { readonly type: 'prepare' }
  | { readonly type: 'follow'; readonly change: HistoryChange }
  | { readonly type: 'release' }
  | { readonly type: 'load' }
  | { readonly type: 'leave' }
);

export type Input =
  | Request
  | { readonly type: 'changeQueued'; readonly id: string; readonly text: string | null }
  | { readonly type: 'answerPermission'; readonly id: string; readonly choice: string }
  | { readonly type: 'openedPermission'; readonly id: string }
  | { readonly type: 'answerElicitation'; readonly id: string; readonly answer: ElicitationAnswer }
  | { readonly type: 'answerHeld'; readonly choice: HeldChoice }
  | { readonly type: 'acceptUnsaved' }
  | { readonly type: 'setFolder'; readonly folder: string }
  | { readonly type: 'closeSessions'; readonly ids: ReadonlySet<string> | null }
  | { readonly type: 'endTerminals' }
  | { readonly type: 'timer'; readonly timer: TimerName }
  | { readonly type: 'agentUpdated'; readonly turn: TurnId; readonly update: AgentUpdate }
  | {
      readonly type: 'permissionAsked';
      /** Null where it isn't asked in a turn. */
      readonly turn: TurnId;
      readonly question: QuestionId;
      readonly permission: Permission;
    }
  | {
      readonly type: 'elicitationAsked';
      /** Null while a person signs in. */
      readonly turn: TurnId | null;
      readonly question: QuestionId;
      readonly elicitation: Elicitation;
    }
  /** Whoever asked doesn't wait any more. */
  | { readonly type: 'questionWithdrawn'; readonly question: QuestionId }
  | { readonly type: 'filesChanged'; readonly turn: TurnId; readonly changes: readonly FileChange[] }
  | { readonly type: 'fileClashed'; readonly turn: TurnId; readonly path: string }
  /** Something of ours threw while the turn ran. */
  | { readonly type: 'turnBroke'; readonly turn: TurnId; readonly cause: unknown }
  | { readonly type: 'agentSaid'; readonly session: AgentSession; readonly change: AgentSessionChange }
  | {
      readonly type: 'fileDecided';
      readonly message: MessageId;
      readonly path: string;
      readonly decision: Decided['decision'] | null;
    }
  | JobDone;

export type InputType = Input['type'];
export type InputOf<Type extends InputType> = Extract<Input, { readonly type: Type }>;
