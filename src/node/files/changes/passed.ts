// What a walk over the workspace passes over: folders that hold no work of the person's own, and what .gitignore files
// exclude. The files of a repository that the workspace is only a part of count as well.

import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PinnedFolder } from '../pinned.ts';
import { ignoreFile, isIgnored, type IgnoreFile } from '../ignore.ts';

const heavy = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.venv',
  '__pycache__',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.terraform',
  '.dart_tool',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.vscode-test',
]);

/** Git says so on these systems, unless it was told otherwise. */
export const foldsCase = process.platform === 'win32' || process.platform === 'darwin';
const largestIgnoreFile = 256 * 1024;

/** Undefined on Windows, which `|` takes for nothing. A link to such a file does not count in git either. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function isPassed(ignoreFiles: readonly IgnoreFile[], path: string, isFolder: boolean): boolean {
  const parts = partsOf(path);
  if (isFolder && heavy.has(parts.at(-1) ?? '')) return true;
  return isIgnored(ignoreFiles, parts, isFolder, foldsCase);
}

/** Those of the folder itself, after those above it. */
export async function withOwnRules(
  above: readonly IgnoreFile[],
  path: string,
  at: PinnedFolder['at'] = path,
): Promise<readonly IgnoreFile[]> {
  try {
    const handle = await open(join(at, '.gitignore'), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const about = await handle.stat();
      if (!about.isFile() || about.size > largestIgnoreFile) return above;
      return [...above, ignoreFile(await handle.readFile('utf8'), partsOf(path).length, foldsCase)];
    } finally {
      await handle.close();
    }
  } catch {
    // There is none, or nobody may read it: then it excludes nothing.
    return above;
  }
}

/** Those above a folder of the workspace, up to the repository that it is in. */
export async function rulesAbove(folder: string): Promise<readonly IgnoreFile[]> {
  const between: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) break;
    if (at === dirname(at)) return [];
    between.unshift(dirname(at));
  }
  let rules: readonly IgnoreFile[] = [];
  for (const one of between) rules = await withOwnRules(rules, one);
  return rules;
}

function partsOf(path: string): readonly string[] {
  return path.split(sep).filter(part => part !== '');
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
