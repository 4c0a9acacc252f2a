// From one piece of markdown to tokens. Promises: a lexer that fails or gives up costs the formatting, never the
// words; character references are characters, and an image has the words of its text without their marks. Only the
// lexer of `marked` is used: nothing here ever makes HTML. It is a file of its own in the build, fetched while the host
// prepares the first snapshot, so that the composer does not wait for half the panel's code.

import { characterEntities } from 'character-entities';
import { Lexer, type MarkedToken, type Token } from 'marked';
import { mendTail } from './mend.ts';
import type { Piece } from './pieces.ts';
import { withPlaces } from './places.ts';

/** Where a tail longer than this is unfinished, it is shown unfinished. */
const longestTail = 8_000;
const longestDefinitions = 16_000;
/** Definitions are looked for in this much of a text, for they are read at once and not where the eye comes. */
const searched = 200_000;

/** As CommonMark wants them: numbers, and names. */
const characterReference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi;

/** `definitions` are what `definitionsIn` found in the whole text; `tail` is set for the piece that still grows; `files` are names that can be opened. */
export function lexPiece(
  raw: string,
  definitions: string,
  tail: boolean,
  files: readonly string[] = [],
): readonly MarkedToken[] {
  const short = withoutData(raw);
  const source = tail && short.length < longestTail ? mendTail(short) : short;
  try {
    const lexer = new Lexer({ gfm: true });
    if (definitions !== '') Object.assign(lexer.tokens.links, JSON.parse(definitions));
    return withPlaces(decoded(lexer.lex(source)), files);
  } catch {
    // The lexer recurses, so nesting that passed the gate in pieces.ts may still exhaust the stack.
    return [{ type: 'paragraph', raw, text: raw, tokens: [{ type: 'text', raw, text: raw, escaped: true }] }];
  }
}

/** Link definitions may stand anywhere in a text, so a piece alone cannot know them; the first of a name counts. */
export function definitionsIn(pieces: readonly Pick<Piece, 'kind' | 'raw'>[]): string {
  const links: Lexer['tokens']['links'] = Object.create(null);
  let left = searched;
  for (const { kind, raw } of pieces) {
    if (kind !== 'markdown' || !raw.includes(']:') || (left -= raw.length) < 0) continue;
    const lexer = new Lexer({ gfm: true });
    lexer.tokens.links = links;
    try {
      lexer.blockTokens(raw.replace(/\r\n?/g, '\n'));
    } catch {
      // What cannot be read defines nothing.
    }
  }
  const found = JSON.stringify(links);
  return found === '{}' || found.length > longestDefinitions ? '' : found;
}

/** The language that stands behind the marks of a fenced block. */
export function languageOf(word: string): string {
  return decodeEntities(word.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

/** An unknown name stays as it was typed. What a reference brings is cleaned where it is drawn. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(characterReference, (all, hex?: string, decimal?: string, name?: string) => {
    // A name may also be one that every object has, such as `constructor`.
    if (name !== undefined) return Object.hasOwn(characterEntities, name) ? (characterEntities[name] ?? all) : all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}

function decoded(tokens: readonly Token[]): readonly MarkedToken[] {
  for (const token of tokens as readonly MarkedToken[]) {
    if (token.type === 'list') decoded(token.items);
    else if (token.type === 'table') for (const cell of [token.header, ...token.rows].flat()) decoded(cell.tokens);
    // What stands in angle brackets is the address as it is.
    else if (token.type === 'link' && token.autolink && token.raw.startsWith('<')) continue;
    else if ('tokens' in token && token.tokens) decoded(token.tokens);
    else if (token.type === 'text') token.text = decodeEntities(token.text);
    if (token.type === 'link' || token.type === 'image') token.href = decodeEntities(token.href);
    if (token.type === 'image') token.text = wordsOf(token.tokens);
    if (token.type === 'code') {
      if (token.lang) token.lang = decodeEntities(token.lang);
      // The break that ends an indented block is not of its code.
      if (token.codeBlockStyle === 'indented') token.text = token.text.replace(/\n$/, '');
    }
  }
  return tokens as readonly MarkedToken[];
}

function wordsOf(tokens: readonly Token[]): string {
  return (tokens as readonly MarkedToken[])
    .map(token => {
      if (token.type === 'image') return token.text;
      if (token.type === 'br') return '\n';
      if ('tokens' in token && token.tokens) return wordsOf(token.tokens);
      return 'text' in token ? token.text : token.raw;
    })
    .join('');
}

/** An image written into the text is a wall of letters; it is not shown anyway. */
function withoutData(raw: string): string {
  return raw.includes(';base64,') ? raw.replace(/(\bdata:[\w/+.-]{1,100};base64,)[\w+/=]{200,}/g, '$1…') : raw;
}
