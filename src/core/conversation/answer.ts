// One assistant message while it grows: turns the agent's updates into events for panels and facts for the journal.
// Blocks stand in the order in which they began; text that arrives in pieces is one block until something else comes; a
// tool call is one block from its first mention to its end.

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
  type TextBlock,
  type ThoughtBlock,
  type ToolCallBlock,
} from '../../model/message.ts';
import { joined } from '../../model/growing.ts';
import type { FileChange, FileState } from '../../model/changes.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { AgentUpdate, ToolCallChanges } from '../agentTurn.ts';

/** An answer as it is so far. */
export interface AnswerState {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly blocks: readonly Block[];
  readonly toolCalls: ReadonlyMap<string, number>;
  /** How much of the text of the last block has been given out as a fact. */
  readonly saved: number;
  /** Where the list of changed files stands, and whether it is another than the one in the journal. */
  readonly changesAt: number | null;
  readonly changesAreNew: boolean;
  readonly lastMessageId: string | undefined;
}

export interface Growth {
  readonly answer: AnswerState;
  /** Shown at once. */
  readonly events: readonly TranscriptEvent[];
  /** To be saved; what is in `after` is shown once they are. */
  readonly facts: readonly Fact[];
  readonly after: readonly TranscriptEvent[];
}

export function beginAnswer(session: SessionId, message: MessageId): AnswerState {
  return {
    session,
    message,
    blocks: [],
    toolCalls: new Map(),
    saved: 0,
    changesAt: null,
    changesAreNew: false,
    lastMessageId: undefined,
  };
}

export function applyUpdate(answer: AnswerState, update: AgentUpdate): Growth {
  switch (update.type) {
    case 'text':
    case 'thought':
      return addText(answer, update.type, update.text, update.messageId);
    case 'toolCall':
      return setToolCall(answer, update.callId, update.changes);
    case 'media': {
      const { kind, mime, data } = update;
      return addBlock(answer, { kind, mime, data }, true);
    }
    case 'resource': {
      const { type: _type, ...resource } = update;
      return addBlock(answer, { kind: 'resource', ...resource }, true);
    }
    case 'plan':
      return setPlan(answer, update.entries);
    case 'notice':
      return addBlock(answer, { kind: 'notice', mime: plain, severity: update.severity, text: update.text }, true);
    case 'compacted': {
      const text = update.summary ?? 'The agent shortened what it remembers of this conversation.';
      // Where it is written down, it can stand for what was said before.
      const extra = update.summary === null ? {} : { extra: { compacted: true } };
      return addBlock(answer, { kind: 'notice', mime: markdown, severity: 'info', text, ...extra }, true);
    }
    case 'unknown':
      return addBlock(answer, { kind: 'unknown', mime: json, value: update.value }, true);
  }
}

/** What was answered when the agent asked: kept with the call that it was for. */
export function recordPermission(answer: AnswerState, callId: string, permission: PermissionAnswer): Growth {
  const at = answer.toolCalls.get(callId);
  const old = at === undefined ? undefined : answer.blocks[at];
  if (at === undefined || old?.kind !== 'toolCall') return unchanged(answer);
  return setBlock(answer, at, { ...old, permission }, 'now');
}

export function toolCallOf({ toolCalls, blocks }: AnswerState, callId: string): ToolCallBlock | null {
  const block = blocks[toolCalls.get(callId) ?? -1];
  return block?.kind === 'toolCall' ? block : null;
}

/**
 * The files that are other now than before the turn. Panels get no contents, only what they are called by; the last list
 * is shown when it is saved, for it can be acted upon.
 */
export function setChanges(answer: AnswerState, files: readonly FileChange[], isLast: boolean): Growth {
  if (files.length === 0 && answer.changesAt === null) return unchanged(answer);
  const block: ChangesBlock = { kind: 'changes', mime: json, files };
  const at = answer.changesAt ?? answer.blocks.length;
  const changed = { ...answer, blocks: replaceAt(answer.blocks, at, block), changesAt: at, changesAreNew: !isLast };
  const event: TranscriptEvent = { type: 'blockSet', message: answer.message, at, block: withoutContents(block) };
  return isLast
    ? { answer: changed, events: [], facts: [blockFact(answer, at, block)], after: [event] }
    : { answer: changed, events: [event], facts: [], after: [] };
}

/** What is not yet in a fact; called every two seconds and at the end. */
export function checkpoint(answer: AnswerState): Growth {
  const { changesAt, changesAreNew } = answer;
  const changes = changesAreNew && changesAt !== null ? answer.blocks[changesAt] : undefined;
  const facts = [
    ...textFacts(answer),
    ...(changes && changesAt !== null ? [blockFact(answer, changesAt, changes)] : []),
  ];
  const block = answer.blocks[lastOf(answer)];
  const saved = block && isText(block) ? block.text.length : answer.saved;
  return { answer: { ...answer, saved, changesAreNew: false }, events: [], facts, after: [] };
}

/** Whatever is still open when the turn ends will not go on: agents differ in whether they say so. */
export function closeAnswer(answer: AnswerState, status: 'failed' | 'cancelled'): Growth {
  const { answer: saved, facts: first } = checkpoint(answer);
  const facts: Fact[] = [...first];
  const after: TranscriptEvent[] = [];
  const blocks = saved.blocks.map((block, at) => {
    if (block.kind !== 'toolCall' || isOver(block)) return block;
    const ended = { ...block, status };
    facts.push(blockFact(answer, at, ended));
    after.push({ type: 'blockSet', message: answer.message, at, block: ended });
    return ended;
  });
  return { answer: { ...saved, blocks }, events: [], facts, after };
}

function unchanged(answer: AnswerState): Growth {
  return { answer, events: [], facts: [], after: [] };
}

/** The block that may go on. The list of changed files comes when it comes, and interrupts nothing. */
function lastOf({ blocks, changesAt }: AnswerState): number {
  const at = blocks.length - 1;
  return at === changesAt ? at - 1 : at;
}

/** The text of the last block, wherever it ends. */
function textFacts(answer: AnswerState): readonly Fact[] {
  const { session, message, saved: offset } = answer;
  const at = lastOf(answer);
  const block = answer.blocks[at];
  if (!block || !isText(block) || offset === block.text.length) return [];
  const { kind, mime } = block;
  return [{ type: 'text', session, message, at, kind, mime, offset, text: block.text.slice(offset) }];
}

function addText(answer: AnswerState, kind: 'text' | 'thought', text: string, messageId: string | undefined): Growth {
  if (text === '') return unchanged(answer);
  const at = lastOf(answer);
  const block = answer.blocks[at];
  const goesOn = block?.kind === kind && messageId === answer.lastMessageId;
  const heard = { ...answer, lastMessageId: messageId };
  if (!goesOn) return addBlock(heard, { kind, mime: kind === 'text' ? markdown : plain, text }, false);
  const offset = block.text.length;
  const blocks = replaceAt(answer.blocks, at, { ...block, text: joined(block.text, text) });
  const event: TranscriptEvent = { type: 'textAppended', message: answer.message, at, offset, text };
  return { answer: { ...heard, blocks }, events: [event], facts: [], after: [] };
}

/** A plan replaces the one before: it is one block of the answer, where it first stood. */
function setPlan(answer: AnswerState, entries: readonly PlanEntry[]): Growth {
  const block: Block = { kind: 'plan', mime: json, entries };
  const at = answer.blocks.findIndex(one => one.kind === 'plan');
  return at < 0 ? addBlock(answer, block, true) : setBlock(answer, at, block, 'now');
}

function setToolCall(answer: AnswerState, callId: string, changes: ToolCallChanges): Growth {
  const at = answer.toolCalls.get(callId);
  const old = at === undefined ? undefined : answer.blocks[at];
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
    const toolCalls = new Map(answer.toolCalls).set(callId, answer.blocks.length);
    return addBlock({ ...answer, toolCalls }, fresh, isOver(fresh));
  }
  const block: ToolCallBlock = { ...old, ...changes };
  // The end of a call is shown once it is durable.
  return setBlock(answer, at, block, isOver(block) ? 'later' : 'unsaved');
}

/** Shows the block at once and saves it, or shows it once it is saved, or only shows it. */
function setBlock(answer: AnswerState, at: number, block: Block, how: 'now' | 'later' | 'unsaved'): Growth {
  const event: TranscriptEvent = { type: 'blockSet', message: answer.message, at, block };
  return {
    answer: { ...answer, blocks: replaceAt(answer.blocks, at, block) },
    events: how === 'later' ? [] : [event],
    facts: how === 'unsaved' ? [] : [blockFact(answer, at, block)],
    after: how === 'later' ? [event] : [],
  };
}

function addBlock(answer: AnswerState, block: Block, isWhole: boolean): Growth {
  const at = answer.blocks.length;
  const facts = [...textFacts(answer)];
  // A tool call is in the journal from its beginning, so that an interrupted turn shows what was under way.
  if (isWhole || block.kind === 'toolCall') facts.push(blockFact(answer, at, block));
  const event: TranscriptEvent = { type: 'blockSet', message: answer.message, at, block };
  return { answer: { ...answer, blocks: [...answer.blocks, block], saved: 0 }, events: [event], facts, after: [] };
}

function replaceAt(blocks: readonly Block[], at: number, block: Block): readonly Block[] {
  const changed = [...blocks];
  changed[at] = block;
  return changed;
}

function blockFact({ session, message }: AnswerState, at: number, block: Block): Fact {
  return { type: 'block', session, message, at, block };
}

function isText(block: Block): block is TextBlock | ThoughtBlock {
  return block.kind === 'text' || block.kind === 'thought';
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
