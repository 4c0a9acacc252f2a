// The words of a block as a person reads them: of markdown without its marks, of a tool call its line and what is folded
// below it. Promises: what stands in one paragraph is one line, so that nothing is found across two; a block that did not
// change is not read again. What is shared with the rest of the panel is handed in, so that this file is loaded alone.

import type { MarkedToken, Token } from 'marked';
import type { Block, Message, plain, textOf } from '../../model/message.ts';
import type { cutPieces, Piece } from '../markdown/pieces.ts';
import type { MarkdownLexer } from '../panel.ts';
import type { terminalIn } from '../tools/terminals.ts';
import type { terminalText } from '../tools/terminalText.ts';
import type { thingWords } from '../transcript/things.ts';
import type { shownInput, shownOutput } from '../tools/toolOutput.ts';
import type { toolWords } from '../words.ts';
import { folded, type Part, type Where } from './matcher.ts';

export interface WordTools {
  /** Null while it is not there: then the words are as they were typed. */
  readonly lexer: () => MarkdownLexer | null;
  readonly plain: typeof plain;
  readonly textOf: typeof textOf;
  readonly cleanText: (text: string) => string;
  readonly cleanLine: (text: string) => string;
  readonly cutPieces: typeof cutPieces;
  readonly shownInput: typeof shownInput;
  readonly shownOutput: typeof shownOutput;
  readonly terminalIn: typeof terminalIn;
  readonly terminalText: typeof terminalText;
  readonly thingWords: typeof thingWords;
  readonly toolWords: typeof toolWords;
}

export interface ShownWords {
  /** One entry for each block. */
  of(message: Message): readonly (readonly Part[])[];
}

export function shownWords(tools: WordTools): ShownWords {
  const known = new WeakMap<Block, readonly Part[]>();
  const summaries = new WeakMap<Message, readonly (readonly Part[])[]>();
  const pieces = new WeakMap<Piece, string>();
  /** Of the text that grows, so that only its tail is read again. */
  const before = new Map<string, readonly Piece[]>();

  function markdown(text: string, key: string): string {
    const clean = tools.cleanText(text);
    const lexer = tools.lexer();
    if (!lexer) return folded(clean);
    const cut = tools.cutPieces(clean, before.get(key));
    before.set(key, cut);
    const definitions = lexer.definitionsIn(cut);
    return cut
      .map(piece => {
        const read = pieces.get(piece) ?? wordsOfPiece(piece, definitions, lexer, tools);
        pieces.set(piece, read);
        return read;
      })
      .join('\n');
  }

  function partsOf(block: Block, key: string): readonly Part[] {
    switch (block.kind) {
      case 'text':
        if (block.mime === tools.plain) return [part('words', tools.cleanText(block.text))];
        return [{ where: 'words', text: markdown(block.text, key) }];
      case 'thought':
        return [{ where: 'inside', text: markdown(block.text, key) }];
      case 'toolCall': {
        const [, rest] = tools.toolWords(block.tool, block.title);
        const input = block.input === undefined ? [] : [tools.shownInput(block.input)];
        const output = block.output.map(value => outputWords(value, tools));
        return [
          part('line', rest || tools.cleanLine(block.tool)),
          { where: 'inside', text: [...input, ...output].map(lines).join('\n') },
        ];
      }
      case 'plan':
        return [
          { where: 'words', text: block.entries.map(({ content }) => folded(tools.cleanLine(content))).join('\n') },
        ];
      case 'notice':
        return [part('words', tools.cleanText(block.text))];
      case 'image':
      case 'audio':
      case 'video':
        return [part('line', tools.thingWords(block).name)];
      case 'resource':
        return [
          part('line', tools.thingWords(block).name),
          ...(block.text === undefined ? [] : [part('inside', tools.shownInput(block.text))]),
        ];
      default:
        // What it changed is a list of its own, and an unknown kind has no words that a person would look for.
        return [];
    }
  }

  return {
    of(message) {
      if (message.role === 'summary') {
        const read = summaries.get(message) ?? [
          [{ where: 'inside', text: markdown(tools.textOf(message), message.id) }],
        ];
        summaries.set(message, read);
        return read;
      }
      return message.blocks.map((block, at) => {
        const read = known.get(block) ?? partsOf(block, `${message.id} ${at}`);
        // Without the lexer they are not yet what they will be.
        if (tools.lexer()) known.set(block, read);
        return read;
      });
    },
  };
}

function part(where: Where, text: string): Part {
  return { where, text: folded(text) };
}

/** Lines of a change and of a terminal are drawn one by one. */
function lines(text: string | readonly string[]): string {
  return typeof text === 'string' ? folded(text) : text.map(folded).join('\n');
}

function outputWords(value: Parameters<typeof shownOutput>[0], tools: WordTools): string | readonly string[] {
  const terminal = tools.terminalIn(value);
  if (terminal) {
    const printed = tools.terminalText(terminal.output).lines.map(line => line.map(({ text }) => text).join(''));
    return terminal.command === undefined ? printed : [tools.cleanText(terminal.command), ...printed];
  }
  const shown = tools.shownOutput(value);
  return shown.kind === 'text' ? shown.text : shown.lines.map(({ text }) => text);
}

function wordsOfPiece(piece: Piece, definitions: string, lexer: MarkdownLexer, tools: WordTools): string {
  if (piece.kind === 'plain') return folded(piece.raw);
  if (piece.kind === 'code') return folded(piece.code ?? '');
  return wordsOfTokens(lexer.lexPiece(piece.raw, definitions, false), tools);
}

/** As render.ts draws them. */
function wordsOfTokens(tokens: readonly Token[] | undefined, tools: WordTools): string {
  return (tokens ?? []).map(token => wordsOfToken(token as MarkedToken, tools)).join('');
}

function wordsOfToken(token: MarkedToken, tools: WordTools): string {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
    case 'checkbox':
      return '';
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'list_item':
      return `\n${wordsOfTokens(token.tokens, tools)}\n`;
    case 'list':
      return token.items.map(item => wordsOfToken(item as MarkedToken, tools)).join('');
    case 'table': {
      const cells = [...token.header, ...token.rows.flat()];
      return cells.map(cell => `\n${wordsOfTokens(cell.tokens, tools)}`).join('') + '\n';
    }
    case 'code':
      return `\n${folded(token.text)}\n`;
    case 'html':
      return /^<br *\/?>$/i.test(token.text) ? '\n' : folded(token.text);
    case 'br':
      return '\n';
    case 'text':
      return token.tokens ? wordsOfTokens(token.tokens, tools) : folded(tools.cleanText(token.text));
    case 'escape':
    case 'codespan':
      return folded(token.text);
    case 'image':
      return folded(tools.cleanText(token.text) || 'Image');
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return wordsOfTokens(token.tokens, tools);
    default:
      return folded((token as { readonly raw: string }).raw);
  }
}
