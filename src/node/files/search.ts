// Looks for words in the text files of one folder, by the walk that every search uses: it never leaves the folder and reads
// nothing that may hold secrets or that git ignores. It reads at most `mostFiles` files of at most `largestFile` bytes and
// stops when it is told to. It is meant for the scout on a machine with nothing else; it keeps no index.

import { join } from 'node:path';
import type { FileHit, Files, FileSearch } from '../../core/ports.ts';
import { namesUnder, textOf } from './lookup/walk.ts';

const mostFiles = 5000;
const largestFile = 1024 * 1024;
const linesShown = 4;
const longestLine = 200;
/** Folders that hold no work of the person's own. */
const skipped = new Set([
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
  for await (const name of namesUnder(folder, { under: '', skips: skipped }, signal)) {
    signal.throwIfAborted();
    cutShort = filesRead === mostFiles;
    if (cutShort) break;
    const path = join(folder, name);
    const text = await textOf(path, largestFile);
    if (text === null) continue;
    filesRead++;
    const one = look(path, name, text, terms);
    if (one) found.push(one);
  }
  return { hits: ranked(found, terms, filesRead), filesRead, cutShort };
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
