// Reads vnodes as text, so that a test can say what would be on the page without a page. A part is written as its
// name and its plain props; nothing is run.

import { Fragment, type ComponentChild } from 'preact';

interface Node {
  readonly type: unknown;
  readonly props: { readonly [name: string]: unknown };
}

export function written(child: ComponentChild | readonly ComponentChild[]): string {
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (Array.isArray(child)) return child.map(each => written(each)).join('');
  if (typeof child !== 'object') return String(child);
  const { type, props } = child as unknown as Node;
  const inside = written((props['children'] ?? null) as ComponentChild);
  if (type === 'svg') return '';
  if (type === Fragment) return inside;
  const name = typeof type === 'function' ? type.name : String(type);
  const shown = ['href', 'start', 'class', 'code', 'language', 'aria-label']
    .filter(key => props[key] !== undefined && props[key] !== null)
    .map(key => ` ${key}=${JSON.stringify(props[key])}`);
  return `<${name}${shown.join('')}>${inside}</${name}>`;
}
