// Which messages of a conversation go to an agent that is given the path with each prompt, where its model takes only so
// much at once: the newest that always stay, the summary that stands for what was before, the first prompt, and then more
// of the newest backwards while there is room. Pure; the agent and the line that says what it will know ask the same.
// Promises: a message goes whole or not at all, and never more than there is room for; what is left out is counted; where
// all fits, all goes.

import type { Block, Message, ToolCallBlock } from '../../model/message.ts';
import { notCovered, standsForEarlier } from './seeding.ts';
import { tokensOf } from './tokens.ts';

export interface FittingWay {
  /** Whose own summaries stand for what was before them. */
  readonly agent: string;
  /** So many of the newest messages go before anything else does. */
  readonly newest: number;
  /** That the agent wrote just now of all of the path, and that no message has yet. */
  readonly summary?: string | null;
}

export interface Fitted {
  /** The first prompt, or a summary in the tree. */
  readonly first: Message | null;
  /** What the agent's own summary says of all before `newest`; null where there is none, or no room for it. */
  readonly summary: string | null;
  /** What is left out was before these. */
  readonly newest: readonly Message[];
  /** Messages that go neither themselves nor in a summary that is whole. */
  readonly left: number;
  readonly leftOut: readonly Message[];
  readonly tokens: number;
}

/** How many of the newest messages always stay, where the person did not say. */
export const usualNewest = 4;
/** So much of a window is used at most: estimates are no more than that. */
const used = 0.8;
/** A summary that is cut to less says nothing. */
export const leastSummary = 300;
/** For the words that say what is left out, and what a summary is. */
const framing = 40;
/** Of a picture. */
const pictureTokens = 1600;

/** What is kept free of the window for the system prompt, the tools and the next words. */
export function reserveFor(window: number): number {
  return Math.min(8000, Math.max(2500, Math.floor(window / 8)));
}

/** Of a model's window, what the path may take. */
export function roomFor(window: number): number {
  return Math.max(0, Math.floor(window * used) - reserveFor(window));
}

/** All that goes to the model at once. */
export function limitFor(window: number): number {
  return Math.floor(window * used);
}

export function fitted(path: readonly Message[], room: number, way: FittingWay): Fitted {
  const { first, summary, rest, inSummary } = partedOf(path, way);
  const costs = rest.map(tokensOfMessage);
  const firstTokens = first ? tokensOfMessage(first) : 0;
  const summaryTokens = summary === null ? 0 : tokensOf(summary) + framing;
  const all = costs.reduce((sum, cost) => sum + cost, firstTokens + summaryTokens);
  if (all <= room) return { first, summary, newest: rest, left: 0, leftOut: [], tokens: all };
  let tokens = framing;
  let from = rest.length;
  const takeBackTo = (end: number) => {
    while (from > end && tokens + (costs[from - 1] ?? 0) <= room) tokens += costs[--from] ?? 0;
  };
  takeBackTo(Math.max(0, rest.length - way.newest));
  const stands = summary === null ? null : summaryWithin(summary, room - tokens);
  tokens += stands === null ? 0 : tokensOf(stands);
  // A first prompt that fills the room by itself says less than what came last; a summary in its place says more.
  const mostForFirst = Math.min(room - tokens, first?.role === 'summary' ? room : room / 2);
  const keepsFirst = first !== null && firstTokens <= mostForFirst;
  tokens += keepsFirst ? firstTokens : 0;
  takeBackTo(0);
  const isWhole = stands !== null && stands === summary;
  const areCovered = isWhole || (keepsFirst && first.role === 'summary');
  const others = new Set([...rest, first]);
  const outOfRest = new Set(rest.slice(isWhole ? Math.min(from, inSummary) : 0, from));
  const leftOut = path.filter(message => {
    if (message === first) return !keepsFirst && !isWhole;
    return others.has(message) ? outOfRest.has(message) : !areCovered;
  });
  return {
    first: keepsFirst ? first : null,
    summary: stands,
    newest: rest.slice(from),
    left: leftOut.length,
    leftOut,
    tokens,
  };
}

/** What a summary that is written now has to say: of these, on top of what the last one said. */
export function notYetSummarised(
  path: readonly Message[],
  way: FittingWay,
): { readonly before: string | null; readonly messages: readonly Message[] } {
  const { first, summary, rest, inSummary } = partedOf(path, way);
  return { before: summary, messages: summary === null && first ? [first, ...rest] : rest.slice(inSummary) };
}

/**
 * So much of the room may a summary take, beside the newest messages and what comes next: else it would have to be written
 * anew with each prompt. Too little where it is less than `leastSummary`.
 */
export function roomForSummary(path: readonly Message[], room: number, { newest }: FittingWay): number {
  const kept = path.slice(Math.max(0, path.length - newest));
  return room * 0.75 - framing - kept.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

interface Parted {
  readonly first: Message | null;
  readonly summary: string | null;
  /** All that is neither this nor the first is covered by the summary, or by the first where that is one. */
  readonly rest: readonly Message[];
  /** So many of the rest, from its beginning, are in the summary as well. */
  readonly inSummary: number;
}

/** By the last summary: a message of its own that covers others, or one that this agent made while it answered. */
function partedOf(path: readonly Message[], { agent, newest, summary: fresh = null }: FittingWay): Parted {
  const own = (summary: string, before: number): Parted => {
    const from = Math.max(1, before - newest);
    return {
      first: path[0] ?? null,
      summary,
      rest: path.slice(from),
      inSummary: Math.max(0, before - from),
    };
  };
  if (fresh !== null) return own(fresh, path.length);
  for (let at = path.length - 1; at >= 0; at--) {
    const message = path[at];
    if (!message) break;
    if (standsForEarlier(message)) {
      return { first: message, summary: null, rest: notCovered(path, message), inSummary: 0 };
    }
    const text = message.agent?.id === agent ? compactionIn(message.blocks) : null;
    // It stands for what was before the prompt that this answers.
    if (text !== null) return own(text, at - 1);
  }
  return { first: path[0] ?? null, summary: null, rest: path.slice(1), inSummary: 0 };
}

/** To at most so many tokens, with a word that it is; null where that is too few. */
export function summaryWithin(summary: string, most: number): string | null {
  if (tokensOf(summary) + framing <= most) return summary;
  if (most < leastSummary) return null;
  const cut = '\n[The rest of this summary is left out here, to make room.]';
  let length = Math.floor((summary.length * most) / tokensOf(summary));
  while (tokensOf(summary.slice(0, length)) + tokensOf(cut) + framing > most) length = Math.floor(length * 0.9);
  return summary.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') + cut;
}

function compactionIn(blocks: readonly Block[]): string | null {
  const block = blocks.findLast(one => one.kind === 'notice' && one.extra?.['compacted'] === true);
  return block?.kind === 'notice' ? block.text : null;
}

export function tokensOfMessage({ blocks }: Message): number {
  return blocks.reduce((sum, block) => sum + tokensOfBlock(block), 8);
}

function tokensOfBlock(block: Block): number {
  switch (block.kind) {
    case 'text':
      return tokensOf(block.text);
    case 'toolCall':
      return 20 + tokensOf(JSON.stringify(block.input ?? block.title)) + tokensOfResult(block);
    case 'image':
      return pictureTokens;
    case 'resource':
      return 10 + tokensOf(block.uri) + tokensOf(block.text ?? '');
    default:
      return 0;
  }
}

function tokensOfResult({ raw, output }: ToolCallBlock): number {
  const result = typeof raw === 'string' ? tokensOf(raw) : 0;
  return result + output.reduce<number>((sum, one) => sum + tokensOf(JSON.stringify(one)), 0);
}
