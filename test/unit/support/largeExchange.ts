// Files with sessions that are large or made to take much memory, written in pieces, and a process that imports one.

import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from './history.ts';

export interface Imported {
  readonly added: number;
  readonly messages: number;
  readonly unread: readonly { readonly title: string; readonly words: string }[];
  readonly sessions: number;
  readonly moreMegabytes: number;
  readonly seconds: number;
}

export type Pieces = Iterable<string>;

export const head = '{"format":"throughline-sessions","version":1,"sessions":[';
export const tail = ']}';

/** The same piece until it is as long as that, in bytes. */
export function* repeated(piece: string, length: number): Pieces {
  const many = piece.repeat(Math.ceil(1_000_000 / piece.length));
  for (let left = length; left > 0; left -= many.length) yield many;
}

export function about(id: string): string {
  return `"id":"${id}","created":1000,"agent":{"id":"a","name":"A"},"fields":[{"name":"title","value":"Large"}]`;
}

/** A session whose one answer has a block with this in its input. */
export function* withInput(id: string, input: Pieces): Pieces {
  yield `{${about(id)},"messages":[{"id":"m${id}","parent":null,"role":"assistant","created":1000,"blocks":[`;
  yield '{"kind":"toolCall","mime":"a/b","callId":"c","title":"t","tool":"read","status":"completed","locations":[],"input":';
  yield* input;
  yield ',"output":[]}]}],"blobs":{}}';
}

export function writePieces(file: string, pieces: Pieces): void {
  const fd = openSync(file, 'w');
  try {
    for (const piece of pieces) writeSync(fd, piece);
  } finally {
    closeSync(fd);
  }
}

/** Imports what the pieces are, in a process with so large a heap, into a history with one session. */
export async function importLarge(
  t: Parameters<typeof temporaryFolder>[0],
  pieces: Pieces,
  heapMegabytes: number,
): Promise<Imported> {
  const [folder, files] = [temporaryFolder(t), temporaryFolder(t)];
  const [small, file] = [join(files, 'small.json'), join(files, 'large.json')];
  writePieces(small, [head, `{${about('333333333333')},"messages":[],"blobs":{}}`, tail]);
  writePieces(file, pieces);
  const script = join(import.meta.dirname, 'importOnce.ts');
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, script, folder, small, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  if (code !== 0) throw new Error(`The process ended with ${code ?? signal}: ${errors.slice(0, 2000)}`);
  return JSON.parse(out) as Imported;
}
