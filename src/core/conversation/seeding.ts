// What an agent that does not know a conversation is told of it: the first prompt, then the newest messages backwards
// while there is room, as one text. Promises: it never says more than was said, counts what it leaves out, and nothing
// in a message can end the text early. Whether it is needed is decided in `resumeAgentSession.ts`.

import { isWholeFile } from '../../model/attachment.ts';
import { textOf, type Block, type Message, type MessageId, type ResourceBlock } from '../../model/message.ts';
import { tokensOf } from './tokens.ts';

export interface SeedBudget {
  readonly messages: number;
  /** Of one message. */
  readonly characters: number;
  readonly tokens: number;
}

export const usualBudget: SeedBudget = { messages: 50, characters: 2000, tokens: 16_000 };

/** What is told to whoever is to summarise: all of it, as far as it goes in. */
export function wholeBudget(contextWindow: number | null): SeedBudget {
  return { messages: Infinity, characters: 20_000, tokens: Math.floor((contextWindow ?? 100_000) * 0.6) };
}

export interface Seed {
  readonly text: string;
  /** How many of the messages it tells, those that a summary in it stands for among them. */
  readonly messages: number;
  readonly of: number;
  readonly tokens: number;
  /** Those that are not told, or not to their end: a summary made of this does not stand for them. */
  readonly leftOut: readonly MessageId[];
}

/** A quarter of the window, where it is known, and never more than usual. */
export function budgetFor(contextWindow: number | null, usual: SeedBudget = usualBudget): SeedBudget {
  return contextWindow === null ? usual : { ...usual, tokens: Math.min(usual.tokens, Math.floor(contextWindow / 4)) };
}

/** Of a text that a person showed: its characters. */
const mostShown = 1000;

const begin = '<conversation-history>';
const end = '</conversation-history>';
const preface =
  'This conversation began earlier, with you or with another agent. Treat what follows as known to you; do not answer ' +
  'it again. Files may have changed since: look at them again before you rely on what is said about them.';

export function seedOf(path: readonly Message[], budget: SeedBudget = usualBudget): Seed {
  const { words, messages, leftOut } = telling(path, budget);
  const text = [begin, preface, ...words, end].join('\n\n');
  return { text, messages, of: path.length, tokens: tokensOf(text), leftOut };
}

/** What is told, without what frames it. */
export function telling(
  path: readonly Message[],
  budget: SeedBudget = usualBudget,
): { readonly words: readonly string[]; readonly messages: number; readonly leftOut: readonly MessageId[] } {
  const { summary, rest } = fromSummary(path);
  // The first prompt says what it is all about; a summary does so where there is one.
  const opening = summary ?? rest[0];
  const later = opening && !summary ? rest.slice(1) : rest;
  const whole = opening ? spoken(opening, budget) : null;
  const told = whole ? [within(whole.text, budget.tokens / 2)] : [];
  // What the opening stands for is told as far as the opening is.
  const cut = whole === null || (!whole.isCut && told[0] === whole.text) ? [] : standsFor(path, rest, opening);
  let tokens = tokensOf(preface) + told.reduce((sum, text) => sum + tokensOf(text), 0);
  const newest: string[] = [];
  for (const message of later.toReversed()) {
    const { text, isCut } = spoken(message, budget);
    const more = tokensOf(text);
    if (told.length + newest.length >= budget.messages || tokens + more > budget.tokens) break;
    newest.unshift(text);
    tokens += more;
    if (isCut) cut.push(message.id);
  }
  const left = later.length - newest.length;
  const leftOut = new Set([...later.slice(0, left).map(({ id }) => id), ...cut]);
  const gap = left === 0 ? [] : [`[${left} ${left === 1 ? 'message' : 'messages'} left out here]`];
  return {
    words: [...told, ...gap, ...newest],
    messages: path.length - left,
    leftOut: path.flatMap(({ id }) => (leftOut.has(id) ? [id] : [])),
  };
}

/** The last summary of the path and what came after what it stands for. */
function fromSummary(path: readonly Message[]): {
  readonly summary: Message | null;
  readonly rest: readonly Message[];
} {
  const at = path.findLastIndex(standsForEarlier);
  const summary = path[at];
  if (!summary) return { summary: null, rest: path };
  return { summary, rest: notCovered(path, summary) };
}

/** It is a summary that came to a good end; one without words stands for nothing. */
export function standsForEarlier(message: Message): boolean {
  const { role, covers, end } = message;
  return role === 'summary' && covers !== undefined && end?.reason === 'end_turn' && textOf(message).trim() !== '';
}

/** The messages of a path that a summary on it does not stand for, without other summaries. */
export function notCovered(path: readonly Message[], { covers, leftOut = [] }: Message): readonly Message[] {
  const last = path.findIndex(({ id }) => id === covers);
  const out = new Set(leftOut);
  return path.filter(({ id, role }, index) => (index > last || out.has(id)) && role !== 'summary');
}

/** The first prompt is told for itself, a summary for all that is not among the rest. */
function standsFor(path: readonly Message[], rest: readonly Message[], opening: Message | undefined): MessageId[] {
  if (opening?.role !== 'summary') return opening ? [opening.id] : [];
  const others = new Set(rest);
  return path.flatMap(message => (message.role === 'summary' || others.has(message) ? [] : [message.id]));
}

function spoken(message: Message, { characters }: SeedBudget): { readonly text: string; readonly isCut: boolean } {
  const who =
    message.role === 'user' ? 'User' : message.role === 'summary' ? 'Summary' : (message.agent?.name ?? 'Agent');
  const words = message.blocks.flatMap(block => wordsOf(block) ?? []).join('\n');
  // Of an answer the end counts most: there is what came of it. A summary was made to be told.
  const most = message.role === 'summary' ? Infinity : characters;
  const cut = message.role === 'assistant' ? keepEnd(words, most) : keepBeginning(words, most);
  const cutShort = wasCut(message) ? '\n[interrupted here]' : '';
  return { text: harmless(`[${who}]\n${cut}${cutShort}`), isCut: cut !== words };
}

/** Its writer died, the agent failed, or the person stopped it. */
function wasCut({ end }: Message): boolean {
  return !end || end.reason === 'failed' || end.reason === 'cancelled';
}

function wordsOf(block: Block): string | undefined {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'toolCall':
      return `- ${block.tool}: ${block.title} (${block.status})`;
    case 'image':
    case 'audio':
    case 'video':
      return `- ${block.kind}: ${block.name ?? block.uri ?? block.mime}`;
    case 'resource':
      return resourceWords(block);
    default:
      return undefined;
  }
}

/** A file can be read again; what a person showed of a terminal cannot. */
function resourceWords({ name, uri, text }: ResourceBlock): string {
  const line = `- resource: ${name ?? uri}`;
  return text === undefined || isWholeFile(uri) ? line : `${line}\n${keepBeginning(text, mostShown)}`;
}

/** The opening is always told, and leaves room for what came last. */
function within(text: string, tokens: number): string {
  const needed = tokensOf(text);
  return needed <= tokens ? text : keepBeginning(text, Math.floor((text.length * tokens) / needed) - 1);
}

function keepEnd(text: string, most: number): string {
  return text.length <= most ? text : `… ${text.slice(-most).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function keepBeginning(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')} …`;
}

/** What was said may talk about this text, but not end it. */
function harmless(text: string): string {
  return text.replaceAll(/<(\/?)conversation-history/gi, '<$1conversation‑history');
}
