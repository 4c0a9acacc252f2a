// From tokens to vnodes. Promises: no HTML string is made, so raw HTML shows as the text that it is; an image is a
// line with its words and its host and is never loaded; only allowed addresses are links; nesting beyond a limit
// shows as text; a character reference brings back nothing that cleanText takes away. Written with `h`, so that a test can read the vnodes without a bundler or a page.

import { createContext, Fragment, h, type ComponentChild } from 'preact';
import { useContext } from 'preact/hooks';
import type { MarkedToken, Token, Tokens } from 'marked';
import { icon } from '../icons.ts';
import { allowedLink } from '../../model/links.ts';
import { hostOf } from '../links.ts';
import { cleanText } from '../transcript/cleanText.ts';
import { CodeBlock } from './codeBlock.ts';
import type { PlaceToken } from './places.ts';

const deepest = 24;

export type OpenLink = (url: string) => void;

/** Of a file that the text names. */
export const OpenFile = createContext<((words: string) => void) | null>(null);

export function renderTokens(tokens: readonly Token[], openLink: OpenLink, depth = 0): ComponentChild[] {
  return tokens.map(token => renderToken(token as MarkedToken, openLink, depth));
}

function renderToken(token: MarkedToken, openLink: OpenLink, depth: number): ComponentChild {
  if (depth > deepest) return token.raw;
  const inside = (tokens: readonly Token[] | undefined) => renderTokens(tokens ?? [], openLink, depth + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return h('p', null, inside(token.tokens));
    case 'heading':
      // The title of the panel and the names of the articles are above these.
      return h(`h${Math.min(6, token.depth + 2)}`, { class: `heading level${token.depth}` }, inside(token.tokens));
    case 'blockquote':
      return h('blockquote', null, inside(token.tokens));
    case 'hr':
      return h('hr', null);
    case 'code':
      return h(CodeBlock, { code: token.text, language: /^\S*/.exec(token.lang ?? '')?.[0] ?? '' });
    case 'list':
      return renderList(token, inside);
    case 'list_item':
      return h('li', null, inside(token.tokens));
    case 'checkbox':
      return h(
        'span',
        { class: 'checkbox', role: 'img', 'aria-label': token.checked ? 'Done' : 'To do' },
        icon(token.checked ? 'boxDone' : 'box'),
      );
    case 'table':
      return renderTable(token, inside);
    case 'html':
      return renderHtml(token);
    case 'text':
      return token.tokens ? h(Fragment, null, inside(token.tokens)) : cleanText(token.text);
    case 'escape':
      return token.text;
    case 'strong':
      return h('strong', null, inside(token.tokens));
    case 'em':
      return h('em', null, inside(token.tokens));
    case 'del':
      return h('del', null, inside(token.tokens));
    case 'codespan':
      return h('code', null, token.text);
    case 'br':
      return h('br', null);
    case 'link':
      return renderLink(token, inside(token.tokens), openLink);
    case 'image':
      return renderImage(token);
    default:
      return renderUnknown(token);
  }
}

function renderList(token: Tokens.List, inside: (tokens: readonly Token[]) => ComponentChild[]): ComponentChild {
  const items = token.items.map(item => h('li', { class: item.task ? 'task' : undefined }, inside(item.tokens)));
  const kind = token.loose ? 'loose' : 'tight';
  if (!token.ordered) return h('ul', { class: kind }, items);
  return h('ol', { class: kind, start: typeof token.start === 'number' ? token.start : 1 }, items);
}

function renderTable(token: Tokens.Table, inside: (tokens: readonly Token[]) => ComponentChild[]): ComponentChild {
  const cell = (tag: 'th' | 'td') => (each: Tokens.TableCell) =>
    h(
      tag,
      { class: each.align ? `align-${each.align}` : undefined, scope: tag === 'th' ? 'col' : undefined },
      inside(each.tokens),
    );
  const table = h('table', null, [
    h('thead', null, h('tr', null, token.header.map(cell('th')))),
    h(
      'tbody',
      null,
      token.rows.map(row => h('tr', null, row.map(cell('td')))),
    ),
  ]);
  // It scrolls by itself, so the keyboard must be able to reach it.
  return h('div', { class: 'tableFrame', role: 'group', 'aria-label': 'Table', tabIndex: 0 }, table);
}

function renderHtml(token: Tokens.HTML | Tokens.Tag): ComponentChild {
  if (token.block) return h('p', { class: 'rawHtml' }, token.text.trimEnd());
  // A break is the one tag that carries no address, no style and no script, and tables need it.
  return /^<br *\/?>$/i.test(token.text) ? h('br', null) : token.text;
}

function renderLink(token: Tokens.Link, inner: ComponentChild[], openLink: OpenLink): ComponentChild {
  const address = cleanText(token.href);
  const url = allowedLink(address);
  if (url === undefined) return h('span', { class: 'deadLink', title: address }, inner);
  const open = (event: Event) => {
    // VS Code opens links of a webview by itself; this one goes through the host alone.
    event.preventDefault();
    event.stopPropagation();
    openLink(url);
  };
  return h('a', { href: url, title: url, onClick: open }, inner);
}

function renderImage(token: Tokens.Image): ComponentChild {
  const address = cleanText(token.href);
  const words = cleanText(token.text) || 'Image';
  const host = hostOf(address);
  const title = `Not loaded: ${address.slice(0, 300)}`;
  return h('span', { class: 'image', title }, [
    icon('image'),
    h('span', null, words),
    host && h('span', { class: 'dim' }, host),
  ]);
}

/** A kind of token from ours, from an extension or a later version of the lexer. */
function renderUnknown(token: Pick<Token, 'type' | 'raw'>): ComponentChild {
  return isPlace(token) ? h(FileName, token) : token.raw;
}

function isPlace(token: object): token is PlaceToken {
  return 'type' in token && token.type === 'place';
}

/** In the middle of a sentence, so that it breaks over lines as the words around it do. */
function FileName({ words, isCode }: PlaceToken): ComponentChild {
  const openFile = useContext(OpenFile);
  const open = () => openFile?.(words);
  const onKeyDown = ({ key }: KeyboardEvent) => void (key === 'Enter' && open());
  const name = h(
    'span',
    { class: 'fileName', role: 'link', tabIndex: 0, title: `Open ${words}`, onClick: open, onKeyDown },
    words,
  );
  return isCode ? h('code', null, name) : name;
}
