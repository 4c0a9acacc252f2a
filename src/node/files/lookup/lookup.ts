// Which files a folder has, and where a text stands in them, for the tools of the built-in agents. Promises: it never leaves
// the folder, follows no link, gives nothing of a file that may hold secrets, passes over what version control ignores, and
// stops when it has enough or is told to. With ripgrep where VS Code has it, else with a walk of its own.

import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Found, Lookup } from '../../../core/ports.ts';
import { whySensitive } from '../sensitive.ts';
import { ripgrep } from './ripgrep.ts';
import { isSecret, walk } from './walk.ts';

/** What does the looking, in a folder that is real; names are from it, with forward slashes. */
export interface Looking {
  files(folder: string, wanted: Wanted, onFile: (name: string) => boolean, signal: AbortSignal): Promise<void>;
  lines(
    folder: string,
    wanted: Wanted & { readonly text: string; readonly isPattern: boolean; readonly matchCase: boolean },
    onLine: (name: string, line: number, text: string) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface Wanted {
  /** Of the folder; empty for all of it. */
  readonly under: string;
  readonly glob: string | null;
}

const mostFiles = 500;
const mostLines = 200;
const longestLine = 300;

/** `program` is where ripgrep is; null where it is not. */
export function lookupWith(program: string | null): Lookup {
  const looking = program === null ? walk : ripgrep(program);
  return {
    isSecret: path => whySensitive(path.replaceAll('\\', '/').split('/'), 'read') !== null,
    async list(folder, { under, glob }, signal) {
      const at = await placeOf(folder, under);
      const names: string[] = [];
      let cutShort = false;
      const take = (name: string) => {
        if (isSecret(at.folder, name.split('/'))) return true;
        cutShort = names.length >= mostFiles;
        if (!cutShort) names.push(name);
        return !cutShort;
      };
      await looking.files(at.folder, { under: at.under, glob }, take, signal);
      return { names: names.toSorted(), cutShort };
    },
    async find(folder, { under, glob, ...what }, signal) {
      const at = await placeOf(folder, under);
      const lines: Found['lines'][number][] = [];
      let cutShort = false;
      const take = (name: string, line: number, text: string) => {
        if (isSecret(at.folder, name.split('/'))) return true;
        cutShort = lines.length >= mostLines;
        if (!cutShort) lines.push({ name, line, text: text.trimEnd().slice(0, longestLine) });
        return !cutShort;
      };
      await looking.lines(at.folder, { ...what, under: at.under, glob }, take, signal);
      return { lines, cutShort };
    },
  };
}

/** Throws in words where it is not in the folder. */
async function placeOf(
  folder: string,
  under: string | null,
): Promise<{ readonly folder: string; readonly under: string }> {
  const root = await realpath(folder);
  const wanted = await realpath(resolve(root, under ?? '.')).catch(() => null);
  if (wanted === null) throw new Error(`There is no folder “${under}”.`);
  const below = relative(root, wanted);
  if (below === '..' || below.startsWith(`..${sep}`) || resolve(below) === below)
    throw new Error(`“${under}” is not in the folder of this workspace.`);
  return { folder: root, under: below.split(sep).join('/') };
}
