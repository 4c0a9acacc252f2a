// The walk through the files of a folder, for every search without ripgrep. It follows no link, is bounded, reads .gitignore
// files as git does, and never names a file that may hold secrets. Patterns are refused instead of looked for, since one
// that is badly made would stop the window.

import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { foldsCase, rulesAbove, withOwnRules } from '../changes/passed.ts';
import { globTest, isIgnored, type IgnoreFile } from '../ignore.ts';
import { whySensitive } from '../sensitive.ts';
import type { Looking } from './lookup.ts';

const mostFiles = 20_000;
const largestFile = 2 * 1024 * 1024;

export const walk: Looking = {
  async files(folder, { under, glob }, onFile, signal) {
    const fits = glob === null ? () => true : globTest(glob);
    for await (const name of namesUnder(folder, { under }, signal)) if (fits(name) && !onFile(name)) return;
  },
  async lines(folder, { text, isPattern, matchCase, under, glob }, onLine, signal) {
    if (isPattern)
      throw new Error('Patterns need ripgrep, and this VS Code has none. Look for a part of the text as it stands.');
    const fits = glob === null ? () => true : globTest(glob);
    const wanted = matchCase ? text : text.toLowerCase();
    for await (const name of namesUnder(folder, { under }, signal)) {
      if (!fits(name)) continue;
      const content = await textOf(join(folder, name), largestFile);
      if (content === null || !(matchCase ? content : content.toLowerCase()).includes(wanted)) continue;
      for (const [index, line] of content.split('\n').entries())
        if ((matchCase ? line : line.toLowerCase()).includes(wanted) && !onLine(name, index + 1, line)) return;
    }
  },
};

export interface Walk {
  /** A folder below, with forward slashes; empty for the whole folder. */
  readonly under: string;
  /** Names of folders that are passed over, besides `.git`. */
  readonly skips?: ReadonlySet<string>;
}

/** Names from the folder, with forward slashes: files before folders, each in the order of their names. */
export async function* namesUnder(folder: string, { under, skips }: Walk, signal: AbortSignal): AsyncGenerator<string> {
  let count = 0;
  const top = folder.split(sep).filter(part => part !== '');
  async function* below(at: string, above: readonly IgnoreFile[]): AsyncGenerator<string> {
    signal.throwIfAborted();
    let entries: Dirent[];
    try {
      entries = await readdir(join(folder, at), { withFileTypes: true });
    } catch {
      // A folder that may not be read, or that has just gone.
      return;
    }
    const rules = await withOwnRules(above, join(folder, at));
    const here = at === '' ? [] : at.split('/');
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const isWanted = ({ name }: Dirent, isFolder: boolean) =>
      !isSecret(folder, [...here, name]) && !isIgnored(rules, [...top, ...here, name], isFolder, foldsCase);
    for (const entry of entries) {
      if (!entry.isFile() || !isWanted(entry, false)) continue;
      if (++count > mostFiles) return;
      yield [...here, entry.name].join('/');
    }
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== '.git' && !skips?.has(entry.name) && isWanted(entry, true))
        yield* below([...here, entry.name].join('/'), rules);
  }
  // The rules of the folders above decide too.
  const parts = under === '' ? [] : under.split('/');
  let rules = await rulesAbove(folder);
  for (let depth = 0; depth < parts.length; depth++)
    rules = await withOwnRules(rules, join(folder, ...parts.slice(0, depth)));
  yield* below(under, rules);
}

/** By its name; the folder's own name counts, as where somebody opened `.aws` itself. */
export function isSecret(folder: string, parts: readonly string[]): boolean {
  return whySensitive([basename(folder), ...parts], 'read') !== null;
}

/** Null for what is no text, too large, or not there any more. */
export async function textOf(path: string, largest: number): Promise<string | null> {
  try {
    if ((await stat(path)).size > largest) return null;
    const bytes = await readFile(path);
    return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString('utf8');
  } catch {
    // Not readable, or gone since the folder was listed.
    return null;
  }
}
