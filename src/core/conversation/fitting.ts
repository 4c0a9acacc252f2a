// Which messages of a conversation go to an agent that is given the path with each prompt, where its model takes only so
// much at once: the first prompt, or the summary that stands for what was before, then the newest backwards while there is
// room. Pure; the agent and the line that says what it will know ask the same. Promises: a message goes whole or not at
// all; what is left out is counted; where all fits, all goes.

import type { Block, Message, ToolCallBlock } from '../../model/message.ts';
import { tokensOf } from './tokens.ts';

export interface Fitted {
  /** What the agent's own summary says of all before `kept`; null where there is none. */
  readonly summary: string | null;
  readonly first: Message | null;
  /** After the first; what is left out was between. */
  readonly newest: readonly Message[];
  readonly left: number;
  readonly tokens: number;
}

/** So much of a window is used at most: estimates are no more than that. */
const used = 0.8;
/** Messages before a summary that are told with it. */
export const wordForWord = 4;
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

/** `agent`: whose own summaries stand for what was before them. */
export function fitted(path: readonly Message[], room: number, agent: string): Fitted {
  const { summary, rest } = fromSummary(path, agent);
  const costs = rest.map(tokensOfMessage);
  const summaryTokens = summary === null ? 0 : tokensOf(summary);
  const all = costs.reduce((sum, cost) => sum + cost, summaryTokens);
  const [opening, ...later] = rest;
  if (!opening) return { summary, first: null, newest: [], left: 0, tokens: all };
  if (all <= room) return { summary, first: opening, newest: later, left: 0, tokens: all };
  // A first prompt that fills the room by itself says less than what came last.
  const [openingTokens = 0] = costs;
  const keepsFirst = openingTokens <= room / 2;
  let tokens = summaryTokens + (keepsFirst ? openingTokens : 0);
  let from = rest.length;
  while (from > 1 && tokens + (costs[from - 1] ?? 0) <= room) tokens += costs[--from] ?? 0;
  const first = keepsFirst ? opening : null;
  return { summary, first, newest: rest.slice(from), left: from - (keepsFirst ? 1 : 0), tokens };
}

/** From the last summary on: a message of its own that covers others, or one that this agent made while it answered. */
function fromSummary(
  path: readonly Message[],
  agent: string,
): { readonly summary: string | null; readonly rest: readonly Message[] } {
  for (let at = path.length - 1; at >= 0; at--) {
    const message = path[at];
    if (!message) break;
    if (message.role === 'summary' && message.covers !== undefined && message.end?.reason === 'end_turn') {
      const covers = path.findIndex(({ id }) => id === message.covers);
      const after = path.filter((one, index) => index > covers && one.role !== 'summary');
      return { summary: null, rest: [message, ...after] };
    }
    const own = message.agent?.id === agent ? compactionIn(message.blocks) : null;
    // It stands for what was before the prompt that this answers; the last of that go word for word as well.
    if (own !== null) return { summary: own, rest: path.slice(Math.max(0, at - 1 - wordForWord)) };
  }
  return { summary: null, rest: path };
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
