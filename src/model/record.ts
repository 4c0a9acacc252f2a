// What the journal holds: facts, grouped in records. One record is one transaction. Facts are never changed; what
// looks like a change is a later fact. A reader keeps and skips facts of a type that it does not know.

import type { AgentRef, Block, MessageEnd, MessageId, SessionId, Message } from './message.ts';

export const recordVersion = 1;

export interface JournalRecord {
  readonly v: number;
  /** The writer: one process, one segment of a session. */
  readonly w: string;
  /** Consecutive within the writer's segments of a session, from 0. */
  readonly n: number;
  /** The hybrid logical clock; unique, and sortable as text. */
  readonly h: string;
  readonly facts: readonly Fact[];
}

export type Fact = SessionFact | MessageFact | BlockFact | TextFact | EndFact | TitleFact | FlagFact | HeadFact;

export interface SessionFact {
  readonly type: 'session';
  readonly session: SessionId;
  readonly created: number;
  readonly agent: AgentRef;
  readonly cwd?: string;
}

/** A message begins; a user's comes with all its blocks and its end at once. */
export interface MessageFact {
  readonly type: 'message';
  readonly session: SessionId;
  readonly message: Omit<Message, 'session'>;
}

/** A block as it is from now on; the last one of the message's writer counts. */
export interface BlockFact {
  readonly type: 'block';
  readonly session: SessionId;
  readonly message: MessageId;
  readonly at: number;
  readonly block: Block;
}

/** A checkpoint of streaming text: `text` stands at `offset` of the block's text, never the whole again. */
export interface TextFact {
  readonly type: 'text';
  readonly session: SessionId;
  readonly message: MessageId;
  readonly at: number;
  readonly kind: 'text' | 'thought';
  readonly mime: string;
  readonly offset: number;
  readonly text: string;
}

export interface EndFact {
  readonly type: 'end';
  readonly session: SessionId;
  readonly message: MessageId;
  readonly end: MessageEnd;
}

export interface TitleFact {
  readonly type: 'title';
  readonly session: SessionId;
  readonly title: string;
}

export interface FlagFact {
  readonly type: 'flag';
  readonly session: SessionId;
  readonly flag: 'trashed';
  readonly on: boolean;
}

/** Where the next panel that opens this session starts. */
export interface HeadFact {
  readonly type: 'head';
  readonly session: SessionId;
  readonly head: MessageId | null;
}
