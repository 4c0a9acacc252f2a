// The words of a conversation: sessions, messages, blocks. Plain data, the same in the journal, in the host and in
// the webview. Invariant: nothing here is changed in place; a change is a new value (or, on disk, a later record).

import type { FileChange } from './changes.ts';

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
  /** `subagent:<name>:<run>`: it hangs beside the conversation and is on no path of it. */
  readonly label?: string;
  /** Of a summary: the last message that it stands for, with all before it. */
  readonly covers?: MessageId;
  /** Of a summary: those among them that it does not stand for, because its writer was not told all of them. */
  readonly leftOut?: readonly MessageId[];
  readonly blocks: readonly Block[];
  /** Absent while the message grows, and for ever when its writer died: then it is shown as interrupted. */
  readonly end?: MessageEnd;
}

export interface MessageEnd {
  readonly reason: StopReason;
  readonly at: number;
  /** Words for a person, where the reason alone does not say enough. */
  readonly detail?: string;
  /** Of a failure: the agent's program is gone, or it must know who the person is first. */
  readonly cause?: 'gone' | 'signIn';
  readonly usage?: Usage;
}

/** What an answer took, as far as its agent tells. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly thoughtTokens?: number;
  readonly cost?: Cost;
}

export interface Cost {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** The five of ACP, and `failed` for an agent that answered with an error or died. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'failed';

export type Block =
  | TextBlock
  | ThoughtBlock
  | ToolCallBlock
  | PlanBlock
  | MediaBlock
  | ResourceBlock
  | NoticeBlock
  | ChangesBlock
  | UnknownBlock;

/** Given to history as bytes, given back as the place where they are; `History.blob` fetches them. */
export type Bytes = Uint8Array | BlobRef;

export interface BlobRef {
  readonly sha256: string;
  readonly size: number;
}

interface BlockBase {
  readonly mime: string;
  /** Fields that came with the block and that nobody here understands, kept as they came. */
  readonly extra?: { readonly [key: string]: Json };
}

export interface TextBlock extends BlockBase {
  readonly kind: 'text';
  readonly text: string;
  /** A panel is given a very long text from its beginning: how many letters come after these. */
  readonly left?: number;
}

export interface ThoughtBlock extends BlockBase {
  readonly kind: 'thought';
  readonly text: string;
  readonly left?: number;
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
  /** What the tool gave back as it is, beside what is to be shown. */
  readonly raw?: Json;
  /** A panel is given the beginning of what is very long, of a terminal the end: how many letters are left out. */
  readonly left?: number;
  /** What a person answered when the agent asked for it. */
  readonly permission?: PermissionAnswer;
}

export interface PermissionAnswer {
  /** The agent's own word for the choice; null where it was cancelled. */
  readonly choice: string | null;
  readonly allowed: boolean;
  /** It was a rule of the person's, and nobody was asked. */
  readonly byRule?: true;
}

export type ToolStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

export interface Location {
  readonly path: string;
  readonly line?: number;
}

export interface PlanBlock extends BlockBase {
  readonly kind: 'plan';
  readonly entries: readonly PlanEntry[];
}

export interface PlanEntry {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface MediaBlock extends BlockBase {
  readonly kind: 'image' | 'audio' | 'video';
  readonly data?: Bytes;
  readonly uri?: string;
  readonly name?: string;
}

/** A file or another thing with an address, as text, as bytes or by its address alone. */
export interface ResourceBlock extends BlockBase {
  readonly kind: 'resource';
  readonly uri: string;
  readonly name?: string;
  readonly text?: string;
  readonly data?: Bytes;
}

export interface NoticeBlock extends BlockBase {
  readonly kind: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** The files that the turn changed. */
export interface ChangesBlock extends BlockBase {
  readonly kind: 'changes';
  readonly files: readonly FileChange[];
}

/** What a terminal printed, in the place of ACP's `terminal` in the output of a tool call. */
export interface TerminalOutput {
  readonly type: 'terminal';
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly output: string;
  /** The beginning is left out. */
  readonly truncated?: true;
  /** Absent while it runs. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null };
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
