// How much of a long path goes to a panel at once: its end at first, and before that a portion each time that it asks. Pure,
// so that a table can prove it.

import type { Block, Message, TextBlock, ThoughtBlock } from './message.ts';

/** What a panel is given begins at a multiple of this. */
export const messagesPerPage = 20;
const atOnce = 40;
const perPortion = 5 * messagesPerPage;

/** Letters of one text at once, and each time that the panel asks for more of it. */
export const textAtOnce = 256 * 1024;

/** The path as a panel is given it: of a very long text that is finished only its beginning. */
export function given(messages: readonly Message[]): readonly Message[] {
  return messages.some(isVeryLong)
    ? messages.map(message => (isVeryLong(message) ? begun(message) : message))
    : messages;
}

/** The next portion of a text. */
export function portionOf(text: string, offset: number): string {
  const end = offset + textAtOnce;
  // Not in the middle of a letter that is two characters long.
  const isCut = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(offset, isCut ? end - 1 : end);
}

function isVeryLong({ end, blocks }: Message): boolean {
  return end !== undefined && blocks.some(isLongText);
}

function isLongText(block: Block): block is TextBlock | ThoughtBlock {
  return (block.kind === 'text' || block.kind === 'thought') && block.text.length > 2 * textAtOnce;
}

function begun(message: Message): Message {
  const blocks = message.blocks.map(block => {
    if (!isLongText(block)) return block;
    const text = portionOf(block.text, 0);
    return { ...block, text, left: block.text.length - text.length };
  });
  return { ...message, blocks };
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
