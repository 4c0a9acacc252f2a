// Looks for words in the text files of one folder. Promises: it never leaves the folder (links are not followed), reads
// at most `mostFiles` files of at most `largestFile` bytes, passes over what is not text, and stops when it is told to.
// It is meant for the scout on a machine with nothing else; it keeps no index.

import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { FileHit, Files, FileSearch } from '../../core/ports.ts';

const mostFiles = 5000;
const largestFile = 1024 * 1024;
const linesShown = 4;
const longestLine = 200;
/** Folders that hold no work of the person's own. */
const skipped = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.vscode-test',
  'dist',
  'out',
  'target',
  '.venv',
  '__pycache__',
]);

export const diskFiles: Files = { search };

async function search(folder: string, terms: readonly string[], signal: AbortSignal): Promise<FileSearch> {
  const found: Found[] = [];
  let filesRead = 0;
  let cutShort = false;
  for await (const path of filesUnder(folder)) {
    signal.throwIfAborted();
    cutShort = filesRead === mostFiles;
    if (cutShort) break;
    const text = await textOf(path);
    if (text === null) continue;
    filesRead++;
    const one = look(path, relative(folder, path).split(sep).join('/'), text, terms);
    if (one) found.push(one);
  }
  return { hits: ranked(found, terms, filesRead), filesRead, cutShort };
}

/** In the order of names, folders after files, so that the same folder gives the same answer. */
async function* filesUnder(folder: string): AsyncGenerator<string> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    // A folder that may not be read, or that has just gone, holds nothing for a search.
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) if (entry.isFile()) yield join(folder, entry.name);
  for (const entry of entries) {
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesUnder(join(folder, entry.name));
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > largestFile) return null;
    const bytes = await readFile(path);
    return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString('utf8');
  } catch {
    // Not readable, or gone since the folder was listed.
    return null;
  }
}

/** A file with at least one term, before it is known how common each term is. */
interface Found {
  readonly path: string;
  readonly name: string;
  readonly terms: readonly string[];
  readonly lines: readonly Line[];
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly terms: readonly string[];
}

function look(path: string, name: string, text: string, terms: readonly string[]): Found | null {
  const lowerName = name.toLowerCase();
  const lowerText = text.toLowerCase();
  const here = terms.filter(term => lowerName.includes(term) || lowerText.includes(term));
  if (here.length === 0) return null;
  const lines = text.split('\n').flatMap((line, index) => {
    const lower = line.toLowerCase();
    const inLine = here.filter(term => lower.includes(term));
    return inLine.length === 0 ? [] : [{ line: index + 1, text: line.trimEnd().slice(0, longestLine), terms: inLine }];
  });
  return { path, name, terms: here, lines };
}

function ranked(found: readonly Found[], terms: readonly string[], filesRead: number): readonly FileHit[] {
  const weights = new Map(
    terms.map(term => {
      const having = found.filter(one => one.terms.includes(term)).length;
      return [term, Math.log(1 + filesRead / Math.max(1, having))];
    }),
  );
  const weigh = (some: readonly string[]) => some.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const best = Math.max(...found.map(one => weigh(one.terms)));
  const hits = found.map(({ path, name, terms: here, lines }): FileHit => {
    const chosen = lines
      .toSorted((one, other) => weigh(other.terms) - weigh(one.terms) || one.line - other.line)
      .slice(0, linesShown)
      .toSorted((one, other) => one.line - other.line);
    return {
      path,
      name,
      weight: weigh(here) / best,
      count: lines.length,
      lines: chosen.map(({ line, text }) => ({ line, text })),
    };
  });
  return hits.toSorted(
    (one, other) => other.weight - one.weight || other.count - one.count || (one.name < other.name ? -1 : 1),
  );
}
