// The tools that a model has, and those of the scout, which runs nothing.

import type { Files, Lookup } from '../../core/ports.ts';
import { runCommand } from './command.ts';
import { editFile, readFile, writeFile } from './files.ts';
import { searchHistory, type SearchHistory } from './history.ts';
import { listFiles, searchFiles } from './lookup.ts';
import type { Tool } from './tool.ts';
import { lookForWords } from './words.ts';

export interface ToolPorts {
  readonly lookup: Lookup;
  readonly searchHistory: SearchHistory;
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export function modelTools({ lookup, searchHistory: search, after }: ToolPorts): readonly Tool[] {
  const looking = [listFiles(lookup), searchFiles(lookup), readFile, searchHistory(search)];
  return [...looking, editFile(lookup), writeFile(lookup), runCommand(after)];
}

export function scoutTools({
  lookup,
  searchHistory: search,
  files,
}: Omit<ToolPorts, 'after'> & { readonly files: Files }) {
  return [lookForWords(files), listFiles(lookup), readFile, searchHistory(search), editFile(lookup), writeFile(lookup)];
}
