// From one piece of markdown to tokens. Promises: a lexer that fails or gives up costs the formatting, never the
// words. Only the lexer of `marked` is used: nothing here ever makes HTML. It is a file of its own in the build, fetched
// while the host prepares the first snapshot, so that the composer does not wait for half the panel's code.

import { Lexer, type MarkedToken } from 'marked';
import { mendTail } from './mend.ts';

/** Where a tail longer than this is unfinished, it is shown unfinished. */
const longestTail = 8_000;
const definition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S{1,2000}[^\n]{0,500}$/gm;
const longestDefinitions = 16_000;

/** `definitions` are the link definitions of the whole text; `tail` is set for the piece that still grows. */
export function lexPiece(raw: string, definitions: string, tail: boolean): readonly MarkedToken[] {
  const short = withoutData(raw);
  const source = tail && short.length < longestTail ? mendTail(short) : short;
  try {
    const tokens = new Lexer({ gfm: true }).lex(definitions === '' ? source : `${definitions}\n\n${source}`);
    return tokens as readonly MarkedToken[];
  } catch {
    // The lexer recurses, so nesting that passed the gate in pieces.ts may still exhaust the stack.
    return [{ type: 'paragraph', raw, text: raw, tokens: [{ type: 'text', raw, text: raw, escaped: true }] }];
  }
}

/** Link definitions may stand anywhere in a text, so a piece alone cannot know them. */
export function definitionsIn(text: string): string {
  if (!text.includes(']:')) return '';
  const found = text.match(definition)?.join('\n') ?? '';
  return found.length > longestDefinitions ? '' : found;
}

/** An image written into the text is a wall of letters; it is not shown anyway. */
function withoutData(raw: string): string {
  return raw.includes(';base64,') ? raw.replace(/(\bdata:[\w/+.-]{1,100};base64,)[\w+/=]{200,}/g, '$1…') : raw;
}
