// How much of a long path goes to a panel at once: its end at first, and before that a portion each time that it asks. Pure,
// so that a table can prove it.

import type { Block, Json, Message, ToolCallBlock } from './message.ts';

/** What a panel is given begins at a multiple of this. */
export const messagesPerPage = 20;
const atOnce = 40;
const perPortion = 5 * messagesPerPage;

/** Letters of one text at once, and each time that the panel asks for more of it. */
export const textAtOnce = 256 * 1024;
/** What is longer than this is not given whole. */
const longest = 2 * textAtOnce;

/** The path as a panel is given it: of a very long text that is finished only its beginning, of a long output as well. */
export function given(messages: readonly Message[]): readonly Message[] {
  const begun = messages.map(begin);
  return begun.some((message, at) => message !== messages[at]) ? begun : messages;
}

/** The same of one block that changed, in a message that is still written where `isOver` is false. */
export function givenBlock(block: Block, isOver: boolean): Block {
  if (block.kind === 'toolCall') return givenCall(block);
  if (!isOver || (block.kind !== 'text' && block.kind !== 'thought') || block.text.length <= longest) return block;
  const text = portionOf(block.text, 0);
  return { ...block, text, left: block.text.length - text.length };
}

/** The next portion of a text. */
export function portionOf(text: string, offset: number): string {
  const end = offset + textAtOnce;
  // Not in the middle of a letter that is two characters long.
  const isCut = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(offset, isCut ? end - 1 : end);
}

function begin(message: Message): Message {
  const blocks = message.blocks.map(block => givenBlock(block, message.end !== undefined));
  return blocks.some((block, at) => block !== message.blocks[at]) ? { ...message, blocks } : message;
}

function givenCall(call: ToolCallBlock): ToolCallBlock {
  const { input, raw } = call;
  if (![input, raw, ...call.output].some(isLong)) return call;
  const cut = { left: 0 };
  const output = call.output.map(one => begunIn(one, cut));
  const beside = {
    ...(input !== undefined && { input: begunIn(input, cut) }),
    ...(raw !== undefined && { raw: begunIn(raw, cut) }),
  };
  return { ...call, ...beside, output, left: cut.left };
}

/** Some text in it is. */
function isLong(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.length > longest;
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong);
}

/** With the beginning of each text in it that is very long; what a terminal printed counts from its end. */
function begunIn(value: Json, cut: { left: number }, isEnd = false): Json {
  if (typeof value === 'string') {
    if (value.length <= longest) return value;
    const text = isEnd ? endOf(value) : portionOf(value, 0);
    cut.left += value.length - text.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(one => begunIn(one, cut));
  const fields = Object.entries(value as { readonly [name: string]: Json });
  const isTerminal = fields.some(([name, one]) => name === 'type' && one === 'terminal');
  return Object.fromEntries(fields.map(([name, one]) => [name, begunIn(one, cut, isTerminal && name === 'output')]));
}

function endOf(text: string): string {
  const from = text.length - textAtOnce;
  return text.slice(/[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from);
}

/** The place of the first message that goes out at once; the one at `wanted` has to be among them, and what is above it. */
export function firstGiven(count: number, wanted = -1): number {
  const last = pageBefore(count - atOnce);
  return wanted < 0 ? last : Math.min(last, pageBefore(wanted - messagesPerPage));
}

/** The place of the first message of the portion before this place. */
export function firstOfPortion(before: number): number {
  return Math.max(0, before - perPortion);
}

function pageBefore(place: number): number {
  return Math.max(0, Math.floor(place / messagesPerPage) * messagesPerPage);
}
