// Looking without ripgrep: a walk through the folder, bounded. Promises: no link is followed; `.gitignore` counts as git
// reads it, but for its rarest forms; patterns are not looked for, since one that is badly made would stop the window.

import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globTest, ignoreRules, isIgnored, type IgnoreRule } from './ignored.ts';
import type { Looking } from './lookup.ts';

const mostFiles = 20_000;
const largestFile = 2 * 1024 * 1024;

export const walk: Looking = {
  async files(folder, { under, glob }, onFile, signal) {
    const fits = glob === null ? () => true : globTest(glob);
    for await (const name of namesUnder(folder, under, signal)) if (fits(name) && !onFile(name)) return;
  },
  async lines(folder, { text, isPattern, matchCase, under, glob }, onLine, signal) {
    if (isPattern)
      throw new Error('Patterns need ripgrep, and this VS Code has none. Look for a part of the text as it stands.');
    const fits = glob === null ? () => true : globTest(glob);
    const wanted = matchCase ? text : text.toLowerCase();
    for await (const name of namesUnder(folder, under, signal)) {
      if (!fits(name)) continue;
      const content = await textOf(join(folder, name));
      if (content === null || !(matchCase ? content : content.toLowerCase()).includes(wanted)) continue;
      for (const [index, line] of content.split('\n').entries())
        if ((matchCase ? line : line.toLowerCase()).includes(wanted) && !onLine(name, index + 1, line)) return;
    }
  },
};

/** Files before folders, each in the order of their names. */
async function* namesUnder(folder: string, under: string, signal: AbortSignal): AsyncGenerator<string> {
  let count = 0;
  async function* below(at: string, above: readonly IgnoreRule[]): AsyncGenerator<string> {
    signal.throwIfAborted();
    let entries: Dirent[];
    try {
      entries = await readdir(join(folder, at), { withFileTypes: true });
    } catch {
      // A folder that may not be read, or that has just gone.
      return;
    }
    const own = entries.some(entry => entry.name === '.gitignore' && entry.isFile())
      ? ignoreRules((await textOf(join(folder, at, '.gitignore'))) ?? '', at)
      : [];
    const rules = [...above, ...own];
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const nameOf = (entry: Dirent) => (at === '' ? entry.name : `${at}/${entry.name}`);
    for (const entry of entries) {
      if (!entry.isFile() || isIgnored(nameOf(entry), false, rules)) continue;
      if (++count > mostFiles) return;
      yield nameOf(entry);
    }
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== '.git' && !isIgnored(nameOf(entry), true, rules))
        yield* below(nameOf(entry), rules);
  }
  // What is above decides too.
  const parts = under === '' ? [] : under.split('/');
  let rules: readonly IgnoreRule[] = [];
  for (let depth = 0; depth < parts.length; depth++) {
    const at = parts.slice(0, depth).join('/');
    rules = [...rules, ...ignoreRules((await textOf(join(folder, at, '.gitignore'))) ?? '', at)];
  }
  yield* below(under, rules);
}

async function textOf(path: string): Promise<string | null> {
  try {
    if ((await stat(path)).size > largestFile) return null;
    const bytes = await readFile(path);
    return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString('utf8');
  } catch {
    // Not readable, or gone since the folder was listed.
    return null;
  }
}
