// What a panel shows of one conversation, and the pure rules by which it changes. The host and the webview run the
// same reducer, so that a snapshot and the events after it always give what the host has.
// Promises: an event that does not fit (an unknown message, a gap in a text) answers `undefined`, and the caller
// asks for a snapshot; it is never guessed.

import type {
  AgentCommand,
  AgentOption,
  ContextUse,
  Continuity,
  Elicitation,
  Held,
  Permission,
  Queued,
} from './agentState.ts';
import { joined } from './growing.ts';
import type { Spent } from './spent.ts';
import type { Decided } from './changes.ts';
import type {
  AboutAgent,
  AgentRef,
  Block,
  Message,
  MessageEnd,
  MessageId,
  SessionId,
  TextBlock,
  ThoughtBlock,
} from './message.ts';

export interface Transcript {
  readonly session: SessionId;
  readonly title: string;
  readonly agent: AgentRef;
  readonly about: AboutAgent | null;
  /** From the root to the head. */
  readonly messages: readonly Message[];
  /** A panel is given a long path from its end: how many messages come before these. */
  readonly earlier?: number;
  readonly branches: Branches;
  /** Where the person asked for a fork: while it is the last message, the next prompt begins it. */
  readonly forkedAt?: MessageId;
  readonly turn: Turn | null;
  /** The message that another window is having answered now. */
  readonly elsewhere: MessageId | null;
  readonly continuity: Continuity;
  /** Set while this conversation cannot be saved; the words say why. */
  readonly unsaved: Unsaved | null;
  /** What went wrong since the last prompt and asks for no answer, in sentences: as what history refused to save. */
  readonly warnings?: readonly string[];
  readonly trashed: boolean;
  /** What the agent waits for a person to allow. */
  readonly permissions: readonly Permission[];
  readonly elicitations: readonly Elicitation[];
  /** Of the files that the turns of this path changed. */
  readonly decided: readonly Decided[];
  readonly queue: readonly Queued[];
  readonly held: Held | null;
  readonly options: readonly AgentOption[];
  readonly commands: readonly AgentCommand[];
  readonly context: ContextUse | null;
  /** What the answers of the whole path took; missing where no agent told anything. */
  readonly spent?: Spent;
}

/** Where the path could go another way; what is in the trash is no way. */
export interface Branches {
  /** Of each message of the path that has siblings: itself and them, the oldest first. */
  readonly beside: { readonly [message: MessageId]: readonly MessageId[] };
  /** What answers the last message already: the next prompt begins a branch beside these. */
  readonly below: readonly MessageId[];
}

export const noBranches: Branches = { beside: {}, below: [] };

export interface Turn {
  /** Null while the agent is being reached: then nothing is in history yet. */
  readonly message: MessageId | null;
  readonly cancelling: boolean;
}

export interface Unsaved {
  readonly code: string;
  readonly words: string;
  /** The person said "Send unsaved" once. */
  readonly accepted: boolean;
}

/** A piece of text at the end of a block; `offset` is how long the block was. */
export interface TextAppended {
  readonly type: 'textAppended';
  readonly message: MessageId;
  readonly at: number;
  readonly offset: number;
  readonly text: string;
}

export type TranscriptEvent =
  /** `request` is the id that the sending panel gave the prompt. */
  | { readonly type: 'messageAdded'; readonly message: Message; readonly request?: string }
  | { readonly type: 'blockSet'; readonly message: MessageId; readonly at: number; readonly block: Block }
  | TextAppended
  | { readonly type: 'messageEnded'; readonly message: MessageId; readonly end: MessageEnd }
  | { readonly type: 'turnChanged'; readonly turn: Turn | null }
  /** Another window went on with this conversation, or a person chose another branch: the path as it is now. */
  | {
      readonly type: 'pathChanged';
      readonly messages: readonly Message[];
      readonly branches: Branches;
      readonly elsewhere: MessageId | null;
      readonly earlier?: number;
    }
  /** Those before the ones that a panel has; `first` is the place of the first of them. */
  | { readonly type: 'earlierRead'; readonly first: number; readonly messages: readonly Message[] }
  | { readonly type: 'forked'; readonly message: MessageId }
  | { readonly type: 'branchesChanged'; readonly branches: Branches }
  | { readonly type: 'titleChanged'; readonly title: string }
  | { readonly type: 'trashedChanged'; readonly trashed: boolean }
  | { readonly type: 'continuityChanged'; readonly continuity: Continuity }
  | { readonly type: 'unsavedChanged'; readonly unsaved: Unsaved | null }
  | { readonly type: 'warningsChanged'; readonly warnings: readonly string[] }
  | { readonly type: 'permissionsChanged'; readonly permissions: readonly Permission[] }
  | { readonly type: 'elicitationsChanged'; readonly elicitations: readonly Elicitation[] }
  | { readonly type: 'decidedChanged'; readonly decided: readonly Decided[] }
  | { readonly type: 'queueChanged'; readonly queue: readonly Queued[] }
  | { readonly type: 'heldChanged'; readonly held: Held | null }
  | { readonly type: 'agentChanged'; readonly agent: AgentRef; readonly about: AboutAgent | null }
  | { readonly type: 'optionsChanged'; readonly options: readonly AgentOption[] }
  | { readonly type: 'commandsChanged'; readonly commands: readonly AgentCommand[] }
  | { readonly type: 'contextChanged'; readonly context: ContextUse | null }
  | { readonly type: 'spentChanged'; readonly spent: Spent | null };

export function reduce(transcript: Transcript, event: TranscriptEvent): Transcript | undefined {
  switch (event.type) {
    case 'messageAdded': {
      const last = transcript.messages.at(-1)?.id ?? null;
      if (event.message.parent !== last) return undefined;
      const messages = [...transcript.messages, event.message];
      return { ...transcript, messages, branches: withNext(transcript.branches, event.message.id) };
    }
    case 'blockSet':
      return change(transcript, event.message, message => {
        if (event.at > message.blocks.length) return undefined;
        return {
          ...message,
          blocks: [...message.blocks.slice(0, event.at), event.block, ...message.blocks.slice(event.at + 1)],
        };
      });
    case 'textAppended':
      return change(transcript, event.message, message => {
        const block = message.blocks[event.at];
        if (!block || (block.kind !== 'text' && block.kind !== 'thought')) return undefined;
        if (block.text.length !== event.offset) return undefined;
        const grown = withText(block, event.text);
        return {
          ...message,
          blocks: [...message.blocks.slice(0, event.at), grown, ...message.blocks.slice(event.at + 1)],
        };
      });
    case 'messageEnded':
      return change(transcript, event.message, message => ({ ...message, end: event.end }));
    case 'turnChanged':
      return { ...transcript, turn: event.turn };
    case 'pathChanged': {
      const { messages, branches, elsewhere, earlier = 0 } = event;
      const same = withSame(transcript.messages, messages, earlier - (transcript.earlier ?? 0));
      return withEarlier({ ...transcript, messages: same, branches, elsewhere }, earlier);
    }
    case 'earlierRead': {
      if (event.first + event.messages.length !== transcript.earlier) return undefined;
      return withEarlier({ ...transcript, messages: [...event.messages, ...transcript.messages] }, event.first);
    }
    case 'forked':
      return { ...transcript, forkedAt: event.message };
    case 'branchesChanged':
      return { ...transcript, branches: event.branches };
    case 'titleChanged':
      return { ...transcript, title: event.title };
    case 'trashedChanged':
      return { ...transcript, trashed: event.trashed };
    case 'continuityChanged':
      return { ...transcript, continuity: event.continuity };
    case 'unsavedChanged':
      return { ...transcript, unsaved: event.unsaved };
    case 'warningsChanged': {
      const { warnings: _before, ...rest } = transcript;
      return event.warnings.length === 0 ? rest : { ...rest, warnings: event.warnings };
    }
    case 'permissionsChanged':
      return { ...transcript, permissions: event.permissions };
    case 'elicitationsChanged':
      return { ...transcript, elicitations: event.elicitations };
    case 'decidedChanged':
      return { ...transcript, decided: event.decided };
    case 'queueChanged':
      return { ...transcript, queue: event.queue };
    case 'heldChanged':
      return { ...transcript, held: event.held };
    case 'agentChanged':
      // What the last one offered is not this one's.
      return { ...transcript, agent: event.agent, about: event.about, options: [], commands: [], context: null };
    case 'optionsChanged':
      return { ...transcript, options: event.options };
    case 'commandsChanged':
      return { ...transcript, commands: event.commands };
    case 'contextChanged':
      return { ...transcript, context: event.context };
    case 'spentChanged': {
      const { spent: _before, ...rest } = transcript;
      return event.spent === null ? rest : { ...rest, spent: event.spent };
    }
  }
}

/** The second, with the messages of the first where they are the same, so that they are not drawn again. */
export function keepSame(before: Transcript, after: Transcript): Transcript {
  if (before.session !== after.session) return after;
  const shift = (after.earlier ?? 0) - (before.earlier ?? 0);
  return { ...after, messages: withSame(before.messages, after.messages, shift) };
}

function withText<Growing extends TextBlock | ThoughtBlock>({ left = 0, ...block }: Growing, more: string): Block {
  const after = left - more.length;
  return { ...block, text: joined(block.text, more), ...(after > 0 && { left: after }) } as Block;
}

/** Without the messages before this place, which can be had again. */
export function letGo(transcript: Transcript, first: number): Transcript {
  const { earlier = 0, messages } = transcript;
  return first > earlier
    ? withEarlier({ ...transcript, messages: messages.slice(first - earlier) }, first)
    : transcript;
}

function withEarlier(transcript: Transcript, earlier: number): Transcript {
  const { earlier: before, ...rest } = transcript;
  return earlier === before ? transcript : earlier > 0 ? { ...rest, earlier } : rest;
}

/** What did not change keeps its identity, so that it is not drawn again. `shift` is by how much the second begins later. */
function withSame(before: readonly Message[], after: readonly Message[], shift: number): readonly Message[] {
  return after.map((message, at) => {
    const known = before[at + shift];
    if (known === message || known?.id !== message.id) return message;
    return isEqual(known, message) ? known : message;
  });
}

/** Of plain data. It makes no text of either, because a message may have tens of megabytes. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const fields = Object.entries(one);
  const others = other as { readonly [name: string]: unknown };
  return fields.length === Object.keys(other).length && fields.every(([name, value]) => isEqual(value, others[name]));
}

/** What was below stands beside the message that comes now. */
function withNext(branches: Branches, message: MessageId): Branches {
  const { beside, below } = branches;
  return below.length === 0 ? branches : { beside: { ...beside, [message]: [...below, message] }, below: [] };
}

/** Only the newest messages change, so the search goes backwards. */
function change(
  transcript: Transcript,
  id: MessageId,
  edit: (message: Message) => Message | undefined,
): Transcript | undefined {
  for (let at = transcript.messages.length - 1; at >= 0; at--) {
    const message = transcript.messages[at];
    if (message?.id !== id) continue;
    const edited = edit(message);
    if (!edited) return undefined;
    return { ...transcript, messages: transcript.messages.with(at, edited) };
  }
  return undefined;
}
