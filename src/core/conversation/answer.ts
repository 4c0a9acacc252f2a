// One assistant message while it grows: turns the agent's updates into events for panels and facts for the journal.
// Promises: blocks stand in the order in which they began; text that arrives in pieces is one block until something
// else comes; a tool call is one block from its first mention to its end. A tool call's end is an event only after
// its fact is durable. It leaves saving and time to the turn.

import {
  json,
  markdown,
  plain,
  type Block,
  type ChangesBlock,
  type MessageId,
  type PermissionAnswer,
  type PlanEntry,
  type SessionId,
  type ToolCallBlock,
} from '../../model/message.ts';
import { joined } from '../../model/growing.ts';
import type { FileChange, FileState } from '../../model/changes.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { AgentUpdate, ToolCallChanges } from '../agentTurn.ts';

export interface Step {
  /** Shown at once. */
  readonly events: readonly TranscriptEvent[];
  /** To be saved; what is in `after` is shown once they are. */
  readonly facts: readonly Fact[];
  readonly after: readonly TranscriptEvent[];
}

const nothing: Step = { events: [], facts: [], after: [] };

export class Answer {
  private readonly session: SessionId;
  private readonly message: MessageId;
  private readonly blocks: Block[] = [];
  private readonly toolCalls = new Map<string, number>();
  /** How much of the text of the last block has been given out as a fact. */
  private saved = 0;
  /** Where the list of changed files stands, and whether it is another than the one in the journal. */
  private changesAt: number | null = null;
  private changesAreNew = false;
  private lastMessageId: string | undefined;

  constructor(session: SessionId, message: MessageId) {
    this.session = session;
    this.message = message;
  }

  apply(update: AgentUpdate): Step {
    switch (update.type) {
      case 'text':
      case 'thought':
        return this.text(update.type, update.text, update.messageId);
      case 'toolCall':
        return this.toolCall(update.callId, update.changes);
      case 'media': {
        const { kind, mime, data } = update;
        return this.begin({ kind, mime, data }, true);
      }
      case 'resource': {
        const { type: _type, ...resource } = update;
        return this.begin({ kind: 'resource', ...resource }, true);
      }
      case 'plan':
        return this.plan(update.entries);
      case 'notice':
        return this.begin({ kind: 'notice', mime: plain, severity: update.severity, text: update.text }, true);
      case 'compacted': {
        const text = update.summary ?? 'The agent shortened what it remembers of this conversation.';
        // Where it is written down, it can stand for what was said before.
        const extra = update.summary === null ? {} : { extra: { compacted: true } };
        return this.begin({ kind: 'notice', mime: markdown, severity: 'info', text, ...extra }, true);
      }
      case 'unknown':
        return this.begin({ kind: 'unknown', mime: json, value: update.value }, true);
    }
  }

  /** What was answered when the agent asked: kept with the call that it was for. */
  answered(callId: string, permission: PermissionAnswer): Step {
    const at = this.toolCalls.get(callId);
    const old = at === undefined ? undefined : this.blocks[at];
    if (at === undefined || old?.kind !== 'toolCall') return nothing;
    const block = { ...old, permission };
    this.blocks[at] = block;
    const event: TranscriptEvent = { type: 'blockSet', message: this.message, at, block };
    return { events: [event], facts: [this.blockFact(at, block)], after: [] };
  }

  toolCallOf(callId: string): ToolCallBlock | null {
    const block = this.blocks[this.toolCalls.get(callId) ?? -1];
    return block?.kind === 'toolCall' ? block : null;
  }

  /**
   * The files that are other now than before the turn. Panels get no contents, only what they are called by; the last list
   * is shown when it is saved, for it can be acted upon.
   */
  changed(files: readonly FileChange[], isLast: boolean): Step {
    if (files.length === 0 && this.changesAt === null) return nothing;
    const block: ChangesBlock = { kind: 'changes', mime: json, files };
    const at = (this.changesAt ??= this.blocks.length);
    this.blocks[at] = block;
    const event: TranscriptEvent = { type: 'blockSet', message: this.message, at, block: withoutContents(block) };
    this.changesAreNew = !isLast;
    return isLast
      ? { events: [], facts: [this.blockFact(at, block)], after: [event] }
      : { events: [event], facts: [], after: [] };
  }

  /** What is not yet in a fact; called every two seconds and at the end. */
  checkpoint(): readonly Fact[] {
    const changes = this.changesAreNew && this.changesAt !== null ? this.blocks[this.changesAt] : undefined;
    this.changesAreNew = false;
    return [
      ...this.checkpointText(),
      ...(changes && this.changesAt !== null ? [this.blockFact(this.changesAt, changes)] : []),
    ];
  }

  /** The text of the last block, wherever it ends. */
  private checkpointText(): readonly Fact[] {
    const at = this.last;
    const block = this.blocks[at];
    if (!block || (block.kind !== 'text' && block.kind !== 'thought') || this.saved === block.text.length) return [];
    const offset = this.saved;
    this.saved = block.text.length;
    const { session, message } = this;
    return [
      {
        type: 'text',
        session,
        message,
        at,
        kind: block.kind,
        mime: block.mime,
        offset,
        text: block.text.slice(offset),
      },
    ];
  }

  /** Whatever is still open when the turn ends will not go on: agents differ in whether they say so. */
  close(status: 'failed' | 'cancelled'): Step {
    const facts: Fact[] = [...this.checkpoint()];
    const after: TranscriptEvent[] = [];
    this.blocks.forEach((block, at) => {
      if (block.kind !== 'toolCall' || isOver(block)) return;
      const ended = { ...block, status };
      this.blocks[at] = ended;
      facts.push(this.blockFact(at, ended));
      after.push({ type: 'blockSet', message: this.message, at, block: ended });
    });
    return { events: [], facts, after };
  }

  /** The block that may go on. The list of changed files comes when it comes, and interrupts nothing. */
  private get last(): number {
    const at = this.blocks.length - 1;
    return at === this.changesAt ? at - 1 : at;
  }

  private text(kind: 'text' | 'thought', text: string, messageId: string | undefined): Step {
    if (text === '') return nothing;
    const at = this.last;
    const block = this.blocks[at];
    const goesOn = block?.kind === kind && messageId === this.lastMessageId;
    this.lastMessageId = messageId;
    if (!goesOn) {
      const mime = kind === 'text' ? markdown : plain;
      return this.begin({ kind, mime, text }, false);
    }
    this.blocks[at] = { ...block, text: joined(block.text, text) };
    const offset = block.text.length;
    return { events: [{ type: 'textAppended', message: this.message, at, offset, text }], facts: [], after: [] };
  }

  /** A plan replaces the one before: it is one block of the answer, where it first stood. */
  private plan(entries: readonly PlanEntry[]): Step {
    const block: Block = { kind: 'plan', mime: json, entries };
    const at = this.blocks.findIndex(one => one.kind === 'plan');
    if (at < 0) return this.begin(block, true);
    this.blocks[at] = block;
    return {
      events: [{ type: 'blockSet', message: this.message, at, block }],
      facts: [this.blockFact(at, block)],
      after: [],
    };
  }

  private toolCall(callId: string, changes: ToolCallChanges): Step {
    const at = this.toolCalls.get(callId);
    const old = at === undefined ? undefined : this.blocks[at];
    if (at === undefined || old?.kind !== 'toolCall') {
      const fresh: ToolCallBlock = {
        kind: 'toolCall',
        mime: json,
        callId,
        title: 'Tool call',
        tool: 'other',
        status: 'pending',
        locations: [],
        output: [],
        ...changes,
      };
      this.toolCalls.set(callId, this.blocks.length);
      return this.begin(fresh, isOver(fresh));
    }
    const block: ToolCallBlock = { ...old, ...changes };
    this.blocks[at] = block;
    const event: TranscriptEvent = { type: 'blockSet', message: this.message, at, block };
    return isOver(block)
      ? { events: [], facts: [this.blockFact(at, block)], after: [event] }
      : { events: [event], facts: [], after: [] };
  }

  private begin(block: Block, whole: boolean): Step {
    const facts: Fact[] = [...this.checkpointText()];
    this.saved = 0;
    const at = this.blocks.push(block) - 1;
    // A tool call is in the journal from its beginning, so that an interrupted turn shows what was under way.
    if (whole || block.kind === 'toolCall') facts.push(this.blockFact(at, block));
    return { events: [{ type: 'blockSet', message: this.message, at, block }], facts, after: [] };
  }

  private blockFact(at: number, block: Block): Fact {
    return { type: 'block', session: this.session, message: this.message, at, block };
  }
}

function withoutContents(block: ChangesBlock): ChangesBlock {
  const bare = (state: FileState): FileState =>
    state.kind === 'file' && state.content !== undefined ? { ...state, content: state.is } : state;
  return {
    ...block,
    files: block.files.map(file => ({ ...file, before: bare(file.before), after: bare(file.after) })),
  };
}

function isOver(block: ToolCallBlock): boolean {
  return block.status === 'completed' || block.status === 'failed' || block.status === 'cancelled';
}
