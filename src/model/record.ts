// What the journal holds: facts, grouped in records. One record is one transaction. Facts are never changed; what
// looks like a change is a later fact. A reader keeps and skips facts of a type that it does not know.

import type { AgentRef, BlobRef, Block, Bytes, Json, MessageEnd, MessageId, SessionId, Message } from './message.ts';

export const recordVersion = 1;

export interface JournalRecord {
  readonly v: number;
  /** The writer: one process, one segment of a session. */
  readonly w: string;
  /** Consecutive within the writer's segments of a session, from 0. */
  readonly n: number;
  /** The hybrid logical clock; unique, and sortable as text. */
  readonly h: string;
  /** The number that the window gave to the append, so that it can be looked up when its answer was lost. */
  readonly a?: number;
  readonly facts: readonly Fact[];
  /** What lies in files of its own, because it is long or no text; `null` stands in its place. */
  readonly blobs?: readonly BlobPlace[];
}

export interface BlobPlace extends BlobRef {
  /** The way to it from `facts`. */
  readonly at: readonly (string | number)[];
  readonly as: 'text' | 'bytes';
}

export type Fact = SessionFact | MessageFact | BlockFact | TextFact | EndFact | SetFact;

export interface SessionFact {
  readonly type: 'session';
  readonly session: SessionId;
  readonly created: number;
  readonly agent: AgentRef;
  readonly cwd?: string;
  /** The stable key that its id was made from, and how many sessions had it before. */
  readonly key?: { readonly key: string; readonly generation: number };
  /** Where it came from, where that is not a person's first prompt: an import, another session. */
  readonly origin?: string;
  /** For audit only. */
  readonly systemPrompt?: string;
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

/**
 * Something of the session, or of one of its messages, that is what it was last set to, by the clock. A name that this
 * version does not know is kept like any other.
 */
export interface SetFact {
  readonly type: 'set';
  readonly session: SessionId;
  readonly name: FieldName;
  /** Which one, where there are many: a label, a key of the metadata, the message that has the name or the note. */
  readonly of?: string;
  readonly value: Json | QueuedValue | SystemPromptValue;
  /** The message that it says something about: erasing that erases this. */
  readonly from?: MessageId;
}

/**
 * Of `queued`: the words of a prompt that waits and what is attached to it, as JSON, and the bytes of its pictures. What is
 * long lies in blobs; unlike elsewhere, a reference stands in its place, so that the index knows where it is.
 */
export interface QueuedValue {
  readonly content: string | BlobRef;
  readonly data: readonly Bytes[];
  /** The window whose it is to send, and its place among those that wait; absent where the list in `queue` says both. */
  readonly writer?: string;
  readonly position?: number;
}

/** Of `systemPrompt`: a reference stands in the place of the text. */
export interface SystemPromptValue {
  readonly content: string | BlobRef;
}

export type FieldName =
  /** Made from what was said; `givenTitle` is a person's, and stands over it. */
  | 'title'
  | 'givenTitle'
  /** Of the session, or with `of` of that message and all below it. */
  | 'trashed'
  | 'archived'
  | 'pinned'
  /** Where the next panel that opens this session starts. */
  | 'head'
  | 'agent'
  | 'model'
  | 'mode'
  /** Milliseconds since the epoch. */
  | 'expires'
  /** Of a key: the next opening of it begins a new session. */
  | 'closed'
  | 'label'
  | 'metadata'
  /** Of the branch that ends in this message. */
  | 'name'
  | 'note'
  /** What an agent's session knows. */
  | 'binding'
  /** Of an agent: what a person set it to. */
  | 'option'
  /** Of a file that a turn changed: whether it was kept or put back. */
  | 'decision'
  /** Of a window: what was written in it and waits to be sent. */
  | 'queue'
  /** Of one prompt that waits and is too long for the list in `queue`, or has pictures; null once it waits no more. */
  | 'queued'
  /** What the model was told of its work for the last response; for audit only. */
  | 'systemPrompt';
