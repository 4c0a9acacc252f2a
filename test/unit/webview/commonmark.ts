// The examples of the CommonMark specification, and the trees in which what a page would hold is compared with what the
// specification expects. Promises: what our page says in another way (its headings stand under those of the panel, an
// address that is not allowed is no link, an image is its words) is read as what it stands for, and nothing else is passed
// over: letters, order, kinds and addresses count.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Fragment, type ComponentChild } from 'preact';

export interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/** An element with what counts of its attributes, or letters. */
export type Tree = string | { readonly tag: string; readonly inside: readonly Tree[] };

const specification = createRequire(import.meta.url).resolve('commonmark-spec/spec.txt');
const entitySource = /^&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]+));/;
const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"' };
const lines = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol li hr br pre table'.split(' '));
const voids = new Set(['br', 'hr', 'img']);

export function examples(): readonly Example[] {
  const text = readFileSync(specification, 'utf8').replace(/^<!-- END TESTS -->[^]*/m, '');
  const found: Example[] = [];
  let section = '';
  const parts = /^`{32} example\n([^]*?)^\.\n([^]*?)^`{32}$|^#{1,6} *(.*)$/gm;
  for (const [, markdown, html, title] of text.matchAll(parts)) {
    if (title !== undefined) section = title;
    else {
      const tabbed = (part = '') => part.replaceAll('→', '\t');
      found.push({ number: found.length + 1, section, markdown: tabbed(markdown), html: tabbed(html) });
    }
  }
  return found;
}

/** The HTML that the specification writes: well formed, attributes in double quotes, four names of entities. */
export function treeOfHtml(html: string): readonly Tree[] {
  const root: { tag: string; inside: Tree[] } = { tag: '', inside: [] };
  const open = [root];
  for (const [, tag, letters] of html.matchAll(/<(\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?)>|([^<]+|<)/gi)) {
    const top = open.at(-1) ?? root;
    if (letters !== undefined) top.inside.push(unescaped(letters));
    else if (tag?.startsWith('/')) open.pop();
    else {
      const [, name = '', rest = ''] = /^([a-z0-9]+)([^]*)$/i.exec(tag ?? '') ?? [];
      const element = { tag: named(name, attributesOf(rest)), inside: [] };
      top.inside.push(element);
      if (!voids.has(name)) open.push(element);
    }
  }
  return tidied(root.inside);
}

export function treeOfVnodes(child: ComponentChild | readonly ComponentChild[]): readonly Tree[] {
  return tidied(read(child));
}

/** As HTML without any escape: raw HTML that stands there as letters is what it was. */
export function flat(trees: readonly Tree[]): string {
  return trees
    .map(tree => {
      if (typeof tree === 'string') return tree;
      const [name = ''] = tree.tag.split(' ');
      return voids.has(name) ? `<${tree.tag}>` : `<${tree.tag}>${flat(tree.inside)}</${name}>`;
    })
    .join('');
}

export function unescaped(text: string): string {
  return text.replace(/&[#a-zA-Z0-9]+;/g, all => {
    const [, hex, decimal, name] = entitySource.exec(all) ?? [];
    if (name !== undefined) return entities[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return Number.isNaN(code) ? all : String.fromCodePoint(code);
  });
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(text.matchAll(/([a-z]+)="([^"]*)"/gi), ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

function named(name: string, attributes: ReadonlyMap<string, string>): string {
  const address = attributes.get('href') ?? attributes.get('src');
  const alt = attributes.get('alt');
  const start = attributes.get('start');
  const language = attributes.get('class');
  return [
    name,
    alt !== undefined && `alt=${JSON.stringify(alt || 'Image')}`,
    address !== undefined && `to=${JSON.stringify(plain(address))}`,
    start !== undefined && start !== '1' && `start=${start}`,
    language && `language=${JSON.stringify(language.replace('language-', ''))}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Percent signs or not, and the slash that an address of a host gets, lead to the same place. */
function plain(address: string): string {
  const whole = URL.canParse(address) ? new URL(address.replaceAll('\\', '%5C')).href : address;
  try {
    return decodeURI(whole);
  } catch {
    // A percent sign that is none of an escape.
    return whole;
  }
}

interface Vnode {
  readonly type: unknown;
  readonly props: { readonly [name: string]: unknown };
}

function read(child: unknown): readonly Tree[] {
  if (child === null || child === undefined || typeof child === 'boolean') return [];
  if (Array.isArray(child)) return child.flatMap(read);
  if (typeof child === 'string' || typeof child === 'number') return [String(child)];
  assert.ok(typeof child === 'object');
  const { type, props } = child as Vnode;
  const inside = () => read(props['children']);
  const text = (key: string) => (typeof props[key] === 'string' ? props[key] : '');
  if (type === Fragment) return inside();
  if (typeof type === 'function') {
    const tag = named('code', new Map([['class', text('language')]]));
    return [{ tag: 'pre', inside: [{ tag, inside: [`${text('code')}\n`] }] }];
  }
  const kind = text('class');
  const heading = /^heading level(\d)$/.exec(kind)?.[1];
  if (heading) return [{ tag: `h${heading}`, inside: inside() }];
  if (kind === 'tableFrame' || kind === 'rawHtml') return inside();
  if (kind === 'checkbox') return [{ tag: `input ${text('aria-label')}`, inside: [] }];
  if (kind === 'deadLink') return [{ tag: named('a', new Map([['href', text('title')]])), inside: inside() }];
  if (kind === 'image') {
    const [, words] = props['children'] as readonly unknown[];
    const alt = (words as Vnode).props['children'];
    const attributes = { src: text('title').replace(/^Not loaded: /, ''), alt: typeof alt === 'string' ? alt : '' };
    return [{ tag: named('img', new Map(Object.entries(attributes))), inside: [] }];
  }
  const attributes = new Map<string, string>();
  if (typeof props['href'] === 'string') attributes.set('href', props['href']);
  if (typeof props['start'] === 'number') attributes.set('start', `${props['start']}`);
  return [{ tag: named(String(type), attributes), inside: inside() }];
}

/** As a page lays it out: outside of code, spaces run together and stand at no edge of a line, and code ends with its line. */
function tidied(trees: readonly Tree[]): readonly Tree[] {
  const joined: Tree[] = [];
  for (const tree of trees) {
    const last = joined.at(-1);
    if (typeof tree === 'string' && typeof last === 'string') joined[joined.length - 1] = last + tree;
    else joined.push(tree);
  }
  const endsLine = (tree: Tree | undefined) =>
    tree === undefined || (typeof tree !== 'string' && lines.has(tree.tag.split(' ')[0] ?? ''));
  return joined
    .map((tree, at) => {
      if (typeof tree !== 'string') {
        if (tree.tag === 'pre') return { ...tree, inside: tree.inside.map(withoutLastBreak) };
        return tree.tag.startsWith('code') ? tree : { ...tree, inside: tidied(tree.inside) };
      }
      let text = tree.replace(/[ \t\n]+/g, ' ');
      if (endsLine(joined[at - 1])) text = text.trimStart();
      return endsLine(joined[at + 1]) ? text.trimEnd() : text;
    })
    .filter(tree => tree !== '');
}

/** The specification ends the last line of code, the page has no line after it. */
function withoutLastBreak(tree: Tree): Tree {
  if (typeof tree === 'string') return tree;
  return { ...tree, inside: tree.inside.map(text => (typeof text === 'string' ? text.replace(/\n$/, '') : text)) };
}
