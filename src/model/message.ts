// The words of a conversation: sessions, messages, blocks. Plain data, the same in the journal, in the host and in
// the webview. Invariant: nothing here is changed in place; a change is a new value (or, on disk, a later record).

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type SessionId = string;
export type MessageId = string;

export interface AgentRef {
  readonly id: string;
  readonly name: string;
}

/** What an agent says of itself to a person who has not begun yet. */
export interface AboutAgent {
  readonly words: string;
  readonly examples: readonly string[];
}

export interface Message {
  readonly id: MessageId;
  readonly session: SessionId;
  readonly parent: MessageId | null;
  readonly role: 'user' | 'assistant' | 'summary';
  /** Milliseconds since the epoch, on the clock of the writer. */
  readonly created: number;
  /** Who wrote it; absent for a person. */
  readonly agent?: AgentRef;
  readonly blocks: readonly Block[];
  /** Absent while the message grows, and for ever when its writer died: then it is shown as interrupted. */
  readonly end?: MessageEnd;
}

export interface MessageEnd {
  readonly reason: StopReason;
  readonly at: number;
  /** Words for a person, where the reason alone does not say enough. */
  readonly detail?: string;
}

/** The five of ACP, and `failed` for an agent that answered with an error or died. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'failed';

export type Block = TextBlock | ThoughtBlock | ToolCallBlock | NoticeBlock | UnknownBlock;

interface BlockBase {
  readonly mime: string;
  /** Fields that came with the block and that nobody here understands, kept as they came. */
  readonly extra?: { readonly [key: string]: Json };
}

export interface TextBlock extends BlockBase {
  readonly kind: 'text';
  readonly text: string;
}

export interface ThoughtBlock extends BlockBase {
  readonly kind: 'thought';
  readonly text: string;
}

export interface ToolCallBlock extends BlockBase {
  readonly kind: 'toolCall';
  readonly callId: string;
  readonly title: string;
  /** ACP's kinds (read, edit, search, execute, …); an unknown one is shown like `other`. */
  readonly tool: string;
  readonly status: ToolStatus;
  readonly locations: readonly Location[];
  readonly input?: Json;
  readonly output: readonly Json[];
}

export type ToolStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

export interface Location {
  readonly path: string;
  readonly line?: number;
}

export interface NoticeBlock extends BlockBase {
  readonly kind: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** An update of a kind that this version does not know: kept whole, shown as a line. */
export interface UnknownBlock extends BlockBase {
  readonly kind: 'unknown';
  readonly value: Json;
}

export const markdown = 'text/markdown';
export const plain = 'text/plain';
export const json = 'application/json';

export function textOf(message: Message): string {
  return message.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : [])).join('\n\n');
}
