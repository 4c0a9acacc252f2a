// A block of code: its language, buttons that copy it and that put it into the editor, and its lines. Promises: code that
// grows at its end touches only its last chunk of lines; colours come once the block is whole, its file is there and it is
// near the eye; without them the letters are the same.

import { createContext, h, type ComponentChild } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../transcript/copyButton.ts';
import type { Stretch } from '../highlight/highlight.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

const linesPerChunk = 120;

/** Whether what is drawn inside may still get letters at its end. */
export const Growing = createContext(false);

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): ComponentChild {
  const { post, said } = usePanel();
  const place = useRef<HTMLElement>(null);
  const stretches = useStretches(code, language, place);
  const body = stretches
    ? coloured(stretches).map((lines, at) => h('div', { key: at }, lines.map(vnodeOf)))
    : chunks(code).map((lines, at) => h('div', { key: at }, lines));
  const insert = () => {
    post({ type: 'insertCode', text: code });
    said.value = 'Inserting at the cursor';
  };
  return h('div', { class: 'codeBlock' }, [
    h('div', { class: 'codeHead' }, [
      h('span', { class: 'codeLanguage' }, language || 'text'),
      h(
        'button',
        {
          type: 'button',
          class: 'iconButton insert',
          'aria-label': 'Insert at Cursor',
          title: 'Insert at Cursor',
          onClick: insert,
        },
        icon('insert'),
      ),
      h(CopyButton, { name: 'Copy code', text: () => code }),
    ]),
    h('pre', { tabIndex: 0, 'aria-label': language ? `Code, ${language}` : 'Code', ref: place }, h('code', null, body)),
  ]);
}

function useStretches(
  code: string,
  language: string,
  place: { readonly current: HTMLElement | null },
): readonly Stretch[] | undefined {
  const growing = useContext(Growing);
  const highlighter = usePanel().highlighter.value;
  const [near, setNear] = useState(false);
  const wants = language !== '' && !growing && highlighter !== null;
  useEffect(() => {
    if (!wants || near || !place.current) return undefined;
    const watch = new IntersectionObserver(entries => setNear(entries.some(entry => entry.isIntersecting)), {
      rootMargin: '800px',
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [wants, near]);
  return useMemo(
    () => (wants && near ? highlighter.highlight(code, language) : undefined),
    [wants && near, highlighter, code, language],
  );
}

function vnodeOf({ text, kind }: Stretch): ComponentChild {
  return kind === null ? text : h('span', { class: `is-${kind}` }, text);
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

/** The same chunks, in colours: a stretch that goes over a border is in both. */
export function coloured(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const lengths = chunks(stretches.map(({ text }) => text).join('')).map(({ length }) => length);
  const found: Stretch[][] = lengths.map(() => []);
  let chunk = 0;
  let left = lengths[0] ?? 0;
  for (const { text, kind } of stretches) {
    for (let at = 0; at < text.length;) {
      if (left === 0) left = lengths[++chunk] ?? text.length;
      const part = text.slice(at, at + left);
      (found[chunk] ??= []).push({ text: part, kind });
      at += part.length;
      left -= part.length;
    }
  }
  return found;
}
