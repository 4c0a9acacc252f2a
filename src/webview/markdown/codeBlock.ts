// A block of code: its language, a button that copies it, and its lines. Promises: code that grows at its end touches
// only its last chunk of lines. Highlighting is left to a later layer that replaces `chunks`.

import { h, type ComponentChild } from 'preact';
import { CopyButton } from '../copyButton.ts';

const linesPerChunk = 120;

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): ComponentChild {
  const body = chunks(code).map((lines, at) => h('div', { key: at }, lines));
  return h('div', { class: 'codeBlock' }, [
    h('div', { class: 'codeHead' }, [
      h('span', { class: 'codeLanguage' }, language || 'text'),
      h(CopyButton, { name: 'Copy code', text: () => code }),
    ]),
    h('pre', { tabIndex: 0, 'aria-label': language ? `Code, ${language}` : 'Code' }, h('code', null, body)),
  ]);
}

/** Whole lines, so that the browser lays out again only the chunk that grew. */
export function chunks(code: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let lines = 0;
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines < linesPerChunk) continue;
    found.push(code.slice(start, at + 1));
    start = at + 1;
    lines = 0;
  }
  if (start < code.length || found.length === 0) found.push(code.slice(start));
  return found;
}
