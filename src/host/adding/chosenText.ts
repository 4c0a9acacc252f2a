// What a person chose to go with a prompt, as the block that it becomes: a selection, a problem, what a terminal shows,
// changes, a past session. Pure. Promises: the name says what it is; the text is that of the moment in which it was chosen.

import { madeUri } from '../../model/attachment.ts';
import { plain, type ResourceBlock, type SessionId } from '../../model/message.ts';

/** More than that is said to be too much. */
export const largestText = 256 * 1024;

export interface Lines {
  /** Counted from one, both of them in it. */
  readonly from: number;
  readonly to: number;
}

/** `uri` is the address of the document. */
export function selectionOf(uri: string, name: string, lines: Lines, text: string): ResourceBlock {
  const { from, to } = lines;
  const range = from === to ? `${from}` : `${from}-${to}`;
  const address = `${uri.replace(/#.*$/, '')}#L${range}`;
  return { kind: 'resource', mime: plain, uri: address, name: `${name}:${range}`, text };
}

export interface Problem {
  /** As people say it: from the workspace folder on. */
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly severity: 'Error' | 'Warning' | 'Information' | 'Hint';
  readonly message: string;
  /** Who says so, and their code for it; either may be empty. */
  readonly source: string;
  readonly code: string;
  /** The lines around it, the first of them with its number; empty where they are not at hand. */
  readonly around: { readonly from: number; readonly lines: readonly string[] };
}

export function problemOf({ path, name, line, severity, message, source, code, around }: Problem): ResourceBlock {
  const who = [source, code].filter(words => words !== '').join(' ');
  const head = `${severity} in ${path}, line ${line}${who === '' ? '' : ` (${who})`}:\n${message}`;
  const text = around.lines.length === 0 ? head : `${head}\n\n${numbered(around.from, around.lines)}`;
  return {
    kind: 'resource',
    mime: plain,
    uri: madeUri('problem', `${path}:${line} ${message.slice(0, 100)}`),
    name: `Problem in ${name}:${line}`,
    text,
  };
}

export function terminalOf(terminal: string, text: string): ResourceBlock {
  return { kind: 'resource', mime: plain, uri: madeUri('terminal', terminal), name: 'Terminal', text };
}

/** `paths` as people say them. */
export function changesOf(paths: readonly string[], diff: string): ResourceBlock {
  const [first = '', ...others] = paths;
  const what = others.length === 0 ? (first.split('/').at(-1) ?? first) : `${paths.length} files`;
  const uri = madeUri('changes', others.length === 0 ? first : what);
  return { kind: 'resource', mime: 'text/x-diff', uri, name: `Changes in ${what}`, text: diff };
}

/** Its text is that of the moment at which it goes out. */
export function sessionOf(id: SessionId, title: string): ResourceBlock {
  return { kind: 'resource', mime: plain, uri: madeUri('session', id), name: title };
}

/** Null where it may go; else why not. */
export function tooMuch(name: string, text: string): string | null {
  const bytes = Buffer.byteLength(text);
  if (bytes <= largestText) return null;
  return `“${name}” was not added: it is ${Math.ceil(bytes / 1024)} KB, and at most ${largestText / 1024} KB go with a prompt. Choose less of it.`;
}

function numbered(from: number, lines: readonly string[]): string {
  const width = String(from + lines.length - 1).length;
  return lines.map((line, at) => `${String(from + at).padStart(width)}  ${line}`).join('\n');
}
